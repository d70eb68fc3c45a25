from django.apps import AppConfig


class DealsConfig(AppConfig):
    """Deals of 52 cards: the rules and notation of bridge, double dummy, and the API key."""

    name = "deals"

    def ready(self) -> None:
        from config.database.retention import RETENTIONS
        from deals import checks  # noqa: F401  (registers the checks)
        from deals.events.feed import RETENTION
        from deals.solver.queues import QUEUES, TABLES

        RETENTIONS.append(RETENTION)
        QUEUES.append(TABLES)

from django.apps import AppConfig


class DealsConfig(AppConfig):
    """Deals of 52 cards: the rules and notation of bridge, double dummy, and the API key."""

    name = "deals"

    def ready(self) -> None:
        from deals import checks  # noqa: F401  (registers the checks)

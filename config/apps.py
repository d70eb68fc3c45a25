from django.apps import AppConfig
from django.db.models.signals import pre_save


class GroundFloorConfig(AppConfig):
    """The ground floor, which every app builds on: API views, the edge, the admin, the worker."""

    name = "config"

    def ready(self) -> None:
        from config import checks as secrets_and_addresses  # noqa: F401  (registers the checks)
        from config.worker import admin  # noqa: F401  (replaces the package's own page)
        from config.worker.queue import keep_request_id

        pre_save.connect(keep_request_id, sender="django_tasks_database.DBTaskResult")

from django.apps import AppConfig


class PagesConfig(AppConfig):
    """Every page for people. It stands above all resources, and nothing imports it."""

    name = "pages"

    def ready(self) -> None:
        from config.worker import queue
        from pages.practice.mails import queue_mails

        queue.register(queue_mails)

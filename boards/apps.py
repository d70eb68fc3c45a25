from django.apps import AppConfig


class BoardsConfig(AppConfig):
    """Boards: deals with dealer, vulnerability, auction, contract and play, and their import, export and pages."""

    name = "boards"

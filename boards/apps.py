from django.apps import AppConfig


class BoardsConfig(AppConfig):
    """A deal to look at: dealer, vulnerability, auction, contract; importing and publishing."""

    name = "boards"

from django.apps import AppConfig
from django.db.models.signals import post_delete, post_save, pre_delete


class BoardsConfig(AppConfig):
    """Boards: deals with dealer, vulnerability, auction, contract and play, and their import, export and pages."""

    name = "boards"

    def ready(self) -> None:
        from boards.catalogue import receivers
        from deals.signals import double_dummy_changed
        from themes.models import Theme

        double_dummy_changed.connect(receivers.refresh_boards_of_deals)
        post_save.connect(receivers.refresh_boards_of_theme, sender=Theme)
        pre_delete.connect(receivers.remember_boards_of_theme, sender=Theme)
        post_delete.connect(receivers.refresh_boards_without_theme, sender=Theme)

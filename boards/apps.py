from django.apps import AppConfig
from django.db.models.signals import post_delete, post_save, pre_delete, pre_save


class BoardsConfig(AppConfig):
    """Boards: deals with dealer, vulnerability, auction, contract and play, and their import and export."""

    name = "boards"

    def ready(self) -> None:
        from boards import checks  # noqa: F401  (registers the checks)
        from boards.analysis.queues import COSTS, PLAYS, analysis_changed
        from boards.catalogue import receivers
        from boards.days import keep_board_of_the_day
        from boards.models import Board
        from boards.search.segments import keep_folded
        from boards.search.updating import keep_current
        from boards.search.votes import keep_votes
        from config.worker import upkeep
        from deals.signals import double_dummy_changed
        from deals.solver.queues import QUEUES
        from themes.models import Theme

        analysis_changed.connect(receivers.refresh_boards_analysed)
        double_dummy_changed.connect(receivers.refresh_boards_of_deals)
        QUEUES[:0] = COSTS, PLAYS
        upkeep.register(keep_folded)
        upkeep.register(keep_votes)
        upkeep.register(keep_current)
        upkeep.register(keep_board_of_the_day)
        pre_delete.connect(receivers.forget_board, sender=Board)
        pre_save.connect(receivers.remember_type_of_theme, sender=Theme)
        post_save.connect(receivers.refresh_boards_of_theme, sender=Theme)
        pre_delete.connect(receivers.remember_boards_of_theme, sender=Theme)
        post_delete.connect(receivers.refresh_boards_without_theme, sender=Theme)

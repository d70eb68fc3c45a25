from django.apps import AppConfig
from django.db.models.signals import pre_delete


class BoardsConfig(AppConfig):
    """Boards: deals with dealer, vulnerability, auction, contract and play, and their import and export."""

    name = "boards"

    def ready(self) -> None:
        from boards import checks  # noqa: F401  (registers the checks)
        from boards.analysis import COSTS, PLAYS, analysis_changed
        from boards.catalogue import receivers
        from boards.searching.checking import keep_current
        from boards.searching.comparing import COMPARER
        from boards.services.days import keep_board_of_the_day
        from config.worker import queue
        from deals.models import double_dummy_changed
        from deals.solver.queues import QUEUES
        from search.index.finding import COMPARERS
        from search.index.folding import keep_folded
        from themes.models import Theme, type_changed

        analysis_changed.connect(receivers.refresh_boards_analysed)
        double_dummy_changed.connect(receivers.refresh_boards_of_deals)
        QUEUES[:0] = COSTS, PLAYS
        COMPARERS.append(COMPARER)
        queue.register(keep_folded)
        queue.register(keep_current)
        queue.register(keep_board_of_the_day)
        type_changed.connect(receivers.refresh_boards_of_theme)
        pre_delete.connect(receivers.take_off_deleted_theme, sender=Theme)

import json
from pathlib import Path
from typing import Any
from uuid import UUID

from django.apps import apps
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from accounts.models import Account
from boards.catalogue.refreshing import refresh
from boards.files.importing import import_boards
from boards.files.options import ImportOptions
from boards.files.reports import ImportReport
from boards.models import Board
from config.values.words import format_count
from themes.models import Theme
from voting.models import Vote
from voting.services import cast_vote

SETS = ("demonstration", "friday_pairs")
"""Files of boards/data, the one that was played last at the end, since the last is listed first. Beside each is a JSON
file of themes and votes by board number."""

MEMBERS = 6


class Command(BaseCommand):
    """Votes are part of the demonstration, so the command is in the lowest app that knows them."""

    help = "Load and publish the demonstration boards under their themes, with votes. Safe to repeat."

    @transaction.atomic
    def handle(self, *args: Any, **options: Any) -> None:
        total = ImportReport()
        votes: dict[UUID, tuple[int, int]] = {}
        for name in SETS:
            report, votes_of_set = self.load_boards(name)
            total.add(report)
            votes |= votes_of_set
        self.cast_votes(votes)
        created = format_count(total.boards, "board")
        self.stdout.write(f"Demonstration: {created} created, {len(total.board_ids)} in all.")

    def load_boards(self, name: str) -> tuple[ImportReport, dict[UUID, tuple[int, int]]]:
        """Publish the boards of a file under their themes. Return the report, and the boards' votes for and against."""
        data = Path(apps.get_app_config("boards").path) / "data"
        path = data / f"{name}.pbn"
        with path.open("rb") as file:
            report = import_boards(file, ImportOptions(publish=True))
        if report.failed:
            raise CommandError(f"{path}: {report.failed[0].message}")
        about = json.loads((data / f"{name}.json").read_text(encoding="utf-8"))
        votes = {}
        for board in Board.objects.filter(pk__in=report.board_ids, board_number__in=about):
            of_board = about[str(board.board_number)]
            board.themes.add(*Theme.objects.filter(identifier=of_board.get("theme", "")))
            votes[board.pk] = of_board.get("up", 0), of_board.get("down", 0)
        refresh(report.board_ids)
        return report, votes

    def cast_votes(self, votes: dict[UUID, tuple[int, int]]) -> None:
        """Let members vote who exist for this alone, and switch them off: nobody can sign in as one of them.

        They vote once. A later run leaves the votes as they are, also after one of these members was erased.
        """
        members = [f"demonstration-{number}" for number in range(1, MEMBERS + 1)]
        accounts = Account.objects.filter(pk__in=members)
        if accounts.exists():
            return
        for number, member in enumerate(members, start=1):
            account = Account(pk=member, display_name=f"Demonstration member {number}")
            account.set_unusable_password()
            account.save(force_insert=True)
            for board_id, (up, down) in votes.items():
                if number <= up + down:
                    value = Vote.Value.UP if number <= up else Vote.Value.DOWN
                    cast_vote(account=account, board_id=board_id, value=value)
        # Nobody else has seen them active, so there is no change of an account to record.
        accounts.update(is_active=False)

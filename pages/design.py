"""The page /design: each component of the site in its states, with invented data, for whoever changes the styles."""

from django import forms
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse

from boards.events.listing import DealResults
from boards.events.reading import ListedDeal
from boards.events.tables import Table
from boards.models import Board, EventDeal
from boards.records import columns_of
from bridge.auction import Auction, Call
from bridge.board import BoardRecord, complete_record
from bridge.double_dummy import DoubleDummyTable, Par
from bridge.layout import Layout
from bridge.seats import Seat
from bridge.vulnerability import Vulnerability
from deals.models import Deal, SolverStatus
from pages.evenings.events import EveningRow
from pages.practice.quiz import question_at
from pages.presenters.boards import BoardDetail, PracticeDetail
from pages.presenters.deal_cards import DealCard
from pages.presenters.playing import Steps
from pages.site.base import PageView

DEAL = Layout("N:K963.AKJ2.K.Q842 J4.10965.64.J10965 AQ105.Q74.QJ53.A7 872.83.A109872.K3")
LONG_SUITS = Layout("N:K..AKQJT9.AKQJT9 .AKQJT9876543..2 ..8765432.876543 AQJT98765432.2..")
BIDS = (Call("1C"), Call("Pass"), Call("1D", alert=True, explanation="Any hand of 8 points"), Call("X"))
CALLS = (*BIDS, Call("6S"), *[Call("Pass")] * 3)
PLAY = ("HT", "H4", "H8", "HA", "CQ", "C5")
MADE, DOWN = 12, 10


class DesignPage(PageView):
    """GET /design → 200 for staff and where the service is developed, otherwise 404."""

    def get(self, request: HttpRequest) -> HttpResponse:
        is_developed = settings.DEBUG or settings.DEVELOPMENT_SIGN_IN
        if not (is_developed or (self.reader and self.reader.is_staff)):
            raise Http404
        self.hide()
        return self.render_page("site/design.html", describe_components(request.path))


class SampleForm(forms.Form):
    """Fields of each kind."""

    name = forms.CharField(label="Name", help_text="As others see it.")
    country = forms.ChoiceField(choices=[("NL", "Netherlands"), ("UY", "Uruguay")])
    note = forms.CharField(required=False, widget=forms.Textarea(attrs={"rows": 2}))
    shown = forms.BooleanField(label="Show my name", required=False)


def describe_components(path: str) -> dict[str, object]:
    """Return what the template shows."""
    board, longest = invent(DEAL, 12, MADE, PLAY), invent(LONG_SUITS, 114, DOWN)
    detail, bidding = BoardDetail(board, (), ()), PracticeDetail(board, (), (), ("east",), 1)
    steps = len(detail.stops) - 1
    return {
        "detail": detail,
        "longest": BoardDetail(longest, (), ()),
        "hidden": BoardDetail(board, (), (), ("east",)),
        "stepped": BoardDetail(board, (), (), (), steps),
        "costs": {"HT": 1, "CQ": 2},
        "steps": Steps(path, {}, steps, steps + 1),
        "bidding": bidding,
        "moment": {"form": path},
        "question": question_at(bidding.record, Seat.EAST, 1),
        "lead": question_at(detail.record, Seat.EAST, len(CALLS)),
        "cards": [DealCard(board, (), ()), DealCard(longest, (), ())],
        "rows": invent_evening(),
        "form": SampleForm(initial={"name": "Anna"}, auto_id="good-%s"),
        "wrong": SampleForm({"name": "", "country": "XX"}, auto_id="wrong-%s"),
        "told": ["Saved."],
    }


def invent(cards: Layout, number: int, tricks: int | None, play: tuple[str, ...] = ()) -> Board:
    """Return a board that is not stored."""
    record = complete_record(
        BoardRecord(
            cards,
            Seat.NORTH,
            Vulnerability.NS,
            board_number=number,
            auction=Auction(Seat.NORTH, CALLS),
            play=play,
            tricks=tricks,
            title="A board of the page of components",
        )
    )
    tables = DoubleDummyTable.from_tricks({seat: dict.fromkeys(("C", "D", "H", "S", "NT"), 7) for seat in "NESW"})
    deal = Deal(cards=cards.cards, double_dummy_status=SolverStatus.DONE, double_dummy=tables.digits)
    return Board(deal=deal, **columns_of(record))


def invent_evening() -> list[EveningRow]:
    """Return rows of an evening: one of two tables, one of a single table, and one that nobody has played."""
    long = "How declarer counts the hand to thirteen and finds the missing queen of trumps"
    rows = []
    for number, (title, results) in enumerate({"Count to thirteen": (12, 10), long: (12,), "": (None,)}.items(), 1):
        boards = [invent(DEAL, number, tricks) for tricks in results]
        tables = [Table(*(getattr(board, name) for name in Table._fields))._replace(title=title) for board in boards]
        par: Par | None = {"score": 1430, "contracts": ["NS 6S"]} if number == 1 else None
        rows.append(EveningRow(ListedDeal(EventDeal(board_number=number), tables), DealResults(tables), par))
    return rows

"""The record of one board, which files and the database share."""

import re
from dataclasses import dataclass, fields, replace
from operator import attrgetter

from bridge.auction import Auction
from bridge.contract import Contract
from bridge.errors import BridgeError
from bridge.layout import Layout
from bridge.play import check_lead, check_play, count_won, tricks_won
from bridge.scores import score_if_known
from bridge.seats import Seat
from bridge.texts import MAX_EXPLANATION_LENGTH, FileText, text
from bridge.vulnerability import Vulnerability

ROOMS = ("Open", "Closed")
"""The two rooms in which a board of a team match is played (PBN 2.1 §4.1)."""

DIFFICULTY = {
    "beginner": ("basic", "easy", "novice", "very easy", "1", "2"),
    "intermediate": ("average", "medium", "moderate", "3"),
    "advanced": ("difficult", "hard", "4"),
    "expert": ("very difficult", "very hard", "5"),
}
"""The difficulties, with other words of teachers for each. They count from 1 to 5."""

WORDS_OF_DIFFICULTY = {word: value for value, words in DIFFICULTY.items() for word in words}
WORDS_OF_SEATS = {seat.key: seat.value for seat in Seat}

PAIR_NUMBER = re.compile(r"\(?[A-Za-z]{0,3}[0-9]{0,3}\)?[ -]?[0-9]{1,5}(?: ?[A-Za-z]{1,2})?")
"""The number of a pair, perhaps with its section or its side: "3", "A3", "(B) 4", "3 NS". It never matches a player's
name.
"""

ADJUSTED_SCORE = re.compile(r"(?:ADJ\w{0,8}|AV\w{0,6}|A|NP|[0-9.,+/:%\s-])++", re.IGNORECASE)
"""What directors' scores are made of: "A60-40", "AVE+/AVE-", "60%", "ADJ". It never matches a director's name."""


@dataclass(frozen=True, slots=True)
class BoardRecord:
    """One board between a file and the database. Players' names are personal and never kept.

    `tricks` are those that declarer won. `play` is chronological; an opening lead alone is `opening_lead` with an empty
    `play`. `auction_system` is PBN's BidSystemNS, else its BidSystemEW, as it is written. `adjustment` is the
    director's score where the board had no result, as it is written: "A60-40" or "AVE+" (Law 12C). `deal_title` and
    `deal_commentary` are about the deal, and shared by its tables at an event. `skill` is what the board teaches by a
    teacher's file, from the widest to the narrowest word: "Bidding/conventions/stayman". It is not stored.

    TEXTS lists the fields made by `text`. Files, the database, the API, the admin and the pages read it; the column in
    boards.models has the rest.
    """

    layout: Layout
    dealer: Seat
    vulnerability: Vulnerability
    board_number: int | None = None
    auction: Auction | None = None
    contract: Contract | None = None
    opening_lead: str = ""
    play: tuple[str, ...] = ()
    tricks: int | None = None
    commentary: str = ""
    deal_commentary: str = ""
    auction_system: str = ""
    title: str = text("Description")
    deal_title: str = text("DealTitle", shared=True)
    difficulty: str = text("Difficulty", choices=tuple(DIFFICULTY), words=WORDS_OF_DIFFICULTY, shared=True)
    student: str = text("Student", choices=tuple("NESW"), words=WORDS_OF_SEATS, shared=True)
    event: str = text("Event", shared=True, identifying=True)
    stage: str = text("Stage", shared=True, identifying=True)
    site: str = text("Site", shared=True, identifying=True)
    date: str = text("Date", shared=True, identifying=True, notation=True)
    scoring: str = text("Scoring", shared=True, notation=True)
    home_team: str = text("HomeTeam", shared=True, identifying=True, of_table=True)
    visit_team: str = text("VisitTeam", shared=True, identifying=True, of_table=True)
    room: str = text("Room", choices=ROOMS, identifying=True, of_table=True)
    table: str = text("Table", identifying=True, of_table=True, notation=True)
    pair_ns: str = text("PairNS", identifying=True, of_table=True, form=PAIR_NUMBER, example="A3")
    pair_ew: str = text("PairEW", identifying=True, of_table=True, form=PAIR_NUMBER, example="A3")
    adjustment: str = text("AdjustedScore", identifying=True, form=ADJUSTED_SCORE, example="A60-40")
    skill: str = ""

    @property
    def score(self) -> int | None:
        """Return North-South's points, or None when the contract or the result is not known."""
        return score_if_known(self.contract, self.vulnerability, self.tricks)

    def check(self) -> None:
        """Raise BridgeError for the first contradiction between the deal, auction, contract, play and result."""
        self._check_texts()
        if self.auction:
            self._check_auction(self.auction)
        if self.contract and not self.contract.passed_out and self.contract.declarer is None:
            raise BridgeError("unknown_declarer", f"The contract {self.contract} needs a declarer.")
        if self.opening_lead:
            self._check_lead(self.opening_lead)
        leaders = check_play(self.layout, self._contract_for("play"), self.play) if self.play else ()
        if self.tricks is not None:
            self._check_result(self.tricks, leaders)

    def _check_texts(self) -> None:
        for (name, rules), value in zip(TEXTS.items(), texts_of(self), strict=True):
            if value:
                rules.check(name, value)
        for number, call in enumerate(self.auction.calls if self.auction else (), start=1):
            if len(call.explanation) > MAX_EXPLANATION_LENGTH:
                message = f"Call {number}'s explanation is longer than {MAX_EXPLANATION_LENGTH:,} characters."
                raise BridgeError("text_too_long", message, "explanation")

    def _check_auction(self, auction: Auction) -> None:
        if auction.dealer is not self.dealer:
            message = f"{self.dealer.full_name} is the dealer, but the auction begins with {auction.dealer.full_name}."
            raise BridgeError("dealer_contradicts_auction", message)
        bid, contract = auction.contract, self.contract
        if contract is None:
            return
        if bid and bid != contract:
            message = f"The auction ends in {bid}, but the contract is given as {contract}."
            if bid.declarer and bid.text == contract.text and bid.declarer.partner is contract.declarer:
                message += f" {bid.declarer.full_name} was the first of the side to name the denomination (Law 22)."
            raise BridgeError("contract_contradicts_auction", message)
        if not bid and not auction.can_end_in(contract):
            message = f"The auction cannot end in {contract}, which is given as the contract."
            raise BridgeError("contract_contradicts_auction", message)

    def _check_lead(self, lead: str) -> None:
        check_lead(self.layout, self._contract_for("lead"), lead)
        if self.play and self.play[0] != lead:
            message = f"The opening lead is given as {lead}, but the play begins with {self.play[0]}."
            raise BridgeError("lead_contradicts_play", message)

    def _check_result(self, tricks: int, leaders: tuple[Seat, ...]) -> None:
        if not 0 <= tricks <= 13:
            raise BridgeError("impossible_result", f"Declarer cannot win {tricks} tricks: a board has 13.")
        contract = self._contract_for("result")
        won = count_won(contract, leaders)
        lost = len(self.play) // 4 - won
        if not won <= tricks <= 13 - lost:
            message = f"Declarer won {won} and lost {lost} of the tricks played, but the result is given as {tricks}."
            raise BridgeError("result_contradicts_play", message)

    def _contract_for(self, what: str) -> Contract:
        """Return the contract, or raise `lead_…`, `play_…` or `result_without_contract` when none is played."""
        if self.contract is None:
            raise BridgeError(f"{what}_without_contract", f"There is a {what}, but no contract.")
        if self.contract.passed_out:
            raise BridgeError(f"{what}_without_contract", f"There is a {what}, but the board was passed out.")
        return self.contract


TEXTS: dict[str, FileText] = {
    each.name: each.metadata[FileText] for each in fields(BoardRecord) if FileText in each.metadata
}
"""The texts of a board that take one line, in files as in forms, by the names of their fields."""

texts_of = attrgetter(*TEXTS)
"""Return a record's texts in the order of TEXTS."""

OF_TABLE = tuple(name for name, rules in TEXTS.items() if rules.of_table)
"""The texts that tell the tables of a deal apart."""

seating_of = attrgetter(*OF_TABLE)
"""Return the texts of OF_TABLE of a record, or of a row with its columns."""

teams_of = attrgetter("home_team", "visit_team")
"""Return the two teams of a record or of such a row, each "" when it is not known."""


def complete_record(record: BoardRecord) -> BoardRecord:
    """Fill in what is missing and the rest implies: contract, opening lead, and the tricks of a whole play."""
    contract = record.contract or (record.auction.contract if record.auction else None)
    tricks = record.tricks
    if tricks is None and contract and contract.declarer and len(record.play) == 52:
        tricks = tricks_won(contract, record.play)
    lead = record.opening_lead or "".join(record.play[:1])
    if (contract, lead, tricks) == (record.contract, record.opening_lead, record.tricks):
        return record
    return replace(record, contract=contract, opening_lead=lead, tricks=tricks)

"""The repairs of a PBN game, and what is left out of it, by the rules of docs/files.md.

A repair loses nothing, and applies only when exactly one reading fits all that the file says.
"""

from contextlib import suppress
from dataclasses import dataclass, field, replace

from bridge.auction import Auction
from bridge.board import BoardRecord
from bridge.contract import Contract
from bridge.errors import BridgeError, NotationError
from bridge.formats.pbn.games import Context
from bridge.formats.pbn.results import Score, read_score, read_tricks
from bridge.formats.pbn.sections import (
    ALL_TRICKS,
    AuctionSection,
    Columns,
    PlaySection,
    read_auction,
    read_columns,
)
from bridge.formats.pbn.tokens import Tag, Tags, read_board_number, read_contract, read_section, read_value
from bridge.formats.repairs import DRAFT, PARTS, Repairs
from bridge.layout import Layout
from bridge.names import vulnerability_in_words
from bridge.play import NOT_PLAYED
from bridge.seats import Seat, parse_seat
from bridge.vulnerability import Vulnerability, board_dealer, board_vulnerability

TAGS = {
    "auction": ("Auction",),
    "contract": ("Contract", "Declarer"),
    "play": ("Play",),
    "result": ("Result",),
    "dealer": ("Dealer",),
    "vulnerability": ("Vulnerable",),
}
"""The tags of each part that can be left out."""

PART_OF_TAG = {tag: part for part, tags in TAGS.items() for tag in tags}

CERTAIN_TAGS = ("Deal", "Dealer", "Vulnerable", "Contract", "Declarer", "Result")
"""The tags whose second value makes a board doubtful."""

TAG_AT_FAULT = {
    "dealer_contradicts_auction": "Auction",
    **dict.fromkeys(("contract_contradicts_auction", "unknown_declarer"), "Contract"),
    **dict.fromkeys(("illegal_lead", "illegal_play"), "Play"),
    **dict.fromkeys(("impossible_result", "result_contradicts_play", "result_without_contract"), "Result"),
}
"""The tag whose line is reported for a contradiction between tags."""


@dataclass
class GameRepairs(Repairs):
    """The repairs of one game. `context` is what the games before it tell of the file's habits.

    `contract` and `vulnerability` are those that it was last read with. The `tricks` of the play that are read are
    fewer when it was shortened; the `result` is the one that the score tells.
    """

    tags: Tags = field(default_factory=Tags)
    context: Context = field(default_factory=Context)
    contract: Contract | None = None
    vulnerability: Vulnerability = Vulnerability.NONE
    reported: set[str] = field(default_factory=set)
    result: int | None = None
    has_added_passes: bool = False
    turned: tuple[str, ...] = ()
    doubling_of_auction: bool = False
    tricks: int = ALL_TRICKS
    section: AuctionSection | None = None
    columns: Columns | None = None

    def read_layout(self) -> Layout | None:
        return read_value(self.tags, "Deal", Layout.parse_three)

    def read_auction(self) -> AuctionSection:
        """Read the auction once. A repair may have changed its passes."""
        return read_section(self.tags, "Auction", self._read_auction) or AuctionSection()

    def _read_auction(self, tag: Tag) -> AuctionSection:
        self.section = self.section or read_auction(tag)
        return self.section if self.section.auction else AuctionSection()

    def read_play(self, contract: Contract | None) -> PlaySection:
        play = read_section(
            self.tags, "Play", lambda tag: self._read_columns(tag).read(contract, self.turned, self.tricks)
        )
        return play or PlaySection()

    def read_columns(self) -> Columns | None:
        return read_section(self.tags, "Play", self._read_columns)

    def _read_columns(self, tag: Tag) -> Columns:
        """Read the columns of the play once, since no repair changes them."""
        self.columns = self.columns or read_columns(tag)
        return self.columns

    def read_lead(self) -> str:
        """Return the first card of the play, or "" when there is none that can be read."""
        with suppress(BridgeError):
            columns = self.read_columns()
            return columns.lead if columns else ""
        return ""

    def finish(self, board: BoardRecord) -> BoardRecord:
        board = super().finish(board)
        return board if self.result is None else replace(board, tricks=self.result)

    def check_whole(self, board: BoardRecord) -> None:
        super().check_whole(board)
        if self.strict and self.tags.notices:
            raise self.tags.notices[0]
        self.check_score(board)

    def find_line(self, error: BridgeError) -> int:
        tag = None if isinstance(error, NotationError) else self.tags.by_name.get(TAG_AT_FAULT.get(error.code, ""))
        return tag.line if tag else super().find_line(error)

    def check_twice(self) -> None:
        """Raise `tag_twice` for a tag that has two values."""
        for name, again in self.tags.given_twice().items() if self.tags.again else ():
            if name not in self.reported:
                first = self.tags.by_name[name]
                values = f'as "{first.value[:40]}" and "{again.value[:40]}"'
                if first.value == again.value:
                    values = "with different values"
                line = max(again.line, first.line)
                raise NotationError("tag_twice", f"{name} is given twice, {values}.", line, name)

    def check_score(self, board: BoardRecord) -> None:
        """Raise `score_contradicts` for a Score that the board does not have, `result_from_score` for a lost result.

        That is the result where it is the Score of one number of tricks.
        """
        score, contract = self.find_score(), board.contract
        if score is None or contract is None:
            return
        line = self.tags.by_name["Score"].line
        if board.tricks is None and not contract.passed_out:
            if not score.points or (self.columns and self.columns.continued):
                return
            tricks = score.fitting_tricks(contract, board.vulnerability)
            if len(tricks) == 1 and is_sound(replace(board, tricks=tricks[0])):
                self.result = tricks[0]
                message = f"The result is missing. The Score {score.text} means {tricks[0]} tricks."
                raise NotationError("result_from_score", message, line, "Score")
        elif score.fits(contract, board.vulnerability, board.tricks):
            return
        result = "" if board.tricks is None else f" with {board.tricks} tricks"
        vulnerable = vulnerability_in_words(board.vulnerability)
        message = f"The Score is given as {score.text}, which does not match {contract}{result}, {vulnerable}."
        raise NotationError("score_contradicts", message, line, "Score")

    def find_score(self) -> Score | None:
        """Return the Score as a witness, None for one that was reported."""
        return None if "Score" in self.reported else read_score(self.tags)

    def repair_part(self, error: BridgeError, line: int) -> bool:
        part = PART_OF_TAG.get(error.part) or PARTS.get(error.code, "")
        if self.report(error, line):
            return True
        if part == "auction" and (self.leave_out_passes(error) or self.add_passes()):
            return True
        if error.code == "contract_contradicts_auction" and self.settle_contract(error, line):
            return True
        if error.code == "play_without_contract" and self.take_declarer(line):
            return True
        if part == "play":
            return self.mend_play(error, line)
        if part in ("dealer", "vulnerability") and error.part in self.tags.by_name:
            self.take_instead(part, error, line)
            return True
        return self.drop(part, error, line)

    def report(self, error: BridgeError, line: int) -> bool:
        """Say what contradicts and stays, or was filled in. Return whether it is that."""
        if error.code not in ("tag_twice", "score_contradicts", "result_from_score"):
            return False
        self.reported.add(error.part)
        message = error.message + " The first one was used." * (error.code == "tag_twice")
        is_doubtful = error.part in CERTAIN_TAGS or (error.code == "score_contradicts" and self.has_dropped_lead)
        self.is_doubtful |= is_doubtful
        self.warn(error.code, f"{message} {DRAFT}" if is_doubtful else message, line)
        return True

    def leave_out_passes(self, error: BridgeError) -> bool:
        """Leave out the passes after the auction's end. Return False unless it is legal then."""
        if error.code != "illegal_call" or not self.section:
            return False
        section = self.section.without_passes_after_end()
        if not section.is_legal:
            return False
        count = len(self.section.calls) - len(section.calls)
        self.section = section
        self.warn_of_passes(count, self.tags.by_name["Auction"].line)
        return True

    def settle_contract(self, error: BridgeError, line: int) -> bool:
        """Keep the Contract or the auction, whichever fits the Score; else the one that is doubled.

        If nothing decides, drop the auction and mark the board doubtful. Return False for an auction without an end.
        """
        stated, bid = self.contract, self.section.contract if self.section else None
        if not stated or not bid:
            return False
        is_stated, is_bid = self.fits_score(stated), self.fits_score(bid)
        has_more_doubles = is_same_but_for_doubling(bid, stated) and len(bid.doubled) > len(stated.doubled)
        if has_more_doubles and (is_bid or not is_stated):
            self.doubling_of_auction = True
            self.warn("contract_doubled", f"{error.message} The auction was used.", line)
        elif is_bid and not is_stated:
            self.tags.drop(TAGS["contract"])
            self.warn("contract_dropped", f"{error.message} The Score fits the auction, which was used.", line)
        else:
            self.tags.drop(TAGS["auction"])
            is_decided = is_stated and not is_bid
            self.is_doubtful |= not is_decided
            reason = "The Score fits the Contract." if is_decided else DRAFT
            self.warn("auction_dropped", f"{error.message} The auction was left out. {reason}", line)
        return True

    def take_declarer(self, line: int) -> bool:
        """Take the declarer from the Play, where the seat that it names holds the lead. Return False without one."""
        try:
            leader = read_value(self.tags, "Play", parse_seat)
            layout = self.read_layout()
            contract = read_contract(self.tags)
        except BridgeError:
            return False
        lead = self.read_lead()
        is_open = contract is not None and not contract.passed_out and not contract.declarer
        if not (is_open and leader and layout and lead) or layout.holder(lead) is not leader:
            return False
        declarer = leader.partner.next
        self.tags.by_name["Declarer"] = Tag("Declarer", declarer.value, line)
        message = f"The declarer is missing. {declarer.full_name} was taken, since {leader.full_name} led {lead}."
        self.warn("declarer_from_lead", message, line)
        return True

    def fits_score(self, contract: Contract) -> bool:
        """Tell whether the Score is one of the contract, with the game's result if that can be read."""
        score = self.find_score()
        if score is None or (contract.declarer is None and not contract.passed_out):
            return False
        try:
            tricks = read_tricks(self.tags, contract)
        except BridgeError:
            tricks = None
        return score.fits(contract, self.vulnerability, None if contract.passed_out else tricks)

    def drop(self, part: str, error: BridgeError, line: int) -> bool:
        """Leave out the tags of a part. An irregular declarer makes the auction doubtful too."""
        is_present = self.tags.drop(TAGS.get(part, ()))
        if is_present:
            self.warn_of_drop(part, error, line)
        if is_present and error.code == "irregularity" and part == "contract":
            self.drop("auction", error, line)
        return is_present

    def take_instead(self, part: str, error: BridgeError, line: int) -> None:
        """Take from the rest of the record what its own tag does not tell, and say from where."""
        number = read_board_number(self.tags)
        value, source = "None", "nothing, without a board number"
        if part == "dealer":
            value, source = self.find_dealer()
        elif number:
            value, source = board_vulnerability(number), "the board number"
        self.tags.by_name[error.part] = Tag(error.part, value, line)
        self.warn(f"{part}_dropped", f"{error.message} {value} was taken from {source}.", line)

    def find_dealer(self) -> tuple[str, str]:
        """Return the auction's dealer, else the Deal's first hand: they are of the file, the number's is a guess.

        Raise BridgeError for a Deal that does not begin with a seat.
        """
        with suppress(BridgeError):  # An auction that cannot be read is a fault of its own, which is mended afterwards.
            if auction := self.read_auction().auction:
                return auction.dealer, "the auction"
        return parse_seat(self.tags.value("Deal").partition(":")[0]), "the Deal's first hand"

    def add_passes(self) -> bool:
        """Put the passes before the first call that the file has left out, if exactly one number of them fits.

        Without a witness the board is doubtful, unless another game of the file had one.
        """
        if self.context.passes_are_written or self.has_added_passes or self.is_doubtful:
            return False
        passes = self.find_passes()
        if not passes:
            return False
        words = "1 pass was" if passes == 1 else f"{passes} passes were"
        message = f"{words} added before the first call, so that the auction ends in the contract."
        if not self.context.omitted_passes_are_witnessed:
            self.is_doubtful = True
            message += " The board is a draft, since neither lead nor score confirms that."
        self.warn("passes_added", message, self.tags.by_name["Auction"].line)
        return True

    def find_passes(self) -> int:
        """Find the passes that the file leaves out before the first call. Return how many, 0 where it leaves out none.

        Exactly one number from 1 to 3 must make the auction end in the tags' level, denomination and declarer, and
        the opening lead must be in the hand at that declarer's left. The dealer must be the one of the board's
        number: hands or auction that were turned by a seat look as if passes were missing.

        Opening lead and score are witnesses where declarer opened in the denomination: else a call that was lost
        later moves the declarer as well.
        """
        try:
            dealer = read_value(self.tags, "Dealer", parse_seat)
            stated = read_contract(self.tags)
            section = self.read_auction()
            layout = self.read_layout()
        except BridgeError:
            return 0
        auction = section.auction
        number = read_board_number(self.tags)
        is_turned = number is not None and dealer is not board_dealer(number)
        if not dealer or not stated or not layout or not auction or is_turned:
            return 0
        passes, lead = count_omitted_passes(dealer, auction, stated), self.read_lead()
        if not passes or (lead and layout.holder(lead) is not stated.leader):
            return 0
        is_stated = self.fits_score(stated)
        if auction.contract and self.fits_score(auction.contract) and not is_stated:
            return 0
        self.section, self.has_added_passes = section.with_passes(dealer, passes), True
        if is_opened_by_declarer(dealer.clockwise()[passes], auction, stated) and (lead or is_stated):
            self.context.omitted_passes_are_witnessed = True
        return passes

    def mend_play(self, error: BridgeError, line: int) -> bool:
        """Turn the rows of the play, shorten it or leave it out."""
        evidence = self.find_evidence()
        if evidence is None:
            return self.drop("play", error, line)
        columns, layout, contract, is_bid = evidence
        if not self.turned and (turned := columns.turn_rows(layout, contract, is_bid=is_bid)):
            self.turned = turned
            self.warn("play_rows_turned", columns.say_how_turned(contract), self.tags.by_name["Play"].line)
        elif columns.lead and layout.holder(columns.lead) is not contract.leader:
            del self.tags.by_name["Play"]
            self.drop_lead(error, line, cards=len(columns.entries) - columns.entries.count(NOT_PLAYED))
        elif not self.turned and 0 < (tricks := columns.count_sound_tricks(layout, contract)) < self.tricks:
            self.tricks = tricks
            self.warn_of_shortened_play(tricks, error, line)
        else:
            return self.drop("play", error, line)
        return True

    def find_evidence(self) -> tuple[Columns, Layout, Contract, bool] | None:
        """Return the play, the hands and the contract, and whether that was bid; None if one of them cannot be read."""
        try:
            layout = self.read_layout()
            bid = self.read_auction().contract
            columns = self.read_columns()
            stated = read_contract(self.tags)
            is_readable = columns and columns.cards
        except BridgeError:
            return None
        contract = stated if stated and stated.declarer else bid
        if not layout or not columns or not is_readable or not contract or not contract.leader:
            return None
        return columns, layout, contract, is_same_but_for_doubling(stated, bid)


def count_omitted_passes(dealer: Seat, auction: Auction, stated: Contract) -> int:
    """Return how many passes before its first call make an auction end in what is stated; 0 if that is a pass."""
    bid = auction.contract
    if not bid or not bid.declarer or not stated.declarer or auction.calls[0].call == "Pass":
        return 0
    if (stated.level, stated.denomination) != (bid.level, bid.denomination):
        return 0
    begin = auction.dealer.clockwise().index(bid.declarer)
    return (dealer.clockwise().index(stated.declarer) - begin) % 4


def is_opened_by_declarer(opener: Seat, auction: Auction, stated: Contract) -> bool:
    """Tell whether the stated declarer opens in the denomination, but is not the declarer of the calls as written."""
    bid = auction.contract
    is_declarer = bid is not None and opener is stated.declarer is not bid.declarer
    return is_declarer and auction.calls[0].call[1:] == stated.denomination


def is_same_but_for_doubling(one: Contract | None, other: Contract | None) -> bool:
    """Tell whether both contracts are there, and are of the same level, denomination and declarer."""
    if not one or not other:
        return False
    return (one.level, one.denomination, one.declarer) == (other.level, other.denomination, other.declarer)


def is_sound(board: BoardRecord) -> bool:
    try:
        board.check()
    except BridgeError:
        return False
    return True

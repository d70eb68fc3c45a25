"""The repairs of a PBN game, and what is left out of it, by the rules of docs/files.md.

A repair loses nothing, and applies only when exactly one reading fits all that the file says.
"""

from dataclasses import dataclass

from deals.bridge.contract import Contract
from deals.bridge.errors import BridgeError
from deals.bridge.formats.pbn.sections import (
    ALL_TRICKS,
    AuctionSection,
    Calls,
    Columns,
    PlaySection,
    read_calls,
    read_columns,
)
from deals.bridge.formats.pbn.tokens import Tag, Tags
from deals.bridge.formats.pbn.values import read_board_number, read_contract, read_section, read_value
from deals.bridge.formats.repairs import PARTS, Repairs, kept_up_to
from deals.bridge.layout import Layout
from deals.bridge.play import check_play, from_columns, from_turned_rows
from deals.bridge.seats import Seat, parse_seat
from deals.bridge.vulnerability import board_dealer, board_vulnerability

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


@dataclass(slots=True)
class GameRepairs(Repairs):
    """The repairs of one game. `passes_are_written` is that of the file, up to this game."""

    passes_are_written: bool = False
    dealer: Seat | None = None
    passes: int = 0
    turned: tuple[str, ...] = ()
    doubling_of_auction: bool = False
    tricks: int = ALL_TRICKS
    calls: Calls | None = None
    auction: AuctionSection | None = None
    columns: Columns | None = None

    def read_auction(self, tag: Tag) -> AuctionSection:
        """Read the auction once, and again when passes were added."""
        if tag.value.strip() in ("", "?"):
            return AuctionSection(None)
        self.calls = self.calls or read_calls(tag)
        self.auction = self.auction or self.calls.read(self.dealer, self.passes)
        return self.auction

    def read_play(self, tag: Tag, contract: Contract | None) -> PlaySection:
        return self.read_columns(tag).read(contract, self.turned, self.tricks)

    def read_columns(self, tag: Tag) -> Columns:
        """Read the columns of the play once, since no repair changes them."""
        self.columns = self.columns or read_columns(tag)
        return self.columns

    def apply(self, error: BridgeError, tags: Tags, line: int) -> bool:
        """Repair or leave out what the error is about. Return False where the record cannot be kept."""
        part = PART_OF_TAG.get(error.part) or PARTS.get(error.code, "")
        if self.drop_text(error, line):
            return True
        if part == "auction" and (self.add_passes(tags) or self.take_doubling(error, tags, line)):
            return True
        if part == "play":
            return self.mend_play(error, tags, line)
        if part in ("dealer", "vulnerability") and error.part in tags.by_name:
            self.take_instead(part, error, tags, line)
            return True
        return self.drop(part, error, tags, line)

    def drop(self, part: str, error: BridgeError, tags: Tags, line: int) -> bool:
        """Leave out the tags of a part. An irregular declarer makes the auction doubtful too."""
        names = TAGS.get(part, ())
        present = [name for name in names if tags.by_name.pop(name, None)]
        if present:
            self.warn_of_drop(part, error, line)
        if present and error.code == "irregularity" and part == "contract":
            self.drop("auction", error, tags, line)
        return bool(present)

    def take_instead(self, part: str, error: BridgeError, tags: Tags, line: int) -> None:
        """Take from the rest of the record what its own tag does not tell, and say from where."""
        value, source = self.find_dealer(tags) if part == "dealer" else find_vulnerability(tags)
        tags.by_name[error.part] = Tag(error.part, value, line)
        self.warn(f"{part}_dropped", f"{error.message} {value} was taken from {source}.", line)

    def find_dealer(self, tags: Tags) -> tuple[str, str]:
        """Return the auction's dealer, else the Deal's first hand: they are of the file, the number's is a guess."""
        section = read_section(tags, "Auction", self.read_auction)
        if section and section.auction:
            return section.auction.dealer, "the auction"
        return parse_seat(tags.value("Deal").partition(":")[0]), "the Deal's first hand"

    def add_passes(self, tags: Tags) -> bool:
        """Put the passes before the first call that the file has left out, if exactly one number of them fits."""
        if self.passes_are_written or self.passes or self.is_doubtful:
            return False
        dealer, passes = self.find_passes(tags)
        if not dealer:
            return False
        self.dealer, self.passes, self.auction = dealer, passes, None
        line = tags.by_name["Auction"].line
        words = "1 pass was" if passes == 1 else f"{passes} passes were"
        self.warn(
            "passes_added", f"{words} added before the first call, so that the auction ends in the contract.", line
        )
        return True

    def find_passes(self, tags: Tags) -> tuple[Seat | None, int]:
        """Return the dealer and how many passes the file leaves out before the first call, or (None, 0).

        Exactly one number from 1 to 3 must make the auction end in the tags' level, denomination and declarer, and
        the opening lead must be in the hand at that declarer's left. The dealer must be the one of the board's
        number: hands or auction that were turned by a seat look as if passes were missing.
        """
        try:
            dealer = read_value(tags, "Dealer", parse_seat)
            stated = read_contract(tags)
            section = read_section(tags, "Auction", self.read_auction)
            layout = read_value(tags, "Deal", Layout.parse_three)
        except BridgeError:
            return None, 0
        number = read_board_number(tags)
        if number and dealer is not board_dealer(number):
            return None, 0
        auction = section.auction if section else None
        bid = auction.contract if auction else None
        if not dealer or not stated or not stated.declarer or not layout or not auction or not bid or not bid.declarer:
            return None, 0
        passes = (_place(stated.declarer, dealer) - _place(bid.declarer, auction.dealer)) % 4
        is_fitting = passes and (stated.level, stated.denomination) == (bid.level, bid.denomination)
        lead = self.find_lead(tags)
        if not is_fitting or auction.calls[0].call == "Pass" or (lead and layout.holder(lead) is not stated.leader):
            return None, 0
        return dealer, passes

    def take_doubling(self, error: BridgeError, tags: Tags, line: int) -> bool:
        """Take X or XX from the auction where the Contract leaves it out."""
        if error.code != "contract_contradicts_auction" or self.doubling_of_auction:
            return False
        stated, bid = read_contract(tags), self.read_auction(tags.by_name["Auction"]).auction
        contract = bid.contract if bid else None
        if not stated or not contract or not is_same_but_for_doubling(stated, contract):
            return False
        if len(contract.doubled) <= len(stated.doubled):
            return False
        self.doubling_of_auction = True
        self.warn("contract_doubled", f"{error.message} The auction counts.", line)
        return True

    def mend_play(self, error: BridgeError, tags: Tags, line: int) -> bool:
        """Turn the rows of the play, shorten it or leave it out."""
        evidence = self.find_evidence(tags)
        if evidence and evidence.has_wrong_lead:
            del tags.by_name["Play"]
            self.doubt(error, line)
        elif evidence and not self.turned and (turned := evidence.turn_rows()):
            self.turned = turned
            message = "The rows of the play begin with different seats. Each card was given to the hand that holds it."
            self.warn("play_rows_turned", message, tags.by_name["Play"].line)
        elif evidence and not self.turned and self.shorten_play(evidence):
            self.warn("play_shortened", f"{error.message} {kept_up_to(self.tricks)}", line)
        else:
            return self.drop("play", error, tags, line)
        return True

    def shorten_play(self, evidence: "PlayEvidence") -> bool:
        """Keep the sound tricks. Return False unless they are fewer than before, so that reading comes to an end."""
        tricks = evidence.count_sound_tricks()
        is_shorter = 0 < tricks < self.tricks
        if is_shorter:
            self.tricks = tricks
        return is_shorter

    def find_evidence(self, tags: Tags) -> "PlayEvidence | None":
        """Return the play and what it is held against, or None when a part of that cannot be read."""
        try:
            layout = read_value(tags, "Deal", Layout.parse_three)
            section = read_section(tags, "Auction", self.read_auction)
            columns = read_section(tags, "Play", self.read_columns)
            lead = columns.lead if columns else ""
            stated = read_contract(tags)
        except BridgeError:
            return None
        bid = section.auction.contract if section and section.auction else None
        contract = stated if stated and stated.declarer else bid
        if not layout or not columns or not columns.entries or not contract or not contract.leader:
            return None
        return PlayEvidence(layout, contract, columns, lead)

    def find_lead(self, tags: Tags) -> str:
        """Return the first card of the play, or "" when there is none that can be read."""
        try:
            columns = read_section(tags, "Play", self.read_columns)
            return columns.lead if columns else ""
        except BridgeError:
            return ""


@dataclass(frozen=True, slots=True)
class PlayEvidence:
    """The columns of a play, and the hands and the contract that they are held against."""

    layout: Layout
    contract: Contract
    columns: Columns
    lead: str

    @property
    def has_wrong_lead(self) -> bool:
        """Tell whether the first card lies in another hand than the opening leader's."""
        return bool(self.lead) and self.layout.holder(self.lead) is not self.contract.leader

    def turn_rows(self) -> tuple[str, ...]:
        """Return the play with each card played by the hand that holds it; () unless the whole of it is legal."""
        try:
            cards = from_turned_rows(self.layout, self.contract, self.columns.cards)
            check_play(self.layout, self.contract, cards)
            return cards if parse_seat(self.columns.first) is self.contract.leader else ()
        except BridgeError:
            return ()

    def count_sound_tricks(self) -> int:
        """Return how many whole tricks there are before the fault."""
        columns = self.columns.cards
        for tricks in range(min(13, len(columns) // 4), 0, -1):
            try:
                cards = from_columns(self.contract, parse_seat(self.columns.first), columns[: 4 * tricks])
                check_play(self.layout, self.contract, cards)
            except BridgeError:
                continue
            if len(cards) == 4 * tricks:
                return tricks
        return 0


def find_vulnerability(tags: Tags) -> tuple[str, str]:
    number = read_board_number(tags)
    return (board_vulnerability(number), "the board number") if number else ("None", "nothing, without a board number")


def _place(declarer: Seat, first: Seat) -> int:
    """Return how many calls before declarer's first there are when `first` begins. Each pass left out is one less."""
    return first.clockwise().index(declarer)


def is_same_but_for_doubling(one: Contract, other: Contract) -> bool:
    return (one.level, one.denomination, one.declarer) == (other.level, other.denomination, other.declarer)

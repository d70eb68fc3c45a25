"""The repairs of a PBN game, and what is left out of it, by the rules of docs/files.md.

A repair loses nothing, and applies only when exactly one reading fits all that the file says.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from deals.bridge.auction import Auction, Call
from deals.bridge.contract import Contract
from deals.bridge.errors import BridgeError
from deals.bridge.layout import Layout
from deals.bridge.pbn.sections import AuctionSection, PlaySection, read_auction, read_columns, read_play
from deals.bridge.pbn.tokens import Tag, Tags
from deals.bridge.pbn.values import read_contract, read_section, read_value
from deals.bridge.play import NOT_PLAYED, check_play, from_columns, from_turned_rows
from deals.bridge.remedies import PARTS, Remedies, kept_up_to
from deals.bridge.seats import Seat, parse_seat

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
class GameRemedies(Remedies):
    """What was done to one game. `passes_are_written` is that of the file, up to this game."""

    passes_are_written: bool = False
    dealer: Seat | None = None
    passes: int = 0
    rows_are_turned: bool = False
    doubling_of_auction: bool = False
    tricks: int = 13

    def read_auction(self, tag: Tag) -> AuctionSection:
        return read_auction(tag, self.dealer, self.passes)

    def read_play(self, tag: Tag, layout: Layout, contract: Contract | None) -> PlaySection:
        def turn(contract: Contract, first: Seat, columns: Sequence[str]) -> tuple[str, ...]:
            return from_turned_rows(layout, contract, columns) or ()

        return read_play(tag, contract, turn if self.rows_are_turned else from_columns, self.tricks)

    def apply(self, error: BridgeError, tags: Tags, line: int) -> bool:
        """Repair or leave out what the error is about. Return False where the record cannot be kept."""
        part = PART_OF_TAG.get(error.part) or PARTS.get(error.code, "")
        if self.drop_text(error, line):
            return True
        if part == "auction" and (self.add_passes(tags) or self.take_doubling(error, tags, line)):
            return True
        if part == "play":
            return self.mend_play(error, tags, line)
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

    def add_passes(self, tags: Tags) -> bool:
        """Put the passes before the first call that the file has left out, if exactly one number of them fits."""
        if self.passes_are_written or self.passes or self.is_doubtful:
            return False
        dealer, passes = find_passes(tags)
        if not dealer:
            return False
        self.dealer, self.passes = dealer, passes
        line = tags.by_name["Auction"].line
        words = "1 pass was" if passes == 1 else f"{passes} passes were"
        self.warn(
            "passes_added",
            f"{words} added before the first call, so that the auction ends in the contract.",
            line,
        )
        return True

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
        elif evidence and not self.rows_are_turned and evidence.has_turned_rows:
            self.rows_are_turned = True
            message = "The rows of the play begin with different seats. Each card was given to the hand that holds it."
            self.warn("play_rows_turned", message, evidence.tag.line)
        elif evidence and not self.rows_are_turned and (tricks := evidence.count_sound_tricks()):
            self.tricks = tricks
            self.warn("play_shortened", f"{error.message} {kept_up_to(tricks)}", line)
        else:
            return self.drop("play", error, tags, line)
        return True

    def find_evidence(self, tags: Tags) -> "PlayEvidence | None":
        """Return the play and what it is held against, or None when a part of that cannot be read."""
        try:
            layout = read_value(tags, "Deal", Layout.parse_three)
            section = read_section(tags, "Auction", self.read_auction)
            columns = read_section(tags, "Play", read_columns)
            stated = read_contract(tags)
        except BridgeError:
            return None
        bid = section.auction.contract if section and section.auction else None
        contract = stated if stated and stated.declarer else bid
        if not layout or not columns or not contract or not contract.leader:
            return None
        return PlayEvidence(tags.by_name["Play"], layout, contract, contract.leader, columns)


@dataclass(frozen=True, slots=True)
class PlayEvidence:
    """The columns of a play, and the hands and the contract that they are held against."""

    tag: Tag
    layout: Layout
    contract: Contract
    leader: Seat
    columns: Sequence[str]

    @property
    def has_wrong_lead(self) -> bool:
        """Tell whether the first card lies in another hand than the opening leader's."""
        lead = self.columns[0]
        return lead != NOT_PLAYED and self.layout.holder(lead) is not self.leader

    @property
    def has_turned_rows(self) -> bool:
        """Tell whether the whole play is legal when each card is read as played by the hand that holds it."""
        try:
            cards = from_turned_rows(self.layout, self.contract, self.columns)
            if not cards or parse_seat(self.tag.value) is not self.leader:
                return False
            check_play(self.layout, self.contract, cards)
        except BridgeError:
            return False
        return True

    def count_sound_tricks(self) -> int:
        """Return how many whole tricks there are before the fault."""
        for tricks in range(min(13, len(self.columns) // 4), 0, -1):
            try:
                cards = from_columns(self.contract, parse_seat(self.tag.value), self.columns[: 4 * tricks])
                check_play(self.layout, self.contract, cards)
            except BridgeError:
                continue
            if len(cards) == 4 * tricks:
                return tricks
        return 0


def find_passes(tags: Tags) -> tuple[Seat | None, int]:
    """Return the dealer and how many passes the file leaves out before the first call, or (None, 0).

    Exactly one number from 1 to 3 must make the auction end in the tags' level, denomination and declarer, and the
    opening lead must be in the hand at that declarer's left.
    """
    try:
        dealer = read_value(tags, "Dealer", parse_seat)
        stated = read_contract(tags)
        section = read_section(tags, "Auction", read_auction)
        layout = read_value(tags, "Deal", Layout.parse_three)
    except BridgeError:
        return None, 0
    calls = section.auction.calls if section and section.auction else ()
    if not dealer or not stated or not stated.leader or not layout or not calls or calls[0].call == "Pass":
        return None, 0
    fitting = [passes for passes in (1, 2, 3) if ends_in(stated, dealer, passes, calls)]
    lead = find_lead(tags)
    if len(fitting) != 1 or (lead and layout.holder(lead) is not stated.leader):
        return None, 0
    return dealer, fitting[0]


def ends_in(stated: Contract, dealer: Seat, passes: int, calls: Sequence[Call]) -> bool:
    try:
        contract = Auction(dealer, (Call("Pass"),) * passes + tuple(calls)).contract
    except BridgeError:
        return False
    return contract is not None and is_same_but_for_doubling(stated, contract)


def is_same_but_for_doubling(one: Contract, other: Contract) -> bool:
    return (one.level, one.denomination, one.declarer) == (other.level, other.denomination, other.declarer)


def find_lead(tags: Tags) -> str:
    """Return the first card of the play, or "" when there is none that can be read."""
    try:
        columns = read_section(tags, "Play", read_columns)
    except BridgeError:
        return ""
    return columns[0] if columns and columns[0] != NOT_PLAYED else ""

"""The repairs of a PBN game, and what is left out of it, by the rules of docs/files.md.

A repair loses nothing, and applies only when exactly one reading fits all that the file says.
"""

from contextlib import suppress
from dataclasses import dataclass, field, replace

from bridge.board import BoardRecord
from bridge.contract import Contract
from bridge.errors import BridgeError, NotationError
from bridge.formats.pbn.evidence import AuctionEvidence, OmittedPasses, PlayEvidence, is_turned
from bridge.formats.pbn.games import Context
from bridge.formats.pbn.results import Score, read_score, read_tricks
from bridge.formats.pbn.sections import (
    ALL_TRICKS,
    AuctionSection,
    Calls,
    Columns,
    PlaySection,
    read_calls,
    read_columns,
)
from bridge.formats.pbn.tokens import Tag, Tags, read_board_number, read_contract, read_section, read_value
from bridge.formats.repairs import DRAFT, LEFT_OUT, PARTS, Repairs, kept_up_to
from bridge.layout import Layout
from bridge.names import vulnerability_in_words
from bridge.seats import Seat, parse_seat
from bridge.vulnerability import Vulnerability, board_vulnerability

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


@dataclass(slots=True)
class GameRepairs(Repairs):
    """The repairs of one game. `context` is what the games before it tell of the file's habits.

    `contract` and `vulnerability` are those that it was last read with. The `tricks` of the play that are read are
    fewer when it was shortened; the `result` is the one that the score tells.
    """

    context: Context = field(default_factory=Context)
    contract: Contract | None = None
    vulnerability: Vulnerability = Vulnerability.NONE
    reported: set[str] = field(default_factory=set)
    result: int | None = None
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

    def finish(self, board: BoardRecord) -> BoardRecord:
        board = Repairs.finish(self, board)  # slots leave no super()
        return board if self.result is None else replace(board, tricks=self.result)

    def check_twice(self, tags: Tags) -> None:
        """Raise `tag_twice` for a tag that has two values."""
        for name, again in tags.given_twice().items() if tags.again else ():
            if name not in self.reported:
                first = tags.by_name[name]
                values = f'as "{first.value[:40]}" and "{again.value[:40]}"'
                if first.value == again.value:
                    values = "and not the same"
                line = max(again.line, first.line)
                raise NotationError("tag_twice", f"{name} is given twice, {values}.", line, name)

    def check_score(self, board: BoardRecord, tags: Tags) -> None:
        """Raise `score_contradicts` for a Score that the board does not have, `result_from_score` for a lost result."""
        score, contract = self.find_score(tags), board.contract
        if score is None or contract is None:
            return
        line = tags.by_name["Score"].line
        if board.tricks is None and not contract.passed_out:
            if not score.points or (self.columns and self.columns.continued):
                return
            self.take_result(score, contract, board, line)
        elif score.fits(contract, board.vulnerability, board.tricks):
            return
        result = "" if board.tricks is None else f" with {board.tricks} tricks"
        vulnerable = vulnerability_in_words(board.vulnerability)
        message = f"The Score is given as {score.text}, which is not that of {contract}{result}, {vulnerable}."
        raise NotationError("score_contradicts", message, line, "Score")

    def find_score(self, tags: Tags) -> Score | None:
        """Return the Score as a witness, None for one that was reported."""
        return None if "Score" in self.reported else read_score(tags)

    def take_result(self, score: Score, contract: Contract, board: BoardRecord, line: int) -> None:
        """Raise `result_from_score` where the Score is that of one number of tricks, which is the result then."""
        tricks = score.fitting_tricks(contract, board.vulnerability)
        if len(tricks) == 1 and is_sound(replace(board, tricks=tricks[0])):
            self.result = tricks[0]
            message = f"The result is missing. The Score {score.text} is that of {tricks[0]} tricks."
            raise NotationError("result_from_score", message, line, "Score")

    def apply(self, error: BridgeError, tags: Tags, line: int) -> bool:
        """Repair or leave out what the error is about. Return False where the record cannot be kept."""
        part = PART_OF_TAG.get(error.part) or PARTS.get(error.code, "")
        if self.drop_text(error, line) or self.report(error, line) or self.mend_contract(part, error, tags, line):
            return True
        if part == "play":
            return self.mend_play(error, tags, line)
        if part in ("dealer", "vulnerability") and error.part in tags.by_name:
            self.take_instead(part, error, tags, line)
            return True
        return self.drop(part, error, tags, line)

    def mend_contract(self, part: str, error: BridgeError, tags: Tags, line: int) -> bool:
        """Mend the auction, settle its quarrel with the Contract, or complete that. Return False where it cannot be."""
        if part == "auction" and (self.leave_out_passes(error, tags) or self.add_passes(tags)):
            return True
        if error.code == "contract_contradicts_auction":
            return self.settle_contract(error, tags, line)
        return error.code == "play_without_contract" and self.take_declarer(tags, line)

    def report(self, error: BridgeError, line: int) -> bool:
        """Say what contradicts and stays, or was filled in. Return whether it is that."""
        if error.code not in ("tag_twice", "score_contradicts", "result_from_score"):
            return False
        self.reported.add(error.part)
        message = error.message
        if error.code == "tag_twice":
            message += " The first was taken."
        is_doubtful = error.part in CERTAIN_TAGS or (error.code == "score_contradicts" and self.has_dropped_lead)
        self.is_doubtful |= is_doubtful
        self.warn(error.code, f"{message} {DRAFT}" if is_doubtful else message, line)
        return True

    def leave_out_passes(self, error: BridgeError, tags: Tags) -> bool:
        """Leave out the passes behind the auction's end. Return False unless it is legal then."""
        if error.code != "illegal_call" or not self.calls:
            return False
        calls = self.calls.without_passes_after_end()
        count = len(self.calls.calls) - len(calls.calls)
        try:
            auction = calls.read(self.dealer, self.passes)
        except BridgeError:
            return False
        self.calls, self.auction = calls, auction
        self.warn_of_passes(count, tags.by_name["Auction"].line)
        return True

    def settle_contract(self, error: BridgeError, tags: Tags, line: int) -> bool:
        """Let the Contract or the auction count, whichever the Score fits; else the one that is doubled.

        Where nothing decides, the auction goes, and the board is doubtful. Return False for an auction without an end.
        """
        stated, bid = self.contract, self.auction.contract if self.auction else None
        if not stated or not bid:
            return False
        is_stated, is_bid = self.fits_score(stated, tags), self.fits_score(bid, tags)
        if has_more_doubles(bid, stated) and (is_bid or not is_stated):
            self.doubling_of_auction = True
            self.warn("contract_doubled", f"{error.message} The auction counts.", line)
        elif is_bid and not is_stated:
            tags.drop(TAGS["contract"])
            self.warn("contract_dropped", f"{error.message} The Score fits the auction, which counts.", line)
        else:
            tags.drop(TAGS["auction"])
            self.warn_of_dropped_auction(error, line, is_decided=is_stated and not is_bid)
        return True

    def warn_of_dropped_auction(self, error: BridgeError, line: int, *, is_decided: bool) -> None:
        """Say that the Contract counts. The board is doubtful unless the Score has decided that."""
        self.is_doubtful |= not is_decided
        reason = "The Score fits the Contract." if is_decided else DRAFT
        self.warn("auction_dropped", f"{error.message} {LEFT_OUT['auction']} {reason}", line)

    def take_declarer(self, tags: Tags, line: int) -> bool:
        """Take the declarer from the Play, where the seat that it names holds the lead. Return False without one."""
        try:
            leader = read_value(tags, "Play", parse_seat)
            layout = read_value(tags, "Deal", Layout.parse_three)
            contract = read_contract(tags)
        except BridgeError:
            return False
        lead = self.find_lead(tags)
        is_open = contract is not None and not contract.passed_out and not contract.declarer
        if not (is_open and leader and layout and lead) or layout.holder(lead) is not leader:
            return False
        declarer = leader.partner.next
        tags.by_name["Declarer"] = Tag("Declarer", declarer.value, line)
        message = f"The declarer is missing. {declarer.full_name} was taken, since {leader.full_name} led {lead}."
        self.warn("declarer_from_lead", message, line)
        return True

    def fits_score(self, contract: Contract, tags: Tags) -> bool:
        """Tell whether the Score is one of the contract, with the game's result if that can be read."""
        score = self.find_score(tags)
        if score is None or (contract.declarer is None and not contract.passed_out):
            return False
        try:
            tricks = read_tricks(tags, contract)
        except BridgeError:
            tricks = None
        return score.fits(contract, self.vulnerability, None if contract.passed_out else tricks)

    def drop(self, part: str, error: BridgeError, tags: Tags, line: int) -> bool:
        """Leave out the tags of a part. An irregular declarer makes the auction doubtful too."""
        is_present = tags.drop(TAGS.get(part, ()))
        if is_present:
            self.warn_of_drop(part, error, line)
        if is_present and error.code == "irregularity" and part == "contract":
            self.drop("auction", error, tags, line)
        return is_present

    def take_instead(self, part: str, error: BridgeError, tags: Tags, line: int) -> None:
        """Take from the rest of the record what its own tag does not tell, and say from where."""
        value, source = self.find_dealer(tags) if part == "dealer" else find_vulnerability(tags)
        tags.by_name[error.part] = Tag(error.part, value, line)
        self.warn(f"{part}_dropped", f"{error.message} {value} was taken from {source}.", line)

    def find_dealer(self, tags: Tags) -> tuple[str, str]:
        """Return the auction's dealer, else the Deal's first hand: they are of the file, the number's is a guess.

        An auction that cannot be read is no witness here. It is a fault of its own, which is mended afterwards.
        """
        with suppress(BridgeError):
            section = read_section(tags, "Auction", self.read_auction)
            if section and section.auction:
                return section.auction.dealer, "the auction"
        return parse_seat(tags.value("Deal").partition(":")[0]), "the Deal's first hand"

    def add_passes(self, tags: Tags) -> bool:
        """Put the passes before the first call that the file has left out, if exactly one number of them fits."""
        if self.context.passes_are_written or self.passes or self.is_doubtful:
            return False
        found = self.find_passes(tags)
        if not found:
            return False
        self.dealer, self.passes, self.auction = found.dealer, found.passes, None
        words = "1 pass was" if found.passes == 1 else f"{found.passes} passes were"
        message = f"{words} added before the first call, so that the auction ends in the contract."
        self.context.omitted_passes_are_witnessed |= found.is_witnessed
        if not self.context.omitted_passes_are_witnessed:
            self.is_doubtful = True
            message += " The board is a draft, since neither lead nor score confirms that."
        self.warn("passes_added", message, tags.by_name["Auction"].line)
        return True

    def find_passes(self, tags: Tags) -> OmittedPasses | None:
        """Return the passes that the file leaves out before the first call, or None where it leaves out none.

        Opening lead and score are witnesses where declarer opened in the denomination: else a call that was lost
        later moves the declarer as well.

        Exactly one number from 1 to 3 must make the auction end in the tags' level, denomination and declarer, and
        the opening lead must be in the hand at that declarer's left. The dealer must be the one of the board's
        number: hands or auction that were turned by a seat look as if passes were missing.
        """
        evidence = self.find_auction_evidence(tags)
        if not evidence or is_turned(evidence.dealer, read_board_number(tags)):
            return None
        passes, lead = evidence.count_omitted_passes(), self.find_lead(tags)
        if not passes or (lead and evidence.layout.holder(lead) is not evidence.stated.leader):
            return None
        is_stated, is_bid = self.fits_score(evidence.stated, tags), self.fits_score(evidence.bid, tags)
        if is_bid and not is_stated:
            return None
        is_witnessed = evidence.is_opened_by_declarer(passes) and (bool(lead) or is_stated)
        return OmittedPasses(evidence.dealer, passes, is_witnessed)

    def find_auction_evidence(self, tags: Tags) -> AuctionEvidence | None:
        """Return the auction and what it is held against, or None when a part of that is missing or cannot be read."""
        try:
            dealer = read_value(tags, "Dealer", parse_seat)
            stated = read_contract(tags)
            section = read_section(tags, "Auction", self.read_auction)
            layout = read_value(tags, "Deal", Layout.parse_three)
        except BridgeError:
            return None
        auction = section.auction if section else None
        bid = auction.contract if auction else None
        if not dealer or not stated or not layout or not auction or not bid:
            return None
        return AuctionEvidence(layout, dealer, auction, bid, stated)

    def mend_play(self, error: BridgeError, tags: Tags, line: int) -> bool:
        """Turn the rows of the play, shorten it or leave it out."""
        evidence = self.find_evidence(tags)
        if evidence and not self.turned and (turned := evidence.turn_rows()):
            self.turned = turned
            self.warn("play_rows_turned", evidence.how_turned, tags.by_name["Play"].line)
        elif evidence and evidence.has_wrong_lead:
            del tags.by_name["Play"]
            self.drop_lead(error, line, cards=evidence.count_cards())
        elif evidence and not self.turned and self.shorten_play(evidence):
            self.warn("play_shortened", f"{error.message} {kept_up_to(self.tricks)}", line)
        else:
            return self.drop("play", error, tags, line)
        return True

    def shorten_play(self, evidence: PlayEvidence) -> bool:
        """Keep the sound tricks. Return False unless they are fewer than before, so that reading comes to an end."""
        tricks = evidence.count_sound_tricks()
        is_shorter = 0 < tricks < self.tricks
        if is_shorter:
            self.tricks = tricks
        return is_shorter

    def find_evidence(self, tags: Tags) -> PlayEvidence | None:
        """Return the play and what it is held against, or None when a part of that cannot be read."""
        try:
            layout = read_value(tags, "Deal", Layout.parse_three)
            section = read_section(tags, "Auction", self.read_auction)
            columns = read_section(tags, "Play", self.read_columns)
            lead = self.read_lead(tags)
            stated = read_contract(tags)
        except BridgeError:
            return None
        bid = section.contract if section else None
        contract = stated if stated and stated.declarer else bid
        if not layout or not columns or not columns.entries or not contract or not contract.leader:
            return None
        return PlayEvidence(layout, contract, columns, lead, is_same_but_for_doubling(stated, bid))

    def read_lead(self, tags: Tags) -> str:
        """Return the first card of the play, "" without one. Raise BridgeError for a play that cannot be read."""
        columns = read_section(tags, "Play", self.read_columns)
        return columns.lead if columns else ""

    def find_lead(self, tags: Tags) -> str:
        """Return the first card of the play, or "" when there is none that can be read."""
        try:
            return self.read_lead(tags)
        except BridgeError:
            return ""


def find_vulnerability(tags: Tags) -> tuple[str, str]:
    number = read_board_number(tags)
    return (board_vulnerability(number), "the board number") if number else ("None", "nothing, without a board number")


def is_same_but_for_doubling(one: Contract | None, other: Contract | None) -> bool:
    """Tell whether both contracts are there, and are of the same level, denomination and declarer."""
    if not one or not other:
        return False
    return (one.level, one.denomination, one.declarer) == (other.level, other.denomination, other.declarer)


def has_more_doubles(bid: Contract, stated: Contract) -> bool:
    """Tell whether the contract in which the auction ends is the stated one but doubled, or redoubled."""
    return is_same_but_for_doubling(bid, stated) and len(bid.doubled) > len(stated.doubled)


def is_sound(board: BoardRecord) -> bool:
    try:
        board.check()
    except BridgeError:
        return False
    return True

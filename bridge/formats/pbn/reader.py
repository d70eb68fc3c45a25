"""Reading PBN 2.1 leniently: any bytes become records and errors. docs/files.md says where real files stray from it."""

from collections.abc import Iterator
from dataclasses import replace
from functools import partial

from bridge.auction import Auction
from bridge.board import ROOMS, TEXTS, BoardRecord, complete_record
from bridge.contract import Contract
from bridge.errors import BridgeError, NotationError
from bridge.formats.foreign_files import Statistics
from bridge.formats.guard import read_each
from bridge.formats.outcomes import Check, Outcome, SkippedRecord, TableWithoutDeal
from bridge.formats.pbn.comments import read_comments
from bridge.formats.pbn.games import Context, read_games, refuse_inheritance, take_deal
from bridge.formats.pbn.repairs import GameRepairs
from bridge.formats.pbn.results import NOT_PLAYED, Session, read_tricks, tables_of
from bridge.formats.pbn.sections import AuctionSection
from bridge.formats.pbn.tokens import (
    TOTAL_SCORE_TABLE,
    Tags,
    read_board_number,
    read_contract,
    read_declarer,
    read_pair_number,
    read_points,
    read_tags,
    read_value,
)
from bridge.formats.pbn.totals import read_totals
from bridge.formats.raw_records import Blocks, RawRecord
from bridge.seats import Seat, parse_seat
from bridge.texts import to_one_line
from bridge.vulnerability import Vulnerability, board_dealer, board_vulnerability, parse_vulnerability

PLAYERS = {"pair_ns": ("North", "South"), "pair_ew": ("East", "West")}
"""The tags of the players whose pairs the records keep."""

SKILLS = ("Category", "SkillPath")
"""The tags of what a board teaches, the widest first."""

_OF_BOARD = ("Board", "Deal", "Contract", "Auction", "AdjustedScore")
"""A game that is more than a ranking has at least one of these tags."""

MAX_BOARD_NAME = 20
"""Characters of a Board tag that a remark repeats."""

NO_HANDS = (
    "The file has no hands for this board. Send the file with the deals first, with the same event and date, or both"
    " files together."
)


def read_pbn(blocks: Blocks, check: Check = BoardRecord.check, strict: bool = False) -> Iterator[Outcome]:
    """Yield the outcomes of the file's records in order; a bad one does not affect its neighbours.

    What contradicts itself in a record is repaired or left out, with a warning. When `strict` the record is refused.
    The reader raises only what its blocks raise. Its memory is bounded by one of them and one game of MAX_RECORD_SIZE
    bytes. Comments on their own, and headers of nothing but "##" tags (§4.8), are not records. A ranking comes before
    the boards of its game.
    """
    return read_each(read_games(blocks), GameReader(check, strict=strict).read)


class GameReader:
    """Reads the games of a file, each with what those before it say."""

    def __init__(self, check: Check, *, strict: bool) -> None:
        self.check, self.strict = check, strict
        self.context, self.session, self.statistics = Context(), Session(strict=strict), Statistics()

    def read(self, game: RawRecord, before: int) -> Iterator[Outcome]:
        """Yield the outcomes of a game after this number of records."""
        tags = _read_game(game)
        self.session.read_titles(game)
        is_record = tags.error is not None or _has_content(tags)
        self.context.inherit(tags)
        if not is_record:
            return
        if before and b"[" not in game.data and self.statistics.include(game.data):
            yield from self.statistics.skip(before + 1, game.line)
            return
        self.context.complete(tags, game)
        self.session.read_values(tags, game.line)
        ranking = read_totals(tags, before + 1, _texts(tags)) if TOTAL_SCORE_TABLE in tags.by_name else None
        if ranking:
            yield ranking
        if not ranking or any(map(tags.value, _OF_BOARD)):
            yield from read_each(tables_of(tags), partial(self._read_table, game.line), before, lambda _: game.line)

    def _read_table(self, line: int, table: Tags, before: int) -> Iterator[Outcome]:
        board = to_one_line(table.value("Board"))[:MAX_BOARD_NAME]
        repairs = GameRepairs(before + 1, board, line, self.check, self.strict, tags=table, context=self.context)
        yield _read_table(table, repairs)


def _read_table(tags: Tags, repairs: GameRepairs) -> Outcome:
    """Read one table of a game; skip one without hands, or at which the board was not played."""
    if _is_score_only(tags):
        return _without_deal(tags, repairs)
    if tags.error and tags.error.code == NOT_PLAYED:
        return SkippedRecord(repairs.record, repairs.board, tags.error.line, NOT_PLAYED, tags.error.message)
    return _read_record(tags, repairs)


def _read_record(tags: Tags, repairs: GameRepairs) -> Outcome:
    texts = _texts(tags)
    repairs.points = read_points(tags)
    for notice in () if repairs.strict else tags.notices:
        repairs.warn(notice.code, notice.message, notice.line)
    return repairs.read(lambda: _board(tags, texts, repairs))


def _without_deal(tags: Tags, repairs: GameRepairs) -> Outcome:
    """Skip a game without hands. The deal of a numbered board may be in another file: the game is read with it then."""
    position = repairs.record, repairs.board, repairs.line
    number = read_board_number(tags)
    if number is None or not (tags.value("Contract") or tags.value("AdjustedScore")):
        return SkippedRecord(*position, "no_deal", "The game has no Deal, and no auction or play.")

    def read(deal: BoardRecord | BridgeError, before: int) -> Iterator[Outcome]:
        if isinstance(deal, BridgeError):
            yield SkippedRecord(*position, deal.code, deal.message)
            return
        take_deal(tags, deal)
        yield _read_record(tags, repairs)

    def read_with(deal: BoardRecord | BridgeError) -> Outcome:
        return next(read_each([deal], read, repairs.record - 1, lambda _: repairs.line))

    return TableWithoutDeal(*position, "no_deal", NO_HANDS, number, _texts(tags), read_with)


def _is_score_only(tags: Tags) -> bool:
    """Tell whether the game has a result without hands, and no more of the play than the lead."""
    if tags.error or not tags.by_name or tags.value("Deal") or tags.value("Auction"):
        return False
    return not tags.value("Play") or len(" ".join(tags.by_name["Play"].body).replace("-", " ").split()) < 2


def _read_game(game: RawRecord) -> Tags:
    try:
        return read_tags(game.text(), game.line, is_last=game.is_last)
    except NotationError as error:
        return Tags(error=error)


def _has_content(tags: Tags) -> bool:
    """Tell whether the game has anything but comments and "##" tags."""
    return tags.has_other_content or any(not tag.value.startswith("##") for tag in tags.by_name.values())


def _board(tags: Tags, texts: dict[str, str], repairs: GameRepairs) -> BoardRecord:
    if tags.error:
        raise tags.error
    if tags.cut and not repairs.is_cut:
        raise tags.cut
    refuse_inheritance(tags)
    repairs.check_twice()
    layout = repairs.read_layout()
    if layout is None:
        raise BridgeError("no_deal", "The game has no Deal.")
    section = repairs.read_auction()
    auction = section.auction
    contract = _contract(tags, section, repairs)
    number = read_board_number(tags)
    vulnerability = read_value(tags, "Vulnerable", parse_vulnerability)
    vulnerability = vulnerability or (board_vulnerability(number) if number else Vulnerability.NONE)
    repairs.contract, repairs.vulnerability = contract, vulnerability
    section.check_bid(contract)
    play = repairs.read_play(contract)
    commentary = [read_comments(tags.comments), *section.sentences(), *play.remarks]
    return complete_record(
        BoardRecord(
            layout=layout,
            dealer=_dealer(tags, auction, number),
            vulnerability=vulnerability,
            board_number=number,
            auction=auction,
            contract=contract,
            opening_lead="".join(play.cards[:1]),
            play=play.cards if len(play.cards) > 1 else (),
            tricks=None if play.continued else read_tricks(tags, contract),
            commentary="\n".join(filter(None, commentary)),
            deal_commentary=read_comments(tags.deal_comments),
            **texts,
        )
    )


def _texts(tags: Tags) -> dict[str, str]:
    """Return the texts on one line. What is neither the open nor the closed room is a name for the table."""
    given = tags.by_name  # Most games have few of these tags.
    texts = {name: text.read(tags.value(text.tag)) if text.tag in given else "" for name, text in TEXTS.items()}
    if texts["room"] not in ROOMS:
        texts |= {"room": "", "table": texts["table"] or texts["room"]}
    if section := tags.value("Section"):
        texts["stage"] = ", ".join(filter(None, (texts["stage"], f"Section {section}")))
    for name, players in PLAYERS.items():
        texts[name] = texts[name] or read_pair_number(tags, players)
    texts["auction_system"] = tags.value("BidSystemNS") or tags.value("BidSystemEW")
    texts["skill"] = "/".join(filter(None, map(tags.value, SKILLS))) if not given.keys().isdisjoint(SKILLS) else ""
    return texts


def _dealer(tags: Tags, auction: Auction | None, number: int | None) -> Seat:
    dealer = read_value(tags, "Dealer", parse_seat)
    if dealer:
        return dealer
    if auction:
        return auction.dealer
    return board_dealer(number) if number else parse_seat(tags.value("Deal").partition(":")[0])


def _contract(tags: Tags, section: AuctionSection, repairs: GameRepairs) -> Contract | None:
    """Return the stated contract, filled up from a complete auction; `check` compares the two."""
    declarer = read_declarer(tags)
    stated = read_contract(tags)
    bid = section.contract
    if bid is None or bid.declarer is None:
        return stated
    if declarer is bid.declarer.partner and tags.value("Declarer").startswith("^"):  # as in "^S" (§3.9)
        message = f"Declarer and dummy were swapped (^{declarer}); such a board cannot be kept."
        raise NotationError("irregularity", message, tags.by_name["Declarer"].line, "Declarer")
    stated = stated or replace(bid, declarer=declarer or bid.declarer)
    if repairs.doubling_of_auction:
        stated = replace(stated, doubled=bid.doubled)
    return stated if stated.passed_out or stated.declarer else replace(stated, declarer=bid.declarer)

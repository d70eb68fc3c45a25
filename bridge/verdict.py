"""Judge a played board by double dummy, in sentences. All such sentences are here.

They compare with play when all cards are seen, which no player can do. The first one that compares says so for those
after it. None blames a player: each says what a contract or a card was worth to a side. Clients that write sentences of
their own use the code and the figures.
"""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from bridge.board import BoardRecord, teams_of
from bridge.cards import DECK
from bridge.contract import Contract
from bridge.double_dummy import DoubleDummyTable, Par, split_par_contract
from bridge.names import SEAT_NAMES, SIDE_NAMES, SUIT_SYMBOLS, format_call, format_ranks, format_score
from bridge.play_analysis import PlayedCard, Trace, lost_by
from bridge.replay import cards_of
from bridge.scores import Comparison, comparison_of, imps, score
from bridge.seats import Seat

MAX_NAMED = 4
"""The most cards that a sentence names. With more, it counts the tricks of each side."""

NUMBERS = [
    *("no", "a", "two", "three", "four", "five", "six"),
    *("seven", "eight", "nine", "ten", "eleven", "twelve", "thirteen"),
]
ONES = ["no", "one", *NUMBERS[2:]]

SEEN = "With all cards seen "
"""The beginning of the first sentence that compares."""

CODES = (
    *("result", "double_dummy", "par", "contract_par", "contract_against_par", "score_against_par"),
    *("slam", "game", "lead", "play", "rest"),
)
"""What a sentence may be about, in the order of the sentences."""


class Verdict(NamedTuple):
    """A sentence about a board, its code, and the figures it is made of, as far as it has some.

    `side` is the one that it is about. `tricks` and `points` are a difference, for that side. `score` is North-South's.
    `contract_par` has points where they are less than an IMP.
    """

    code: str
    text: str
    side: str | None = None
    tricks: int | None = None
    points: int | None = None
    score: int | None = None
    contracts: Sequence[str] = ()
    cards: Sequence[PlayedCard] = ()


def judge(
    record: BoardRecord, table: DoubleDummyTable | None, par: Par | None, trace: Trace | None
) -> Iterator[Verdict]:
    """Yield the sentences on a board's result, contract, lead and play. `trace` is that of the play."""
    is_said = False
    for verdict in judge_parts(record, table, par, trace):
        text = verdict.text.removeprefix(SEEN) if is_said else verdict.text
        yield verdict._replace(text=text[:1].upper() + text[1:])
        is_said = is_said or SEEN.strip().lower() in verdict.text.lower()


def below_heading(verdict: Verdict) -> str:
    """Return the sentence for a list whose heading says "with all cards seen" once for all of them."""
    text = verdict.text.removeprefix(SEEN)
    return text[:1].upper() + text[1:]


def sign_of(verdict: Verdict) -> str:
    """Return "+" or "−" for what was gained or lost by the side that the sentence is about, else "="."""
    if verdict.code in ("slam", "game") or (verdict.code == "play" and verdict.cards):
        return "−"
    gained = verdict.tricks if verdict.tricks is not None else verdict.points
    return "+" if (gained or 0) > 0 else "−" if (gained or 0) < 0 else "="


def judge_parts(
    record: BoardRecord, table: DoubleDummyTable | None, par: Par | None, trace: Trace | None
) -> Iterator[Verdict]:
    """Yield the sentences as if each were alone."""
    contract = record.contract
    if contract is None:
        return
    made = None
    if contract.level and contract.declarer and contract.denomination:
        if table:
            made = table.tricks()[contract.declarer][contract.denomination]
        yield from judge_result(record, contract, made)
    if par:
        yield judge_par(par)
        yield from judge_contract(record, contract, par, made)
    if trace and contract.declarer:
        yield from judge_play(record, contract, trace)


def judge_result(record: BoardRecord, contract: Contract, made: int | None) -> Iterator[Verdict]:
    """Say what was won, and what is won with all cards seen."""
    assert contract.declarer
    name, side, needed = name_of(contract), contract.declarer.side, contract.tricks_needed or 0
    tricks = record.tricks
    if tricks is not None and record.score is not None:
        text = f"{name} {outcome(tricks - needed, goes='went', makes='made')}: {format_score(record.score)}."
        yield Verdict("result", text, side, tricks - needed, score=record.score)
    if made is None:
        return
    if tricks is None:
        text = f"{SEEN}{name} {outcome(made - needed)}."
    elif tricks == made:
        text = f"{SEEN}the result is the same."
    else:
        expected = outcome(made - needed, goes="would go", makes="would make")
        text = f"{SEEN}it {expected}; {SIDE_NAMES[side]} won {more(tricks - made)} than that."
    yield Verdict("double_dummy", text, side, None if tricks is None else tricks - made)


def judge_par(par: Par) -> Verdict:
    contracts, points = par["contracts"], par["score"]
    if points == 0:
        return Verdict("par", "Par is to pass the board out.", score=0, contracts=contracts)
    text = f"Par is {name_of_pars(contracts)}: {format_score(points)}."
    return Verdict("par", text, score=points, contracts=contracts)


def judge_contract(record: BoardRecord, contract: Contract, par: Par, made: int | None) -> Iterator[Verdict]:
    """Compare the contract's worth with par, and say whether its side could make a game or a slam."""
    if made is None and not contract.passed_out:
        return
    worth = score(contract, record.vulnerability, made)
    what = "Passing the board out" if contract.passed_out else f"{SEEN}the contract"
    is_par = worth == par["score"] or is_nothing(worth - par["score"], record)
    if worth == par["score"]:
        yield Verdict("contract_par", f"{what} is worth par.", points=0, score=worth)
    else:
        side, points, better = compare_with_par(worth, par, record)
        text = f"{what} is worth {format_score(worth)}: {better}."
        code = "contract_par" if is_par else "contract_against_par"
        yield Verdict(code, text, side, points=points, score=worth)
    if record.score not in (None, worth, par["score"]):
        side, points, better = compare_with_par(record.score, par, record)
        text = f"The score at the table was {format_score(record.score)}: {better}."
        yield Verdict("score_against_par", text, side, points=points, score=record.score)
    if not is_par:
        yield from judge_level(contract, par)


def is_nothing(difference: int, record: BoardRecord) -> bool:
    """Tell whether a difference of scores is less than an IMP: 3NT made and 4♥ made, say."""
    comparison = comparison_of([record], is_match=bool(record.room or all(teams_of(record))))
    return comparison is not Comparison.MATCHPOINTS and not imps(difference)


def compare_with_par(points: int, par: Par, record: BoardRecord) -> tuple[str, int, str]:
    """Return the side that has more than par with these points for North-South, how many more, and that in words."""
    difference = points - par["score"]
    side = "NS" if difference > 0 else "EW"
    if is_nothing(difference, record):
        return side, abs(difference), "as good as par in IMPs"
    return side, abs(difference), f"{abs(difference)} points better than par for {SIDE_NAMES[side]}"


def judge_level(contract: Contract, par: Par) -> Iterator[Verdict]:
    """Say that par is a game or a slam of the side that stopped below it, or of a board that was passed out."""
    for par_contract in par["contracts"]:
        bid, rest, seats = split_par_contract(par_contract)
        side = "NS" if seats[:1] in "NS" else "EW"
        if not bid or rest.startswith("X") or (contract.declarer and contract.declarer.side != side):
            continue
        if better := name_level(bid, contract):
            code, name = better
            text = f"{SEEN}{SIDE_NAMES[side]} could make {name}."
            yield Verdict(code, text, side, contracts=[par_contract])
        return


def name_level(bid: str, contract: Contract) -> tuple[str, str] | None:
    """Return the code and the name of what this bid is and the contract is not: a slam or a game."""
    level, reached = int(bid[0]), contract.level or 0
    if level >= 6 and level > reached:
        return "slam", "a grand slam" if level == 7 else "a slam"
    if is_game(bid) and not (reached and is_game(f"{reached}{contract.denomination}")):
        return "game", "a game"
    return None


def judge_play(record: BoardRecord, contract: Contract, trace: Trace) -> Iterator[Verdict]:
    """Say which cards cost a trick with all cards seen, and how the unrecorded rest went."""
    assert contract.declarer
    cards = cards_of(record)
    lead, *later = trace.costs(contract, cards)
    side = lead.seat.side
    cost = f"cost {SIDE_NAMES[side]} {count(lead.cost)}" if lead.cost else f"cost {cost_in_words(0)}"
    text = f"{SEEN}the lead of {write_card(lead.card)} {cost}."
    yield Verdict("lead", text, side, -lead.cost, cards=[lead])
    costly = [played for played in later if played.cost]
    if later:
        text = describe_play(lead, costly, contract.declarer.partner, is_whole=len(cards) == len(DECK))
        yield Verdict("play", text, cards=costly)
    left, tricks = trace.tricks[-1], record.tricks
    if tricks is not None and tricks != left:
        declaring = contract.declarer.side
        last = later[-1] if later else lead
        text = (
            f"The record stops at {write_card(last.card)} in trick {last.trick}: from there"
            f" {SIDE_NAMES[declaring]} won {more(tricks - left)} than the cards gave."
        )
        yield Verdict("rest", text, declaring, tricks - left)


def describe_play(lead: PlayedCard, costly: Sequence[PlayedCard], dummy: Seat, *, is_whole: bool) -> str:
    """Name the cards after the lead that cost tricks, and say which of them gave a trick back."""
    if not costly:
        which = "No later card" if lead.cost else "No card"
        where = "of the play" if is_whole else "on record"
        return f"{which} {where} cost a trick."
    if len(costly) > MAX_NAMED:
        return f"{SEEN}{count_costly(costly)}."
    debts, parts = Debts(lead), []
    for played in costly:
        player = "dummy" if played.seat is dummy else SEAT_NAMES[played.seat]
        parts.append(f"{write_card(played.card)} ({player}, trick {played.trick}) {debts.settle(played)}")
    return f"{SEEN}{'; '.join(parts)}."


def describe_card(played: PlayedCard) -> str:
    """Say what a single card of a play cost."""
    cost = f"cost {SIDE_NAMES[played.seat.side]} {count(played.cost)}"
    return f"{SEEN}{write_card(played.card)} in trick {played.trick} {cost}."


def count_costly(costly: Sequence[PlayedCard]) -> str:
    """Write "five later cards cost tricks: those of North-South (♦A, ♠K) two tricks and …"."""
    number = NUMBERS[len(costly)] if len(costly) < len(NUMBERS) else len(costly)
    parts = [
        f"those of {SIDE_NAMES[side]} ({', '.join(cards)}) {count(lost_by(side, costly))}"
        for side in SIDE_NAMES
        if (cards := [write_card(played.card) for played in costly if played.seat.side == side])
    ]
    return f"{number} later cards cost tricks: {' and '.join(parts)}"


class Debts:
    """The tricks that each side has had from the other's cards so far, and may give back."""

    def __init__(self, lead: PlayedCard) -> None:
        self.owed = dict.fromkeys(SIDE_NAMES, 0) | {lead.seat.next.side: lead.cost}
        self.begun: set[str] = set()  # the sides that have given a part of it back

    def settle(self, played: PlayedCard) -> str:
        """Say which tricks a card gave back, and what it cost its side beyond them: the other side's new debt."""
        side, owed = played.seat.side, self.owed[played.seat.side]
        back = min(played.cost, owed)
        cost = played.cost - back
        given = {(1, 1): "it", (2, 2): "both"}.get((back, owed), ONES[back])
        if side in self.begun and back == owed:
            given = "the rest"
        self.owed[side] -= back
        self.owed[played.seat.next.side] += cost
        (self.begun.add if self.owed[side] else self.begun.discard)(side)
        in_words = f"cost {SIDE_NAMES[side]} {count(cost)}"
        if not back:
            return in_words
        return f"gave {given} back and {in_words} as well" if cost else f"gave {given} back"


def name_of(contract: Contract) -> str:
    """Write "4♠ doubled by South"."""
    doubled = {"": "", "X": " doubled", "XX": " redoubled"}[contract.doubled]
    by = f" by {contract.declarer.full_name}" if contract.declarer else ""
    return f"{format_call(f'{contract.level}{contract.denomination}')}{doubled}{by}"


def name_of_pars(contracts: Sequence[str]) -> str:
    """Write "EW 5DX-2" as "5♦ doubled, two down, by East-West, a sacrifice". Several bids share their result."""
    bids: dict[tuple[str, str], list[str]] = {}
    for text in contracts:
        bid, rest, seats = split_par_contract(text)
        bids.setdefault((rest, seats), []).append(format_call(bid))
    return " or ".join(name_of_par(names, rest, seats) for (rest, seats), names in bids.items())


def name_of_par(bids: Sequence[str], rest: str, seats: str) -> str:
    """Name par contracts that differ in the bid alone. `rest` is as in "X-2" or "+1"."""
    doubled = " doubled" if rest.startswith("X") else ""
    over = int(rest.removeprefix("X") or 0)
    each = "each " if len(bids) > 1 else ""
    result = f", {each}{aside(over)}," if over else ""
    sacrifice = ", a sacrifice" if over < 0 else ""
    *others, last = [f"{bid}{doubled}" for bid in bids]
    named = f"{', '.join(others)} or {last}" if others else last
    return f"{named}{result} by {(SIDE_NAMES | SEAT_NAMES)[seats]}{sacrifice}"


def aside(over: int) -> str:
    return f"{ONES[abs(over)]} {'down' if over < 0 else 'over'}"


def outcome(over: int, *, goes: str = "goes", makes: str = "makes") -> str:
    """Write "goes two down", "makes" or "makes with an overtrick"."""
    if over <= 0:
        return f"{goes} {aside(over)}" if over else makes
    return f"{makes} with {'an overtrick' if over == 1 else f'{NUMBERS[over]} overtricks'}"


def count(tricks: int) -> str:
    """Write a number of tricks. Cards that give each other back may cost a side more than thirteen together."""
    if tricks == 1:
        return "a trick"
    return f"{NUMBERS[tricks] if tricks < len(NUMBERS) else tricks} tricks"


def cost_in_words(tricks: int) -> str:
    return count(tricks) if tricks else "nothing"


def more(tricks: int) -> str:
    return f"{count(abs(tricks))} {'more' if tricks > 0 else 'fewer'}"


def write_card(card: str) -> str:
    return f"{SUIT_SYMBOLS[card[0]]}{format_ranks(card[1])}"


def is_game(bid: str) -> bool:
    """Tell whether a bid such as 4S, undoubled, is a game: its tricks score 100 (Law 77)."""
    level, denomination = int(bid[0]), bid[1:]
    each = 20 if denomination in ("C", "D") else 30
    return level * each + 10 * (denomination == "NT") >= 100

"""Conditions as SQL over slices: PostgreSQL combines them, all boards of a segment at once."""

from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max

from search import conditions
from search.facts import EPOCH, MAX_RUN, Fact, Number, minute_of, number
from search.index.rows import Statement, as_table, over_rows, with_ids, within_limits
from search.language.parsing import QueryError
from search.models import SEGMENT_BITS, Slice
from search.subject import CALLS, MAX_BEGINNING

NONE = f"0::bit({SEGMENT_BITS})"
EVERY = f"(~{NONE})"
PART = 500
"""The bits of a part of a segment. Where single bits are set or read, a whole slice would be copied for each."""

MANY_NAMES = 12
"""More names than PostgreSQL expects of a list, so that it keeps the plan."""

UPDATED = number("updated")
CALLS_IN_ALL = number("calls")


class SliceSql:
    """The SQL of a condition, and what it combines.

    `slices` has those whose ones are united, in the order in which they are met: each group is a column s0, s1, … of
    the statement. Each of `lookups` is a query of numbers, by an ordinary index; their bits are a column l0, l1, …
    """

    def __init__(self, condition: conditions.Condition) -> None:
        self.slices: dict[tuple[str, ...], str] = {}
        self.lookups: list[Statement] = []
        self.sql = self.write(condition)

    def write(self, condition: conditions.Condition) -> str:
        match condition:
            case conditions.Between(fact=fact):
                low, high = condition.stored
                return self.between(fact, low, high) if low <= high else NONE
            case conditions.OneOf(fact=fact, values=values):
                return self.column(*(f"{fact.name}={value}" for value in values))
            case conditions.Tagged(tags=tags):
                return self.column(*tags)
            case conditions.Bid():
                return self.write_calls(condition)
            case conditions.Words(phrase=phrase):
                return join([self.column(f"word:{word}") for word in phrase.split()], "&")
            case conditions.Numbered():
                return self.look_up(as_table(condition))
            case conditions.Compared():
                raise ValueError(condition)  # search.index.finding compares it before
            case conditions.Votes():
                return self.write_votes(condition)
            case conditions.ChangedSince(moment=moment):
                return self.write_changes(moment)
            case conditions.Among():
                return self.look_up_boards(with_ids(condition))
            case conditions.AllOf(parts=parts):
                return join(list(map(self.write, parts)), "&")
            case conditions.AnyOf(parts=parts):
                return join(list(map(self.write, parts)), "|")
            case conditions.Not(part=part):
                return f"(~{self.write(part)})"

    def write_changes(self, moment: datetime) -> str:
        """Return the SQL of the boards that were changed since. Those of the same minute are looked up."""
        minute = minute_of(moment)
        if not 0 <= minute < UPDATED.high:
            return NONE if minute > 0 else EVERY
        ends = EPOCH + timedelta(minutes=minute + 1)
        lookup = self.look_up_boards(Statement("updated_at >= %s AND updated_at < %s", [moment, ends]))
        return join([self.between(UPDATED, UPDATED.store(minute + 1), UPDATED.size), lookup], "|")

    def write_votes(self, votes: conditions.Votes) -> str:
        """Return the SQL of votes. The index board_voted has the boards that do not have as many for as against."""
        if (votes.low is not None and votes.low > 0) or (votes.high is not None and votes.high < 0):
            return self.look_up_voted(votes)
        below = [] if votes.low is None else [self.look_up_voted(conditions.Votes(high=votes.low - 1))]
        above = [] if votes.high is None else [self.look_up_voted(conditions.Votes(low=votes.high + 1))]
        return f"(~{join(below + above, '|')})"

    def look_up_voted(self, votes: conditions.Votes) -> str:
        return self.look_up_boards(Statement(f"up_votes <> down_votes AND {within_limits(votes)}"))

    def look_up_boards(self, where: Statement) -> str:
        return self.look_up(Statement(f"SELECT number FROM boards_board WHERE {where.sql}", where.parameters))

    def look_up(self, numbers: Statement) -> str:
        """Return the column of the boards whose numbers the statement returns."""
        if numbers not in self.lookups:
            self.lookups.append(numbers)
        return f"l{self.lookups.index(numbers)}"

    def column(self, *names: str) -> str:
        """Return the column of the boards that have a one in any of these slices."""
        return self.slices.setdefault(names, f"s{len(self.slices)}") if names else NONE

    def between(self, fact: Number, low: int, high: int) -> str:
        """Return the SQL of a stored form from `low` to `high`."""
        parts = [] if low == 1 and fact.is_known else [self.at_least(fact, fact.digits(low))]
        if high < fact.size:
            parts.append(f"(~{self.at_least(fact, fact.digits(high + 1))})")
        return join(parts, "&")

    def at_least(self, fact: Fact, digits: bytes, place: int = 0) -> str:
        """Return the SQL of a stored form whose digits from `place` on are these or greater."""
        digit, *rest = digits
        here = self.threshold(fact, place, digit)
        if not rest:
            return here
        greater = self.threshold(fact, place, digit + 1) if digit + 1 < fact.base else NONE
        return f"({greater} | ({here} & {self.at_least(fact, bytes(rest), place + 1)}))"

    def threshold(self, fact: Fact, place: int, digit: int) -> str:
        return self.column(slice_name(fact, place, digit)) if digit else EVERY

    def write_calls(self, condition: conditions.Bid) -> str:
        """Return the SQL of calls. Others meet it too where the calls are many (search.index.finding)."""
        calls = condition.calls.split("-")
        if condition.from_the_start:
            first = enumerate(calls[:MAX_BEGINNING], start=1)
            parts = [self.column(f"call.{number}={call}") for number, call in first if call != "?"]
            if calls[-1] == "?":
                parts.append(self.write(conditions.Between(CALLS_IN_ALL, low=len(calls))))
            return join(parts, "&")
        runs = ["-".join(calls[start : start + MAX_RUN]) for start in range(max(1, len(calls) - MAX_RUN + 1))]
        return join([self.run(run.strip("-?")) for run in runs], "&")

    def run(self, calls: str) -> str:
        """Return the SQL of at most three calls, of which the one in the middle may be any."""
        if not calls:
            return EVERY
        return self.column(*(f"auction*{calls.replace('?', call)}" for call in (CALLS if "?" in calls else [""])))


def slice_name(fact: Fact, place: int, digit: int) -> str:
    """Return the name of the slice of a choice's value, or of a threshold: a digit, or the value where it has one."""
    if fact.width > 1:
        return f"{fact.name}/{place}>={digit}"
    return f"{fact.name}{'>=' if isinstance(fact, Number) else '='}{fact.values[digit - 1]}"


def join(parts: list[str], operator: str) -> str:
    if not parts:
        return EVERY if operator == "&" else NONE
    return f"({f' {operator} '.join(parts)})" if len(parts) > 1 else parts[0]


def found_tables(condition: conditions.Condition) -> Statement:
    """Return the tables of the boards that meet the condition, as bits by segment, for PostgreSQL.

    `tail` has the numbers whose boards have a row, and whether these meet it. `changed` has both as bits: `mask` and
    `ones`. `found` has the boards that meet it, by slices or by their rows. Where some boards are asked about, no other
    row is read: slices find none of the others.
    """
    parts = condition.parts if isinstance(condition, conditions.AllOf) else (condition,)
    among = tuple(part for part in parts if isinstance(part, conditions.Among))
    slices, within = SliceSql(condition), over_rows(conditions.AllOf(among))
    rows = over_rows(conditions.AllOf(tuple(part for part in parts if part not in among)))
    check_work(sum(map(len, slices.slices)))
    lookups = "".join(
        f"l{place} AS MATERIALIZED ({bits_of(f'({each.sql}) AS wanted', bits='1')}),"
        for place, each in enumerate(slices.lookups)
    )
    sliced = sliced_table(slices)
    empty = "".join(f", coalesce(l{place}.bits, {NONE}) AS l{place}" for place in range(len(slices.lookups)))
    joins = "".join(f" LEFT JOIN l{place} USING (segment)" for place in range(len(slices.lookups)))
    sql = f"""
        WITH tail AS MATERIALIZED (
            SELECT number, facts IS NOT NULL AND {rows.sql} AS is_met FROM boards_indexrow WHERE {within.sql}
        ),
        {lookups}
        changed AS MATERIALIZED ({bits_of("tail", mask="1", ones="is_met::integer")}),
        found AS MATERIALIZED (
            SELECT segment, CASE WHEN mask IS NULL THEN met ELSE coalesce(met & ~mask, {NONE}) | ones END AS bits FROM (
                SELECT segment, {slices.sql} AS met FROM (
                    SELECT sliced.*{empty} FROM ({sliced.sql}) AS sliced{joins}
                ) AS columns
            ) AS combined FULL JOIN changed USING (segment)
        )
    """
    parameters = [parameter for each in (rows, within, *slices.lookups, sliced) for parameter in each.parameters]
    return Statement(sql, parameters)


MAX_SLICES = 250_000
"""The slices that one search may read, 4 µs each."""

FEW_SLICES = 250
"""So few of a segment are never too many: it would take a thousand segments, of 32 million boards."""


def check_work(slices: int) -> None:
    """Raise QueryError when a search needs so many slices of each segment that they are too many in all."""
    if slices <= FEW_SLICES:
        return
    segments = 1 + (Slice.objects.aggregate(last=Max("segment"))["last"] or 0)
    possible = max(FEW_SLICES, MAX_SLICES // segments)
    if slices > possible:
        message = f"This search compares {slices:,} facts of each board, and {possible:,} are possible with so many"
        hint = "Leave conditions away, or name a seat where any is written."
        raise QueryError("too_much_work", f"{message} boards. {hint}")


def sliced_table(slices: SliceSql) -> Statement:
    """Return the query of the columns s0, s1, … of each segment.

    A name is a parameter of its own, unless it is one of many: PostgreSQL would plan a short list anew each time.
    """
    names = [name for united in slices.slices for name in united]
    if not names:
        return Statement("SELECT 0 AS segment WHERE false")
    if len(names) == 1:
        # Unpacked once: each bit that is read of a packed slice would unpack it again.
        return Statement(f"SELECT segment, bits | {NONE} AS s0 FROM boards_slice WHERE name = %s", names)
    columns, wanted = "", list[str]()
    parameters: list[Any] = []
    for united, column in slices.slices.items():
        columns += f", coalesce(bit_or(bits) FILTER (WHERE place = {len(wanted)}), {NONE}) AS {column}"
        if len(united) > MANY_NAMES:
            wanted.append(f"SELECT unnest(%s::text[]), {len(wanted)}")
            parameters.append([*united])
        else:
            wanted.append(f"VALUES {', '.join([f'(%s::text, {len(wanted)})'] * len(united))}")
            parameters += united
    sql = f"""
        SELECT segment{columns} FROM ({" UNION ALL ".join(wanted)}) AS wanted(name, place)
        JOIN boards_slice USING (name) GROUP BY segment
    """
    return Statement(sql, parameters)


def bits_of(numbers: str, **columns: str) -> str:
    """Return the SQL of columns of bits by segment: a table's numbers, each with the bit that the column's SQL says."""
    parts = "".join(
        f", bit_or(set_bit(0::bit({PART}), mod(number, {PART})::integer, {bit})) AS {name}"
        for name, bit in columns.items()
    )
    wholes = "".join(f", bit_or({name}::bit({SEGMENT_BITS}) >> (part * {PART})) AS {name}" for name in columns)
    return f"""
        SELECT segment{wholes} FROM (
            SELECT (number / {SEGMENT_BITS})::integer AS segment,
                (mod(number, {SEGMENT_BITS}) / {PART})::integer AS part{parts}
            FROM {numbers} GROUP BY 1, 2
        ) AS parts GROUP BY segment
    """

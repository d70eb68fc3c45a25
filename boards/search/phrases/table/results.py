"""Phrases about what came of a board: result, score, par, double dummy, and what the play cost."""

from datetime import date
from functools import partial

from boards.search.phrases.patterns import Phrase, Scope, Values

board = partial(Phrase, Scope.BOARD)

DOWN = "(down|off|light|short|under|minus)"
WENT = "[(go|goes|went|going|is|was)]"
MADE = "(made|reussi|macht|gemacht|make|makes|making|make it|bid and made|fulfilled|home|succeeded|erfullt|gewonnen)"
FAILED = "(defeated|beaten|beat|beats|failed|failing|fail|fails|set|broken|gefallen|chute)"
NOT = "(not|didnt|doesnt|couldnt|cannot|cant|(failed|failing|unable) to)"

INVERTED = str.maketrans("<>", "><")


def down_by(values: Values, today: date) -> str:
    """Return the condition of so many tricks down: >=3 is a result of -3 or less."""
    operator = values["n"].query.rstrip("0123456789.")
    numbers = values["n"].query.removeprefix(operator).split("..")
    return f"result{operator.translate(INVERTED)}{'..'.join(f'-{number}' for number in reversed(numbers))}"


def scored(values: Values, today: date) -> str:
    return "(score={points_scored} OR score=-{points_scored})".format(**values)


def score_alone(values: Values, today: date) -> str:
    return scored({"points_scored": values["score"]}, today)


PHRASES = (
    board("(plus|minus) {points_scored}", scored, "a score of {points_scored} for either side", "minus 800"),
    board(
        f"{WENT} down; {WENT} {FAILED}; {WENT} off; undertrick; {NOT} (make|made|making)",
        "is:down",
        "went down",
        "3NT down",
        subject="declarers",
    ),
    board(
        f"{WENT} ({DOWN}|{FAILED}) [by] {{n}} [trick]; {WENT} {{n}} [trick] {DOWN}; {{n}} undertrick",
        down_by,
        "went {n} down",
        "down two",
    ),
    board(
        f"({DOWN}|{FAILED}) [by] {{count}} trick or (more|worse); {{count}} [trick] {DOWN} or (more|worse)",
        "result<=-{count}",
        "went {count} down or more",
        "down two tricks or more",
    ),
    board("{down}", "result=-{down}", "went {down} down", "3NT -1"),
    board(
        f"{WENT} (heavily|badly|many) down; {WENT} down (heavily|badly|lot|many); disaster",
        "result<=-3",
        "three down or more",
        "disaster",
    ),
    board(f"{MADE} [contract]", "is:made", "made", "4S made", subject="declarers"),
    board("{over} or (more|better)", "result>={over}", "{over} overtricks or more", "2 spades +1 or more"),
    board("plus {count}", "result={count}", "made with overtricks: {count}", "4 hearts plus two"),
    board(
        f"(just|exactly) {MADE}; {MADE} exactly; no overtrick; [{MADE}] on the nose; =",
        "result=0",
        "made exactly",
        "just made",
    ),
    board(
        f"[{MADE}] [with] (an|one|1) overtrick; overtrick one",
        "result=1",
        "made with one overtrick",
        "made with an overtrick",
    ),
    board(f"[{MADE}] [with] overtrick", "result>=1", "made with overtricks", "overtrick"),
    board(f"[{MADE}] [with] {{n}} overtrick", "result{n}", "{n} overtricks", "two overtricks"),
    board("{over}", "result={over}", "{over} more than the contract", "3NT +2"),
    board(
        "{n} (trick|stich|levee|slag|slagen) [made]; made {n} trick; (won|took|take) {n} trick",
        "tricks{n}",
        "declarer won {n} tricks",
        "9 tricks",
    ),
    board(
        "(score|scored|scoring|making|made|for|worth) [of] {points_scored}; {points_scored} score",
        scored,
        "a score of {points_scored} for either side",
        "scored 620",
    ),
    board(
        "(score|scored) (over|above|[of] more than) {number}",
        "(score>{number} OR score<-{number})",
        "more than {number} for either side",
        "score over 1000",
    ),
    board(
        "(went|going|go) for {points_scored}; {points_scored} (penalty|away); penalty [of] {points_scored};"
        " (conceded|lost) {points_scored}",
        lambda values, today: f"is:down {scored(values, today)}",
        "went down for {points_scored}",
        "went for 800",
    ),
    board(
        "(big|huge|large|heavy) (penalty|number|minus); (went|going|go) for [a] number; telephone number",
        "is:down (score>=800 OR score<=-800)",
        "went down for 800 or more",
        "big penalty",
    ),
    board(
        "[bid] [to] {count} (making|made|makes) {count2}",
        lambda values, today: f"level={values['count']} tricks={int(values['count2'].query) + 6}",
        "level {count}, and {count2} odd tricks made",
        "bid 4 made 6",
    ),
    board("all [the] [(13|thirteen)] trick", "tricks=13", "declarer won all tricks", "all the tricks"),
    board("{score}", score_alone, "{score} for either side", "1430"),
    board("{won}; score {won}", "score={won}", "North-South scored {won}", "+620"),
    board("{lost}; score {lost}; minus {won}", "score=-{lost}", "North-South scored −{lost}", "-800"),
)

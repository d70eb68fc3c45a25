"""Phrases about what came of a board: result, score, par, double dummy, and what the play cost."""

from datetime import date
from functools import partial

from boards.search.phrases.patterns import Phrase, Scope, Values
from boards.search.phrases.table.contracts import GAMES

board = partial(Phrase, Scope.BOARD)

DOWN = "(down|off|light|short|under|minus)"
WENT = "[(go|goes|went|going|is|was)]"
MADE = "(made|reussi|macht|gemacht|make|makes|making|make it|bid and made|fulfilled|home|succeeded|erfullt|gewonnen)"
FAILED = "(defeated|beaten|failed|failing|fail|fails|set|broken|gefallen|chute)"
COLD = "(cold|laydown|makeable|makable|unbeatable|(could|can) [have] [(be|been)] (made|make)|should [have] (made|make))"
NOT = "(not|didnt|doesnt|couldnt|cannot|cant|(failed|failing|unable) to)"
GAVE = "(dropped|gave|gave away|gave up|cost|lost|threw|threw away)"
DEFENDERS = "(defence|defense|defender)"
OPPONENTS_GAME = "(declarer=ns makes=game:ew OR declarer=ew makes=game:ns)"

NOT_BID = "(unbid|(not|never|nobody|no one|should have) (bid|reached|found)|(didnt|failed to) (bid|reach|find))"
MISSED = f"(missed|miss|missing|{NOT_BID})"
BUT = "[(on|makes)] [(but|that|we)]"
MISSED_GAME = "makes=game (is:partscore OR is:passedout)"
SAC = "(sacrifice|sac|save|dive|sacrificing|sacrificed)"
NEWEST = ", of the newest boards where they are more than can be compared"
INVERTED = str.maketrans("<>", "><")


def down_by(values: Values, today: date) -> str:
    """Return the condition of so many tricks down: >=3 is a result of -3 or less."""
    operator = values["n"].query.rstrip("0123456789.")
    numbers = values["n"].query.removeprefix(operator).split("..")
    return f"result{operator.translate(INVERTED)}{'..'.join(f'-{number}' for number in reversed(numbers))}"


def scored(values: Values, today: date) -> str:
    return "(score={points_scored} OR score=-{points_scored})".format(**values)


PHRASES = (
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
        f"({DOWN}|{FAILED}) [by] {{count}} trick or (more|worse); {{count}} trick {DOWN} or (more|worse)",
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
    board(
        "both side [(can|could)] (make|makes) game; game [on] [for] both side",
        "makes=game:ns makes=game:ew",
        "both sides make a game with all cards seen",
        "both sides make a game",
    ),
    board(
        "(no|without) game (possible|makes|making|available|there)",
        "-makes=game",
        "no game makes with all cards seen",
        "no game possible",
    ),
    board("all [the] [(13|thirteen)] trick", "tricks=13", "declarer won all tricks", "all the tricks"),
    board("{won}; score {won}", "score={won}", "North-South scored {won}", "+620"),
    board("{lost}; score {lost}; minus {won}", "score=-{lost}", "North-South scored −{lost}", "-800"),
    board(
        f"{MISSED} [to bid] [any] [(cold|good|makeable)] slam; [(cold|good|makeable)] slam {BUT} (missed|{NOT_BID})",
        "makes=slam level<6",
        "a slam makes and was not bid",
        "missed slam",
    ),
    board(
        "(missed|unbid) slam [(for|by|in)] {side}; slam missed (for|by|in) {side}; {side} missed slam",
        "makes=slam:{side} level<6",
        "{side} make a slam, and it was not bid",
        "missed slam for NS",
    ),
    board(
        f"{MISSED} [to bid] [any] [(cold|good|makeable)] game; [(cold|good|makeable)] game {BUT} (missed|{NOT_BID})",
        MISSED_GAME,
        "a game makes and was not bid",
        "missed game",
    ),
    board(
        f"{MISSED} grand [slam]; grand [slam] {BUT} (missed|{NOT_BID})",
        "makes=grand level<7",
        "a grand slam makes and was not bid",
        "missed grand slam",
    ),
    board(
        f"{MISSED} game [(for|by|in)] {{side}}; game (missed|{NOT_BID}) (for|by) {{side}}; {{side}} {MISSED} game",
        "makes=game:{side} (is:partscore OR is:passedout)",
        "{side} make a game, and it was not bid",
        "missed game for EW",
    ),
    board(
        f"{MISSED} ({{strain}} game|game [in] {{strain}}); game [in] {{strain}} {BUT} (missed|{NOT_BID})",
        lambda values, today: f"makes={GAMES[values['strain'].query]} (is:partscore OR is:passedout)",
        "a game in {strain} makes and no game was bid",
        "missed a spade game",
    ),
    board(
        f"{MISSED} ({{strain}} slam|slam [in] {{strain}}); slam [in] {{strain}} {BUT} (missed|{NOT_BID})",
        "makes=6{strain.letter} level<6",
        "a slam in {strain} makes and no slam was bid",
        "missed a slam in hearts",
    ),
    board(
        "lucky [contract]; (lucky|luckily) make; (luckily|fortunate) [made]; (by|with) luck;"
        " (unmakeable|should (not make|go down|fail)) but (did|made|make)",
        "is:made is:unmakeable",
        "made, though it goes down with all cards seen",
        "lucky contract",
    ),
    board(
        "lucky game",
        "is:game is:made is:unmakeable",
        "a game that made, though it goes down with all cards seen",
        "lucky game",
    ),
    board(
        "lucky slam",
        "is:slam is:made is:unmakeable",
        "a slam that made, though it goes down with all cards seen",
        "lucky slam",
    ),
    board(
        "unlucky [contract]; (cold|makeable|make|makes) but [went] (down|failed|off); down but (cold|makeable)",
        "is:down is:makeable",
        "went down, though it makes with all cards seen",
        "unlucky",
    ),
    board(
        "unlucky game",
        "is:game is:down is:makeable",
        "a game that went down, though it makes with all cards seen",
        "unlucky game",
    ),
    board(
        "unlucky slam",
        "is:slam is:down is:makeable",
        "a slam that went down, though it makes with all cards seen",
        "unlucky slam",
    ),
    board(
        "(good|sound) slam",
        "is:slam is:makeable",
        "a slam that makes with all cards seen",
        "good slam",
    ),
    board(
        "(bad|hopeless|poor|terrible|unmakeable) slam",
        "is:slam is:unmakeable",
        "a slam that goes down with all cards seen",
        "bad slam",
    ),
    board(
        "(bad|hopeless|poor|terrible|unmakeable) game",
        "is:game is:unmakeable",
        "a game that goes down with all cards seen",
        "bad game",
    ),
    board(
        "(underbid|bid too little|too low|too cautious|timid)",
        f"(makes=slam level<6 OR {MISSED_GAME})",
        "a game or a slam makes and was not bid",
        "underbid",
    ),
    board(f"{COLD} [contract]", "is:makeable", "makes with all cards seen", "cold"),
    board(
        "(unmakeable|unmakable|hopeless contract|bad contract|no play|should (not make|go down|fail))",
        "is:unmakeable",
        "goes down with all cards seen",
        "unmakeable",
    ),
    board(
        f"{COLD} slam; with [a] slam (on|available|there)",
        "makes=slam",
        "a slam makes with all cards seen",
        "cold slam",
    ),
    board(
        f"{COLD} game; with [a] game (on|available|there)",
        "makes=game",
        "a game makes with all cards seen",
        "cold game",
    ),
    board(
        f"{COLD} game (for|by|in) {{side}}; {{side}} {COLD} game; game (for|by) {{side}}",
        "makes=game:{side}",
        "{side} make a game with all cards seen",
        "cold game for NS",
    ),
    board(f"{COLD} grand [slam]", "makes=grand", "a grand slam makes with all cards seen", "cold grand slam"),
    board(
        "{contract} (cold|makes double dummy|makeable|laydown)",
        "makes={contract}",
        "{contract} makes with all cards seen",
        "6S cold",
    ),
    board(
        "(overbid|too high|bid too much|overboard)",
        "is:down is:unmakeable",
        "went down, as it does with all cards seen",
        "overbid",
    ),
    board(
        f"{SAC}",
        f"is:competitive is:unmakeable {OPPONENTS_GAME}",
        "bid over a game that the opponents make, and goes down with all cards seen",
        "sacrifice",
        "sacrifice",
    ),
    board(
        f"(good|profitable|cheap|successful) {SAC}",
        f"is:competitive is:unmakeable {OPPONENTS_GAME} againstpar>=0",
        "a sacrifice that cost no more than par",
        "good sacrifice",
    ),
    board(
        f"(bad|phantom|expensive|dear) {SAC}",
        "is:competitive is:doubled is:down againstpar<0",
        "doubled, went down, and cost more than par",
        "phantom sacrifice",
    ),
    board(
        "{n} (above|over|better than|beyond|more than) par; beat par by {n}",
        "againstpar{n}",
        "declarer’s side did {n} better than par",
        "100 or more above par",
    ),
    board(
        f"{DEFENDERS} {GAVE} {{count}} trick or more",
        "defencelost>={count}",
        "the defenders’ cards cost {count} tricks or more, with all cards seen",
        "defence gave two tricks or more",
    ),
    board(
        f"{DEFENDERS} {GAVE} {{count}} trick",
        "defencelost={count}",
        "the defenders’ cards cost {count} tricks, with all cards seen",
        "defence gave two tricks",
    ),
    board(
        f"declarer {GAVE} {{count}} trick",
        "declarerlost={count}",
        "declarer’s cards cost {count} tricks, with all cards seen",
        "declarer lost two tricks",
    ),
    board("(at|equal) par; par (result|score|contract)", "againstpar=0", "par was reached", "par result"),
    board(
        "(better than|above|beat|beats|over) par", "againstpar>0", "declarer’s side did better than par", "above par"
    ),
    board("(worse than|below|under) par", "againstpar<0", "declarer’s side did worse than par", "below par"),
    board(
        "[(big|bigger|biggest|large|larger|largest|huge|double figure|game)] swing",
        "~swing>=10",
        f"ten IMPs or more between the tables{NEWEST}",
        "big swing",
    ),
    board("flat board; no swing; push; pushed board", "~swing=0", f"no IMPs between the tables{NEWEST}", "flat board"),
    board(
        "{count} imp or more; swing {count} imp or more",
        "~swing>={count}",
        f"{{count}} IMPs or more{NEWEST}",
        "10 IMPs or more",
    ),
    board(
        "{n} imp [swing]; swing {n} [imp]",
        "~swing{n}",
        f"{{n}} IMPs between the tables{NEWEST}",
        "12 imp swing",
    ),
    board(
        f"declarer (slipped|slip|error|mistake|misplay|{GAVE} trick); misplayed; misplay; (badly|poorly) played",
        "declarerlost>=1",
        "declarer’s cards cost a trick, with all cards seen",
        "misplay",
    ),
    board(
        "(perfect|flawless|best) (declarer play|play|declaring); well played; played (perfectly|well)",
        "declarerlost=0",
        "declarer’s cards cost nothing, with all cards seen",
        "well played",
    ),
    board(
        f"({DEFENDERS}|defensive) (slipped|slip|error|mistake|{GAVE} trick); (bad|poor) {DEFENDERS}; misdefended;"
        " misdefence",
        "defencelost>=1",
        "the defenders’ cards cost a trick, with all cards seen",
        "bad defence",
    ),
    board(
        "(perfect|flawless|best|good) (defence|defense); well defended",
        "defencelost=0",
        "the defenders’ cards cost nothing, with all cards seen",
        "good defence",
    ),
)

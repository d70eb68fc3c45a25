"""Phrases about what came of a board: result, score, par, double dummy, and what the play cost."""

from functools import partial

from boards.search.phrases.patterns import Phrase, Scope

board = partial(Phrase, Scope.BOARD)

DOWN = "(down|off|light|short|under|minus)"
WENT = "[(go|goes|went|going|is|was)]"
MADE = "(made|make|makes|making|make it|bid and made|fulfilled|home|succeeded|erfullt|gewonnen)"
FAILED = "(defeated|beaten|failed|failing|fail|fails|set|broken|gefallen|chute)"
COLD = "(cold|laydown|makeable|makable|unbeatable|(could|can) [have] [(be|been)] (made|make)|should [have] (made|make))"
GAVE = "(gave|gave away|gave up|cost|lost|threw|threw away)"
DEFENDERS = "(defence|defense|defender)"
OPPONENTS_GAME = "(declarer=ns makes=game:ew OR declarer=ew makes=game:ns)"

PHRASES = (
    board(f"{WENT} down; {WENT} {FAILED}; {WENT} off; undertrick; not made", "is:down", "went down", "3NT down"),
    board(
        f"{WENT} {DOWN} {{count}} [trick]; {WENT} {{count}} [trick] {DOWN}; {{count}} undertrick",
        "result=-{count}",
        "went {count} down",
        "down two",
    ),
    board(
        f"{WENT} {{count}} [trick] down or (more|worse); {WENT} down {{count}} or (more|worse)",
        "result<=-{count}",
        "went {count} down or more",
        "three down or more",
    ),
    board("{down}", "result=-{down}", "went {down} down", "3NT -1"),
    board(
        f"{WENT} (heavily|badly|many) down; {WENT} down (heavily|badly|lot|many); disaster",
        "result<=-3",
        "three down or more",
        "disaster",
    ),
    board(f"{MADE} [contract]", "is:made", "made", "4S made"),
    board(
        "(just|exactly) (made|makes|making); made exactly; no overtrick; on the nose",
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
        "{n} trick [made]; made {n} trick; (won|took|take) {n} trick",
        "tricks{n}",
        "declarer won {n} tricks",
        "9 tricks",
    ),
    board("all [the] [(13|thirteen)] trick", "tricks=13", "declarer won all tricks", "all the tricks"),
    board("{won}; score {won}", "score={won}", "North-South scored {won}", "+620"),
    board("{lost}; score {lost}; minus {won}", "score=-{lost}", "North-South scored −{lost}", "-800"),
    board(
        "(missed|unbid|not bid) slam; slam (missed|not bid|unbid)",
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
        "(missed|unbid|not bid) game; game (missed|not bid|unbid)",
        "makes=game (is:partscore OR is:passedout)",
        "a game makes and was not bid",
        "missed game",
    ),
    board(
        "(missed|unbid) grand [slam]; grand slam (missed|not bid)",
        "makes=grand level<7",
        "a grand slam makes and was not bid",
        "missed grand slam",
    ),
    board(
        "lucky [contract]; (lucky|luckily) make; (luckily|fortunate) [made]; (by|with) luck",
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
        "unlucky [contract]; cold but down",
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
    board(f"{COLD} [contract]", "is:makeable", "makes with all cards seen", "cold"),
    board(
        "(unmakeable|unmakable|hopeless contract|bad contract|no play|should (not make|go down|fail))",
        "is:unmakeable",
        "goes down with all cards seen",
        "unmakeable",
    ),
    board(f"{COLD} slam", "makes=slam", "a slam makes with all cards seen", "cold slam"),
    board(f"{COLD} game", "makes=game", "a game makes with all cards seen", "cold game"),
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
        "sacrifice; sac",
        f"is:competitive is:unmakeable {OPPONENTS_GAME}",
        "bid over a game that the opponents make, and goes down with all cards seen",
        "sacrifice",
        "sacrifice",
    ),
    board(
        "(good|profitable|cheap|successful) (sacrifice|sac)",
        f"is:competitive is:unmakeable {OPPONENTS_GAME} againstpar>=0",
        "a sacrifice that cost no more than par",
        "good sacrifice",
    ),
    board(
        "(bad|phantom|expensive|dear) (sacrifice|sac)",
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
        "[(big|large|double figure|game)] swing",
        "swing>=10",
        "ten IMPs or more between the tables",
        "big swing",
    ),
    board("flat board; no swing; push; pushed board", "swing=0", "no IMPs between the tables", "flat board"),
    board(
        "{count} imp or more; swing {count} imp or more", "swing>={count}", "{count} IMPs or more", "10 IMPs or more"
    ),
    board("{n} imp [swing]; swing {n} [imp]", "swing{n}", "{n} IMPs between the tables", "12 imp swing"),
    board(
        "declarer (slipped|error|mistake|misplay|lost trick); misplayed; misplay; (badly|poorly) played",
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
        "(defence|defense|defender) (slipped|error|mistake); misdefended; misdefence; (bad|poor) (defence|defense)",
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

"""Phrases about what double dummy says: missed and lucky contracts, par, sacrifices, the play. And about swings."""

from collections.abc import Callable
from datetime import date
from functools import partial

from boards.search.phrases.patterns import Phrase, Scope, Values
from boards.search.phrases.table.auctions import short
from boards.search.phrases.table.contracts import GAMES
from boards.search.phrases.table.results import INVERTED

board = partial(Phrase, Scope.BOARD)

COLD = "(cold|laydown|makeable|makable|unbeatable|(could|can) [have] [(be|been)] (made|make)|should [have] (made|make))"
GAVE = "(dropped|gave|gave away|gave up|cost|lost|threw|threw away)"
DEFENDERS = "(defence|defense|defender)"
OPPONENTS_GAME = "(declarer=ns makes=game:ew OR declarer=ew makes=game:ns)"
NOT_BID = "(unbid|(not|never|nobody|no one|should have) (bid|reached|found)|(didnt|failed to) (bid|reach|find))"
MISSED = f"(missed|miss|missing|{NOT_BID})"
BUT = "[(on|makes)] [(but|that|we)]"
MISSED_GAME = "makes=game (is:partscore OR is:passedout)"
SAC = "(sacrifice|sac|save|dive|sacrificing|sacrificed)"
NEWEST = ", of the newest boards where they are more than can be compared"


def against_par(operator: str) -> Callable[[Values, date], str]:
    """Return the query of a side's score against par, which the language compares as declarer sees it."""

    def write(values: Values, today: date) -> str:
        side, turned = values["side"].query, operator.translate(INVERTED)
        other = "ew" if side == "ns" else "ns"
        return f"(declarer={side} againstpar{operator}0 OR declarer={other} againstpar{turned}0)"

    return write


PHRASES = (
    board(
        "lead (let|lets|letting) (it|them|him|her|contract|declarer) (through|make|home|in)",
        "leadcost>=1 is:made",
        "made, and the lead cost a trick with all cards seen",
        "lead let it through",
    ),
    board(
        "(cant|cannot|couldnt|could not|can not|shouldnt|should not) be (made|making) [(double dummy|dd)]",
        "is:unmakeable",
        "goes down with all cards seen",
        "contracts that can't be made",
    ),
    board(
        f"[(good|profitable)] {SAC} (against|over) [(their|our|the)] [(vulnerable|making|cold)] {{bid}}",
        lambda values, today: f"is:competitive is:unmakeable {OPPONENTS_GAME} auction*={short(values['bid'])}",
        "could not make, over {bid} of opponents who could make a game",
        "sacrifice against 4H",
    ),
    board("par [is|was] [a] slam", "makes=slam", "a slam makes with all cards seen", "par is a slam"),
    board("par [is|was] [a] game", "makes=game", "a game makes with all cards seen", "par is a game"),
    board(
        "(but|when|where|while) {contract} (make|makes|making|is cold|was cold)",
        lambda values, today: f"makes={values['contract'].query.rstrip('X')}",
        "{contract} makes with all cards seen",
        "but 3NT makes",
    ),
    board(
        "both side [(can|could)] (make|makes) game; game [on] [for] both side",
        "makes=game:ns makes=game:ew",
        "both sides make a game with all cards seen",
        "both sides make a game",
    ),
    board(
        "(5m|(five|5) of a minor|minor suit game) (make|making|makes|makeable|on)",
        "(makes=5C OR makes=5D)",
        "five of a minor makes with all cards seen",
        "5m making",
    ),
    board(
        "(no|without) game (possible|makes|making|available|there)",
        "-makes=game",
        "no game makes with all cards seen",
        "no game possible",
    ),
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
        f"{COLD} slam; with [a] slam (on|available|there); slam (on but|is on)",
        "makes=slam",
        "a slam makes with all cards seen",
        "cold slam",
    ),
    board(
        f"{COLD} game; with [a] game (on|available|there); game (on but|is on)",
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
    *(
        board(
            f"{{side}} [score] {words}; {words} [for] {{side}}",
            against_par(operator),
            f"{{side}} did {better} than par",
            f"NS {better} than par",
        )
        for words, better, operator in (
            ("(better than|above|beat|beats|over) par", "better", ">"),
            ("(worse than|below|under) par", "worse", "<"),
        )
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

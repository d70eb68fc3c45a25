"""Phrases about the contract and who played it."""

from functools import partial

from boards.search.phrases.patterns import Phrase, Scope

board = partial(Phrase, Scope.BOARD)

IN = "(contract|played|play|playing|ended|final contract|end up|ends)"
GAMES = {"spades": "4S", "hearts": "4H", "diamonds": "5D", "clubs": "5C", "notrump": "3NT"}
OF_SUIT = "denomination={strain}"
FOREIGN_AGAINST = "(gegen|contre|tegen|contra|mot)"

PHRASES = (
    board(
        f"{{contract}}; {FOREIGN_AGAINST} {{contract}}; {{contract}} (contract|bid|played|final contract);"
        f" {IN} [in] {{contract}}",
        "contract={contract}",
        "contract {contract}",
        "3NT",
        subject="declarers",
    ),
    board(
        "{contract} [played] by {seat}; {seat} [(play|plays|played|declares|declared|declaring|in)] {contract}",
        "contract={contract} declarer={seat}",
        "contract {contract} by {seat}",
        "4S by North",
        subject="declarer",
    ),
    board(
        "{contract} by {side}; {side} (play|plays|played|in) {contract}",
        "contract={contract} declarer={side}",
        "contract {contract} by {side}",
        "3NT by NS",
    ),
    board(
        "{seat} (declares|declared|declaring|declarer|plays|played); (declarer|declared by|played by) {seat}",
        "declarer={seat}",
        "{seat} was declarer",
        "declarer South",
        subject="declarer",
    ),
    board(
        "{side} (declares|declare|declared|declaring|plays|play|played); (declarer|declared by|played by) {side}",
        "declarer={side}",
        "{side} played",
        "played by NS",
    ),
    board(
        "notrump [contract]; nt [contract]; no trump [contract]; sans atout; sans; ohne trumpf",
        "denomination=notrump",
        "a notrump contract",
        "notrump contract",
    ),
    board(
        f"{{strain}} contract; {IN} [in] {{strain}}; {{strain}} trump; trump {{strain}}",
        OF_SUIT,
        "a contract in {strain}",
        "played in hearts",
    ),
    board(f"({FOREIGN_AGAINST}|in|against) {{strain}}", OF_SUIT, "a contract in {strain}", "gegen SA"),
    board(
        "(missing|off) {count} ace; {count} ace missing",
        lambda values, today: f"declarers(aces={4 - int(values['count'].query)})",
        "declarer’s side lacks aces: {count}",
        "missing two aces",
    ),
    board("(missing|off) [an] ace; ace missing", "declarers(aces=3)", "declarer’s side lacks an ace", "missing an ace"),
    board(
        "(suit|trump|colour|color) contract; against suit; farbkontrakt; contrat a [la] couleur",
        "-denomination=notrump level>=1",
        "a contract in a suit",
        "suit contract",
    ),
    board(
        "major [suit] contract; contract [in] major; played [in] major",
        "denomination=spades,hearts",
        "a contract in a major",
        "major suit contract",
    ),
    board(
        "minor [suit] contract; contract [in] minor; played [in] minor",
        "denomination=diamonds,clubs",
        "a contract in a minor",
        "minor suit contract",
    ),
    board(
        "game; game contract; game bid; bid game; full game; manche; vollspiel",
        "is:game",
        "a game contract, no slam",
        "game",
        subject="declarers",
    ),
    board("{strain} game; game [in] {strain}", f"is:game {OF_SUIT}", "a game in {strain}", "spade game"),
    board(
        "major [suit] game; game [in] major",
        "is:game denomination=spades,hearts",
        "a game in a major",
        "major suit game",
    ),
    board(
        "minor [suit] game; game [in] minor",
        "is:game denomination=diamonds,clubs",
        "a game in a minor",
        "minor suit game",
    ),
    board("(light|thin|low point) game", "is:game declarers(hcp<=23)", "a game with at most 23 points", "thin game"),
    board(
        "slam [(contract|bid)]; bid slam; schlemm; chelem",
        "is:slam",
        "level 6 or 7",
        "slam",
        subject="declarers",
    ),
    board(
        "major [suit] slam; slam [in] major",
        "is:slam denomination=spades,hearts",
        "a slam in a major",
        "major suit slam",
    ),
    board(
        "minor [suit] slam; slam [in] minor",
        "is:slam denomination=diamonds,clubs",
        "a slam in a minor",
        "slam in a minor",
    ),
    board(
        "(small|little) slam [(bid|contract)]; six level; petit chelem; kleinschlemm; klein slem",
        "level=6",
        "level 6",
        "small slam",
        subject="declarers",
    ),
    board(
        "grand [slam] [(bid|contract)]; seven level; grand chelem; grossschlemm; groot slem",
        "level=7",
        "level 7",
        "grand slam",
    ),
    board(
        "{strain} slam; slam [in] {strain}; (schlemm|chelem|slem) [(a|in)] {strain}",
        f"is:slam {OF_SUIT}",
        "a slam in {strain}",
        "slam in spades",
    ),
    board(
        "(small|little) slam [in] {strain}; small {strain} slam",
        f"level=6 {OF_SUIT}",
        "six of {strain}",
        "small slam in clubs",
    ),
    board(
        "grand [slam] [in] {strain}; grand {strain} slam",
        f"level=7 {OF_SUIT}",
        "seven of {strain}",
        "grand slam in hearts",
    ),
    board("(light|thin) slam", "is:slam declarers(hcp<=29)", "a slam with at most 29 points", "thin slam"),
    board(
        "(partscore|part score|partial|part game|teilkontrakt|(stopped|short) (below|of) game|stopped (below|short))",
        "is:partscore",
        "less than a game",
        "partscore",
    ),
    board(
        "{strain} (partscore|part score|partial); (partscore|part score|partial) [in] {strain}",
        f"is:partscore {OF_SUIT}",
        "a partscore in {strain}",
        "heart partscore",
    ),
    board("level {n}; {n} level [contract]", "level{n}", "level {n}", "5-level contract"),
    board(
        "(stopped|stopping|stop|stayed) (in|at|on) [the] {count} [level]",
        "level={count}",
        "a contract of {count}",
        "stopped in 5",
    ),
    board("high level [contract]", "level>=5", "level 5 or more", "high-level contract"),
    board("low level [contract]", "level<=2", "level 1 or 2", "low-level contract"),
    board("(five|5) minor; (five|5) of a minor", "contract=5C,5D", "5♣ or 5♦", "five of a minor"),
    board("(four|4) of a major", "contract=4H,4S", "4♥ or 4♠", "four of a major"),
    board("(five|5) level major; (five|5) of a major", "contract=5H,5S", "5♥ or 5♠", "five-level major"),
    board("{split} [trump] fit", "split={split}", "trumps shared {split}", "4-3 fit", subject="declarers"),
    board("{split} {strain} fit", f"split={{split}} {OF_SUIT}", "{strain} are trumps, shared {split}", "4-4 heart fit"),
    *(
        board(
            f"{{split}} {name} [suit] fit",
            f"split={{split}} denomination={suits}",
            f"a {name} is trumps, shared {{split}}",
            f"4-4 {name} fit",
            subject="declarers",
        )
        for name, suits in (("major", "spades,hearts"), ("minor", "diamonds,clubs"))
    ),
    board("moysian [fit]", "split=4-3", "trumps shared 4-3", "Moysian fit"),
    board("{n} [card] trump [(fit|together)]", "trumps{n}", "{n} trumps in declarer’s side", "9 trumps"),
)

"""Phrases about dealer and vulnerability, and about who played where: boards, tables, rooms, events, difficulty."""

from functools import partial

from boards.search.phrases.patterns import Phrase, Scope

board = partial(Phrase, Scope.BOARD)

VUL = "(vulnerable|vul|vuln|red)"
NOT_VUL = "((not|non) (vulnerable|vul|vuln)|nonvulnerable|nonvul|white|green)"
BEGINNER = (
    "(beginner|easy|easier|easiest|simple|simplest|basic|elementary|novice|newbie|newcomer|learner"
    "|debutant|anfanger|principiante|poczatkujacy|nyborjare"
    "|facile|facil|leicht|einfach|makkelijk|eenvoudig|latwy|latwe|latt)"
)
INTERMEDIATE = (
    "(intermediate|medium|moderate|improver|intermediaire|mittel|gemiddeld|intermedio|sredniozaawansowany|medel)"
)
ADVANCED = (
    "(advanced|avance|fortgeschritten|fortgeschrittene|gevorderd|gevorderden|avanzado|avanzato|zaawansowany|avancerad)"
)
EXPERT = "(expert|experte|experten|esperto|experto|ekspert|ekspertow)"

PHRASES = (
    board("dealer {seat}; {seat} (dealer|deals|dealing|deal)", "dealer={seat}", "{seat} was dealer", "dealer North"),
    board(
        f"(nobody|none|no one|neither [side]|nil) {VUL}; love all; (both|all) (non vulnerable|white|green)",
        "vul=none",
        "nobody vulnerable",
        "love all",
    ),
    board(
        f"(both|all|everybody|everyone) [side] {VUL}; game all; {VUL} (both|all)",
        "vul=both",
        "both sides vulnerable",
        "game all",
    ),
    board(f"{{side}} {VUL}; {VUL} {{side}}", "vul={side},all", "{side} vulnerable", "NS vulnerable"),
    board(f"{{side}} {NOT_VUL}; {NOT_VUL} {{side}}", "-vul={side},all", "{side} not vulnerable", "EW not vulnerable"),
    board(f"only {{side}} {VUL}", "vul={side}", "{side} vulnerable, the others not", "only NS vulnerable"),
    board(f"[declarer] {VUL}; {VUL} declarer", "vul=declarer", "declarer’s side vulnerable", "vulnerable"),
    board(
        f"[declarer] {NOT_VUL}; {NOT_VUL} declarer",
        "-vul=declarer",
        "declarer’s side not vulnerable",
        "not vulnerable",
    ),
    board(
        f"(defence|defender|opponent) {VUL}; {VUL} (defender|opponent)",
        "vul=defence",
        "the defenders vulnerable",
        "defenders vulnerable",
    ),
    board(
        f"(favourable|favorable) [(vulnerability|vul)]; {NOT_VUL} against ({VUL}|v|r); w against r",
        "vul=defence -vul=declarer",
        "the defenders vulnerable, declarer’s side not",
        "favourable vulnerability",
    ),
    board(
        f"(unfavourable|unfavorable|adverse) [(vulnerability|vul)]; {VUL} against ({NOT_VUL}|not); r against w;"
        f" v against {NOT_VUL}",
        "vul=declarer -vul=defence",
        "declarer’s side vulnerable, the defenders not",
        "unfavourable vulnerability",
    ),
    board("equal (vulnerability|vul)", "vul=none,both", "both sides vulnerable, or none", "equal vulnerability"),
    board(
        "(board|deal) [(number|no|nr)] {number}; donne {number}; spiel {number}",
        "board={number}",
        "board {number}",
        "board 7",
    ),
    board(
        "board {numbers}",
        "board={numbers}",
        "boards {numbers}",
        "boards 1-16",
    ),
    board(
        "board {number} and {number2}",
        "board={number},{number2}",
        "boards {number} and {number2}",
        "boards 5 and 6",
    ),
    board(
        "board {number} [and] {number2} [and] {number22}",
        "board={number},{number2},{number22}",
        "boards {number}, {number2} and {number22}",
        "boards 5, 6 and 7",
    ),
    board("board {number} to {number2}", "board={number}..{number2}", "boards {number} to {number2}", "boards 1 to 16"),
    board(
        "table [(number|no|nr)] {number}; tisch {number}; tafel {number}", "table={number}", "table {number}", "table 3"
    ),
    board("pair [(number|no|nr)] {number}; paar {number}", "pair={number}", "pair {number}", "pair 12"),
    *(
        board(f"{part} {{number}}", f'"{part} {{number}}"', f"{part} {{number}} in a text", f"{part} 3")
        for part in ("round", "match", "session", "segment", "section")
    ),
    board("open room; openroom", "room=open", "the open room", "open room"),
    board("closed room; closedroom", "room=closed", "the closed room", "closed room"),
    board(
        "(matchpoint|match point|mp) [(scoring|scored|pair|event)]",
        "scoring=MP",
        "scored by matchpoints",
        "matchpoints",
    ),
    board(
        "(imp|imps) [(scoring|scored|match)]; team (match|game); teams match", "scoring=IMP", "scored by IMPs", "imps"
    ),
    board("(bam|board a match)", "scoring=BAM", "scored board-a-match", "board-a-match"),
    board("rubber bridge", "scoring=Rubber", "rubber bridge", "rubber bridge"),
    board(
        "((no|without) result|unplayed|never played|not played)",
        "-result>=-13 -is:passedout",
        "no result is known",
        "no result",
    ),
    board("with [the] (auction|bidding)", "calls>=1", "the auction is known", "with the auction"),
    board("(without|no) (auction|bidding)", "-calls>=1", "no auction is known", "without bidding"),
    board(
        "popular; [well] liked; upvoted; (most|best|top|highest) (voted|rated|liked); (best|favourite|favorite) board",
        "votes>=1",
        "more votes for it than against",
        "popular",
    ),
    board(f"{BEGINNER} [difficulty]", "difficulty=beginner", "for beginners", "beginner"),
    board(f"{INTERMEDIATE} [difficulty]", "difficulty=intermediate", "for intermediate players", "intermediate"),
    board(f"{ADVANCED}", "difficulty=advanced", "for advanced players", "advanced"),
    board(f"{EXPERT}", "difficulty=expert", "for experts", "expert"),
    board(
        "(hard|harder|hardest|difficult|tough|tougher|toughest|challenging|tricky|schwer|schwierig|difficile|dificil|"
        "moeilijk|trudny|trudne|svar|svara)",
        "difficulty=advanced,expert",
        "for advanced players and experts",
        "difficult",
    ),
)

"""Further words for what themes are about. Without such a theme they are looked for in texts.

The labels of themes in all languages are phrases too (boards.search.phrases.names).
"""

from functools import partial

from boards.search.phrases.patterns import Phrase, Scope
from themes.labels import format_type

theme = partial(Phrase, Scope.BOARD)

OF_THEMES = tuple(
    theme(patterns, "", f"the theme {name}", patterns.partition(";")[0], identifier)
    for identifier, name, patterns in (
        (
            "control_bids",
            "control bids",
            "cue bidding; cuebid; cuebidding; cue bid; cue; control bidding; italian cue bid; first round control",
        ),
        (
            "fourth_suit_forcing",
            "fourth suit forcing",
            "fourth suit; 4th suit [forcing]; fsf",
        ),
        (
            "balancing",
            "balancing",
            "balancing seat; balancing (double|bid); (reopening|protective|protection) [(bid|double|seat)]; protecting",
        ),
        (
            "finesse",
            "finesse",
            """finessing; finessed; (two way|double|ruffing|deep|backward) finesse; schneiden; schnitt; schnittspiel;
            snijden; maskning; maska; impassen; impasy""",
        ),
        (
            "squeeze",
            "squeeze",
            """squeeze play; squeezing; squeezed; (simple|double|strip|trump|automatic|positional|pseudo) squeeze;
            dwangpositie; abwurfzwang; dwangstand; przymusy; squeezen""",
        ),
        (
            "endplay",
            "endplay",
            """elimination play; throw in; elimination; eliminatie; eliminierung; strip [and endplay]; endplayed;
            ingooien; wpustki; messa in presa; placement; elimination et mise en main; eliminacion; eliminazione;
            eliminering; inspel""",
        ),
        ("crossruff", "crossruff", "crossruffing; cross ruff; cross ruffing"),
        (
            "duck",
            "holding up and ducking",
            """ducking play; ducking; hold up [play]; holdup [play]; holding (up|off); ducked; ducken; duiken;
            coup a blanc; laisser (passer|filer); lisciata; lasciare; przepuszczanie; duckning""",
        ),
        ("unblock", "unblocking", "unblocking play; unblock; unblocked"),
        ("fourth_best", "fourth best", "fourth best lead; fourth highest [lead]; 4th best [lead]"),
        (
            "opening_lead",
            "opening leads",
            "choice of lead; lead problem; what to lead; choix dentame; uitkomen; wist",
        ),
        (
            "signalling",
            "signals",
            "count signal; attitude [signal]; signalling; defensive signal; signaleren; markierung; marken; appel",
        ),
        ("lavinthal", "suit preference", "suit preference [signal]; mckenney"),
        ("losing_trick_count", "the losing-trick count", "loser count; ltc; counting loser"),
        ("matchpoint_strategy", "matchpoint strategy", "matchpoint tactic; pair tactic"),
    )
)

OF_TYPES = {
    "declarer_play": """
        card play; cardplay; (dummy|hand) play; play [of] [the] (hand|card); (play|declarer|card play) problem;
        playing technique; alleinspiel; spieldurchfuhrung; jeu de la carte; jeu du declarant; afspel; afspelen;
        leiderspel; carteo; juego del declarante; gioco della carta; rozgrywka; spelforing
    """,
    "defence": """
        defensive play; defense; defending; (defence|defensive) problem; gegenspiel; verteidigung; jeu de flanc; flanc;
        jeu en defense; tegenspel; verdediging; defensa; flanqueo; controgioco; gra w obronie; forsvar; motspel
    """,
    "slam_bidding": """
        bidding a slam; slam problem; schlemmreizung; schlemmbieten; enchere de chelem; slembieden; slembieding;
        subasta de slam; dichiarazione di slam; licytacja szlemowa; slambudgivning
    """,
    "competitive_bidding": """
        bidding in competition; wettbewerbsreizung; gegenreizung; kompetitive reizung; enchere competitive;
        competitief bieden; subasta competitiva; dichiarazione competitiva; licytacja dwustronna; tavlingsbudgivning
    """,
    "system_bidding": """
        bidding system; bietsystem; reizsystem; systeme denchere; biedsysteem; sistema de subasta;
        sistema dichiarativo; system licytacyjny; budsystem
    """,
    "convention": """
        conventional bid; konvention; konventionen; konventioner; conventie; convencion; convencione; convenzione;
        convenzioni; konwencja; konwencje
    """,
    "hand_evaluation": """
        hand valuation; evaluating [a] hand; blattbewertung; handbewertung; evaluation de la main;
        handevaluatie; handwaardering; valoracion de la mano; valutazione della mano; ocena karty; handvardering
    """,
    "tactics": "tactical; taktik; tactique; tactiek; tactica; tattica; taktyka",
}
"""Words for the types of themes, which have no labels in other languages."""

ANY_BIDDING = " OR ".join(
    f"type={each}"
    for each in ("system_bidding", "convention", "competitive_bidding", "slam_bidding", "hand_evaluation")
)

PHRASES = (
    *OF_THEMES,
    *(
        theme(words, f"type={slug}", f"a theme of {format_type(slug).lower()}", words.partition(";")[0].strip())
        for slug, words in OF_TYPES.items()
    ),
    theme(
        "bidding (problem|theme|practice|exercise|quiz|lesson|question|judgement|judgment)",
        f"({ANY_BIDDING})",
        "a theme of bidding",
        "bidding problems",
    ),
)

"""Phrases about conventions and raises, as their calls show them."""

from datetime import date
from functools import partial

from boards.search.phrases.patterns import Phrase, Scope, Values
from boards.search.phrases.table.auctions import MAJORS, SUITS, after_one_of, auctions, short

board = partial(Phrase, Scope.BOARD)


def jumps(pattern: str) -> str:
    """Return the condition of a single jump in a new suit over one of a suit, as {jump} of a pattern."""
    return auctions(
        *(
            pattern.format(opened=opened, jump=f"{2 if SUITS.index(suit) > SUITS.index(opened) else 3}{suit}")
            for opened in SUITS
            for suit in SUITS
            if suit != opened
        )
    )


TRANSFERS = {"hearts": ("1N-P-2D", "2N-P-3D"), "spades": ("1N-P-2H", "2N-P-3H")}
NEGATIVE_DOUBLES = auctions(
    *(
        f"1{opened}-{overcall}-X"
        for place, opened in enumerate(SUITS)
        for overcall in [*(f"1{suit}" for suit in SUITS[place + 1 :]), *(f"2{suit}" for suit in SUITS[:place])]
    )
)


def doubled(values: Values, today: date) -> str:
    """Return the condition of a double over the overcall that is named, over any opening of one in another suit."""
    overcall = short(values["bid"])
    return auctions(*(f"1{suit}-{overcall}-X" for suit in SUITS if suit != overcall[1:]))


PHRASES = (
    board("stayman", auctions("1N-P-2C", "2N-P-3C"), "2♣ over 1NT, or 3♣ over 2NT", "Stayman", "stayman"),
    board(
        "(transfer|jacoby|jacoby transfer|transfer bid|red suit transfer)",
        auctions(*TRANSFERS["hearts"], *TRANSFERS["spades"]),
        "diamonds or hearts over partner’s notrump",
        "transfer",
        "jacoby_transfer",
    ),
    board(
        "(transfer|jacoby transfer|transferred) [to] heart",
        auctions(*TRANSFERS["hearts"]),
        "diamonds over partner’s notrump",
        "transfer to hearts",
    ),
    board(
        "(transfer|jacoby transfer|transferred) [to] spade",
        auctions(*TRANSFERS["spades"]),
        "hearts over partner’s notrump",
        "transfer to spades",
    ),
    board(
        "texas [transfer]; south african texas",
        auctions("1N-P-4D", "1N-P-4H"),
        "4♦ or 4♥ over 1NT",
        "Texas",
        "texas_transfer",
    ),
    board(
        "(blackwood|ace asking|rkcb|rkc|[roman] (keycard|key card) [blackwood]|4nt asking|asking ace)",
        auctions("4N"),
        "4NT was bid",
        "Blackwood",
        "rkcb",
    ),
    board(
        "splinter [bid]",
        auctions("1H-P-3S", "1H-P-4C", "1H-P-4D", "1S-P-4C", "1S-P-4D", "1S-P-4H"),
        "a double jump over 1♥ or 1♠",
        "splinter",
        "splinter",
    ),
    board(
        "michaels [(cue bid|cuebid)]",
        after_one_of(SUITS, "1{suit}-2{suit}"),
        "an overcall in the opener’s suit",
        "Michaels",
        "michaels",
    ),
    board(
        "michaels [cue bid] (major|over a major)",
        after_one_of(MAJORS, "1{suit}-2{suit}"),
        "an overcall in the opener’s major",
        "Michaels over a major",
    ),
    board(
        "(unusual (2nt|notrump|two notrump|nt)|2nt overcall)",
        after_one_of(SUITS, "1{suit}-2N"),
        "2NT over an opening of one",
        "unusual 2NT",
    ),
    board(
        "(1nt|one notrump|notrump) overcall",
        after_one_of(SUITS, "1{suit}-1N"),
        "1NT over an opening of one",
        "1NT overcall",
        subject="overcaller",
    ),
    board(
        "(takeout|take out) (double|x)",
        f"({after_one_of(SUITS, '1{suit}-X')} OR {after_one_of(SUITS, '2{suit}-X')})",
        "the opening in a suit was doubled",
        "takeout double",
        "takeout_double",
        "doubler",
    ),
    board(
        "negative double; (sputnik|spoutnik) [double]; (kontra|contra) sputnik",
        NEGATIVE_DOUBLES,
        "the opener’s partner doubled an overcall",
        "negative double",
        "negative_double",
        "doubler",
    ),
    board(
        "negative double (of|over|after) {bid}",
        doubled,
        "{bid} over an opening of one was doubled",
        "negative double of 1S",
        subject="doubler",
    ),
    board(
        "(unusual [2nt]|unusual two notrump) (over|after) {bid}",
        lambda values, today: auctions(f"{short(values['bid'])}-2N"),
        "2NT over {bid}",
        "unusual 2NT over 1H",
        subject="overcaller",
    ),
    board("over {bid}", lambda values, today: auctions(short(values["bid"])), "{bid} was bid", "over 2C"),
    board(
        "[weak] jump overcall",
        jumps("1{opened}-{jump}"),
        "a jump in a suit over one of another",
        "jump overcall",
        subject="overcaller",
    ),
    board(
        "[(weak|strong)] jump shift",
        jumps("1{opened}-P-{jump}"),
        "a jump in a new suit over partner’s one of a suit",
        "jump shift",
        subject="responder",
    ),
    board("puppet [stayman]", auctions("1N-P-3C", "2N-P-3C"), "3♣ over partner’s notrump", "puppet Stayman"),
    board("bergen [raise]", after_one_of(MAJORS, "1{suit}-P-3C"), "3♣ over partner’s major", "Bergen raise"),
    board("ogust", after_one_of("DHS", "2{suit}-P-2N"), "2NT over partner’s two of a suit", "Ogust"),
    board("lebensohl", after_one_of("DHS", "1N-2{suit}-2N"), "1NT, an overcall, 2NT", "Lebensohl"),
    board("namyats", "opening=4C,4D", "opened 4♣ or 4♦", "Namyats", subject="opener"),
    board("quantitative [4nt]; 4nt quantitative", auctions("1N-P-4N", "2N-P-4N"), "4NT over notrump", "quantitative"),
    board(
        "minor [suit] transfer; transfer [to] minor",
        auctions("1N-P-2S", "1N-P-2N"),
        "2♠ or 2NT over 1NT",
        "minor suit transfer",
    ),
    board("(jacoby 2nt|jacoby two notrump)", auctions("1H-P-2N", "1S-P-2N"), "2NT over 1♥ or 1♠", "Jacoby 2NT"),
    board("gerber", auctions("1N-P-4C", "2N-P-4C"), "4♣ over notrump", "Gerber"),
    board("grand slam force; josephine", auctions("5N"), "5NT was bid", "grand slam force"),
    board("drury", "openerseat=3,4 " + auctions("1H-P-2C", "1S-P-2C"), "2♣ by a passed hand over 1♥ or 1♠", "Drury"),
    board("inverted minor", auctions("1C-P-2C", "1D-P-2D"), "a minor raised to the two level", "inverted minors"),
    board(
        "(single|simple) raise", after_one_of(SUITS, "1{suit}-P-2{suit}"), "one of a suit raised to two", "single raise"
    ),
    board(
        "(limit|jump|invitational) raise",
        after_one_of(SUITS, "1{suit}-P-3{suit}"),
        "one of a suit raised to three",
        "limit raise",
    ),
    board(
        "(preemptive raise|raise [to] game|raised [to] game)",
        auctions("1H-P-4H", "1S-P-4S"),
        "one of a major raised to four",
        "raise to game",
    ),
)

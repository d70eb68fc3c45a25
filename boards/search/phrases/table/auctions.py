"""Phrases about the bidding: openings, conventions, and what both sides did."""

from datetime import date
from functools import partial

from boards.search.phrases.patterns import Phrase, Scope, Values
from boards.search.phrases.slots.reading import Value

board = partial(Phrase, Scope.BOARD)

MINORS, MAJORS, SUITS = "CD", "HS", "CDHS"


def auctions(*calls: str) -> str:
    return f"auction*={','.join(calls)}"


def after_one_of(suits: str, calls: str) -> str:
    """Return the condition of calls such as "1{suit}-X", for each of the suits."""
    return auctions(*(calls.format(suit=suit) for suit in suits))


def short(bid: Value) -> str:
    """Return a bid as auctions have it: 1N."""
    return bid.query.replace("NT", "N")


def openings(level: int, suits: str = SUITS) -> str:
    return f"opening={','.join(f'{level}{suit}' for suit in suits)}"


TWO_OVER_ONE = auctions("1D-P-2C", "1H-P-2C", "1H-P-2D", "1S-P-2C", "1S-P-2D", "1S-P-2H")
PREEMPT = "(preempt|preempts|preemptive|preempted|preempting|preemption|pre (empt|empts|emptive|empted|empting))"
INTERFERED = "(overcall|overcalled|overcalling|interference|interfered|intervention|intervened|bid|competed)"
OPENED = "(open|opens|opened|opening|opener|ouverture|eroffnung|apertura)"


def then_bid(values: Values, today: date) -> str:
    """Return the condition of a bid that came later: a game or a slam is meant as the contract."""
    bid = str(values["bid"])
    is_end = bid in ("3NT", "4H", "4S") or int(bid[0]) >= 5
    return f"contract={bid}" if is_end else auctions(short(values["bid"]))


PHRASES = (
    board(
        f"{OPENED} [bid] {{bid}}; {{bid}} {OPENED} [bid]",
        "opening={bid}",
        "opened {bid}",
        "opened 1NT",
        subject="opener",
    ),
    board(
        f"{OPENED} [one] {{suit}}; [one] {{suit}} {OPENED}",
        "opening=1{suit.letter}",
        "opened one of {suit}",
        "opened a spade",
        subject="opener",
    ),
    board(
        f"{{points}} (1nt|notrump|nt|one notrump) [{OPENED}]",
        "opening=1NT opener(hcp{points})",
        "opened 1NT with {points} points",
        "15-17 notrump",
        subject="opener",
    ),
    board(
        f"(weak|mini) (1nt|one notrump) [{OPENED}]; weak (notrump|nt) ({OPENED}|auction)",
        "opening=1NT opener(hcp<=14)",
        "opened 1NT with at most 14 points",
        "weak 1NT",
        subject="opener",
    ),
    board(
        f"strong (1nt|one notrump) [{OPENED}]; strong (notrump|nt) ({OPENED}|auction)",
        "opening=1NT opener(hcp>=15)",
        "opened 1NT with 15 points or more",
        "strong 1NT opening",
        subject="opener",
    ),
    board(
        "{seat} (open|opens|opened|opener); (open|opened|opening) by {seat}",
        "opener={seat}",
        "{seat} opened",
        "South opened",
        subject="opener",
    ),
    board(
        "{seat} (open|opens|opened) {bid}; {bid} (opened|opening) by {seat}",
        "opener={seat} opening={bid}",
        "{seat} opened {bid}",
        "North opened 1NT",
        subject="opener",
    ),
    board(
        "(open|opens|opened|opening) {bid} [in] {turn} (seat|hand|position)",
        "opening={bid} openerseat={turn}",
        "opened {bid} in {turn} seat",
        "opened 1NT in third seat",
        subject="opener",
    ),
    board(
        "{turn} (seat|hand|position) (opening|opener|open|opened)",
        "openerseat={turn}",
        "opened in {turn} seat",
        "third seat opening",
        subject="opener",
    ),
    board(
        "[(open|opened|opening)] {turn} (seat|hand|position)",
        "openerseat={turn}",
        "opened in {turn} seat",
        "opened in fourth seat",
        subject="opener",
    ),
    board(
        "(open|opened|opening) [at] [the] (one|1) level; one level opening",
        openings(1, "CDHSN"),
        "opened at the one level",
        "one-level opening",
        subject="opener",
    ),
    board(
        "(open|opened|opening) [one] major; [one] major [suit] (opening|opener); one of a major",
        openings(1, MAJORS),
        "opened 1♥ or 1♠",
        "major opening",
        subject="opener",
    ),
    board(
        "(open|opened|opening) [one] minor; [one] minor [suit] (opening|opener); one of a minor",
        openings(1, MINORS),
        "opened 1♣ or 1♦",
        "minor opening",
        subject="opener",
    ),
    board(
        "(weak two|weak 2|zwakke twee) [(bid|opening)]",
        openings(2, "DHS"),
        "opened 2♦, 2♥ or 2♠",
        "weak two",
        "weak_two",
        subject="opener",
    ),
    board(
        "(weak two|weak 2|zwakke twee|2 faible|2 debil|slabe dwa) [bid] {suit} [opening]",
        "opening=2{suit.letter}",
        "opened two of {suit}",
        "weak two in hearts",
        subject="opener",
    ),
    board(
        "multi [diamond]; multi (2d|2 diamond|two diamond)",
        "opening=2D",
        "opened 2♦",
        "multi",
        "multi_two_diamonds",
        subject="opener",
    ),
    board(
        "strong ((two|2) [club]|2c) [opening]; game forcing (opening|2c|two club)",
        "opening=2C",
        "opened 2♣",
        "strong two clubs",
        subject="opener",
    ),
    board(
        "strong club; precision club",
        "opening=1C opener(hcp>=16)",
        "opened 1♣ with 16 points or more",
        "strong club",
        subject="opener",
    ),
    board(
        f"{PREEMPT} [(opening|bid)]; barrage; sperransage",
        f"({openings(3)} OR {openings(4)})",
        "opened at the three or four level in a suit",
        "preempt",
        subject="opener",
    ),
    board(
        f"(three|3) level ({PREEMPT}|opening); {PREEMPT} [at] [the] (three|3) level",
        openings(3),
        "opened at the three level in a suit",
        "three-level preempt",
        subject="opener",
    ),
    board(
        f"{PREEMPT} {{bid}}; {{bid}} {PREEMPT}",
        "opening={bid}",
        "opened {bid}",
        "preempt 3D",
        subject="opener",
    ),
    board(
        f"{PREEMPT} {{suit}}; {{suit}} {PREEMPT}",
        "opening=3{suit.letter},4{suit.letter}",
        "opened three or four of {suit}",
        "preempt in clubs",
        subject="opener",
    ),
    board(
        "(open|opened|opening) [at] [the] (three|3) level",
        openings(3),
        "opened at the three level",
        "opened at the three level",
        subject="opener",
    ),
    board(
        f"(four|4) level ({PREEMPT}|opening); ({PREEMPT}|open|opened|opening) [at] [the] (four|4) level",
        openings(4),
        "opened at the four level",
        "four-level opening",
        subject="opener",
    ),
    board(
        "gambling [(3nt|three notrump)] [(opening|opener)]",
        "opening=3N",
        "opened 3NT",
        "gambling 3NT",
        subject="opener",
    ),
    board(
        "light (opening|opener); (opened|opening) light",
        "opener(hcp<=10) (" + openings(1) + ")",
        "opened one of a suit with at most ten points",
        "light opening",
        subject="opener",
    ),
    board(
        "(passed|pass|thrown|threw) out; (thrown|threw) in; (nobody|no one) (bid|opened) [anything];"
        " (all|everybody|everyone) (pass|passed); four passes; passed (hand|deal|board); rundpass",
        "is:passedout",
        "passed out",
        "passed out",
    ),
    board(
        "{bid} overcall over {bid2}; {bid} over {bid2}; overcalled {bid2} with {bid}",
        lambda values, today: f"auction*={short(values['bid2'])}-{short(values['bid'])}",
        "{bid} directly over {bid2}",
        "1S over 1D",
        subject="overcaller",
    ),
    board(
        f"{INTERFERED} over [(our|their|opponent)] {{bid}}",
        "opening={bid} overcaller(hcp>=0)",
        "opened {bid}, and the opponents did not pass",
        "interfered over our 1NT",
        subject="overcaller",
    ),
    board(
        f"{INTERFERED} over [(our|their|opponent)] (notrump|nt)",
        "opening=1NT overcaller(hcp>=0)",
        "opened 1NT, and the opponents did not pass",
        "interference over notrump",
        subject="overcaller",
    ),
    board(
        "[(takeout|take out)] double of {bid}; {bid} (doubled|was doubled) [for] takeout",
        lambda values, today: f"auction*={short(values['bid'])}-X",
        "{bid} was doubled at once",
        "takeout double of 1H",
        subject="doubler",
    ),
    board("(bid|bids) {bid}", lambda values, today: auctions(short(values["bid"])), "{bid} was bid", "bid 4NT"),
    board("then {bid}", then_bid, "{bid} after that", "then 2C"),
    board(
        "{bid} (all pass|ap|pass out|passed out)",
        "opening={bid} contract={bid}",
        "opened {bid}, and all passed",
        "1NT all pass",
    ),
    board("{calls}", "auction^={calls}", "the bidding begins {calls}", "1NT pass 2C pass 2H"),
    board(
        "(overcall|overcalled) {bid}; {bid} overcall",
        lambda values, today: auctions(*(f"1{suit}-{short(values['bid'])}" for suit in SUITS)),
        "{bid} over an opening of one",
        "2C overcall",
        subject="overcaller",
    ),
    board(
        "overcall; overcalled; overcalling; intervention; intervened; interfered; interfering; interference",
        "overcaller(hcp>=0)",
        "the opening was overcalled",
        "overcall",
        subject="overcaller",
    ),
    board("(penalty double|doubled [for] penalty|penalty)", "is:doubled", "the contract was doubled", "penalty double"),
    board("redouble; redoubled", "(is:redoubled OR auction*=XX)", "somebody redoubled", "redouble"),
    board("redoubled contract", "is:redoubled", "the contract was redoubled", "redoubled contract"),
    board(
        "(doubled|doubled contract|gedoubelt|contre|kontriert|contrado|doblado)",
        "is:doubled",
        "the contract was doubled",
        "doubled",
    ),
    board("(undoubled|not doubled|without [a] double)", "-is:doubled", "not doubled", "undoubled"),
    board(
        "(competitive|contested|competition|competed|competing) [(auction|bidding|deal)];"
        " (both side|everybody|everyone|all four [player]) (bid|bidding|in [the] bidding)",
        "is:competitive",
        "both sides bid",
        "competitive auction",
    ),
    board(
        "(uncontested|(no|without) interference|undisturbed|opponent (silent|pass|passed)) [(auction|bidding)]",
        "-is:competitive -is:passedout",
        "one side bid alone",
        "uncontested auction",
    ),
    board("long (auction|bidding)", "calls>=14", "14 calls or more", "long auction"),
    board("short (auction|bidding)", "calls<=6 -is:passedout", "at most six calls", "short auction"),
    board("{n} call; (auction|bidding) {n} [(bid|call)]", "calls{n}", "{n} calls", "12 calls"),
    board(
        "(two over one|2 over 1|two over one response) [game (force|forcing)]",
        TWO_OVER_ONE,
        "a new suit at the two level over one of a suit",
        "two over one",
    ),
    board(
        "raised {bid} [to] {count}; {bid} raised [to] {count}",
        lambda values, today: auctions(f"{short(values['bid'])}-P-{values['count']}{short(values['bid'])[1]}"),
        "{bid} raised to the level of {count}",
        "raised 2S to 4",
    ),
    board(
        "(alerted|alert|explained|explanation) [(call|bid)]; artificial bid",
        "is:alerted",
        "a call was alerted or explained",
        "alerted",
    ),
)

"""Further words for what themes are about. Without such a theme they are looked for in texts.

The labels of themes in all languages are phrases too (boards.search.phrases.names).
"""

from functools import partial

from boards.search.phrases.patterns import Phrase, Scope

theme = partial(Phrase, Scope.BOARD)

PHRASES = tuple(
    theme(patterns, "", f"the theme {name}", patterns.partition(";")[0], identifier)
    for identifier, name, patterns in (
        ("control_bids", "control bids", "cue bidding; control bidding; italian cue bid; first round control"),
        ("fourth_suit_forcing", "fourth suit forcing", "fourth suit; 4th suit [forcing]; fsf"),
        ("balancing", "balancing", "balancing seat; reopening [(bid|double)]; protective (bid|double); protecting"),
        ("finesse", "finesse", "finessing; finessed; two way finesse"),
        ("squeeze", "squeeze", "squeeze play; squeezing; squeezed; simple squeeze; double squeeze"),
        ("endplay", "endplay", "elimination play; throw in; elimination; strip and endplay; endplayed"),
        ("crossruff", "crossruff", "crossruffing; cross ruff; cross ruffing"),
        ("duck", "holding up and ducking", "ducking play; ducking; hold up [play]; holding up; ducked"),
        ("unblock", "unblocking", "unblocking play; unblock; unblocked"),
        ("fourth_best", "fourth best", "fourth best lead; fourth highest [lead]; 4th best [lead]"),
        ("opening_lead", "opening leads", "choice of lead; lead problem; what to lead"),
        ("signalling", "signals", "count signal; attitude [signal]; signalling; defensive signal"),
        ("lavinthal", "suit preference", "suit preference signal; mckenney"),
        ("losing_trick_count", "the losing-trick count", "loser count; ltc; counting loser"),
        ("matchpoint_strategy", "matchpoint strategy", "matchpoint tactic; pair tactic"),
    )
)

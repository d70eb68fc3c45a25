"""What people read of the markup that programs write into texts."""

from bridge.texts import for_people


def test_suit_signs_of_three_programs_become_symbols_and_other_text_stays() -> None:
    shown = {
        r"Lead \SK, not 3\H or \Cx; \D.": "Lead ♠K, not 3♥ or ♣x; ♦.",
        "1!h, 2!C-2!D (!s) !S10 !hAx": "1♥, 2♣-2♦ (♠) ♠10 ♥Ax",
        "5+{s}, {H} or {d}": "5+♠, ♥ or ♦",
        "<p class=x>Win <b>the</b> <font color=red>\\HA</font><br>&amp; <SPAN>go</SPAN></p>": "\nWin the ♥A\n& go\n",
    }
    others = (
        "No!Hearts",
        "Draw!",
        "Ha!Ha",
        "Oh!CATS",
        "Bad! Say",
        r"C:\Deals\Sept",
        r"\Some",
        "{See}",
        "a < b > c",
        "<unknown>",
    )
    shown |= dict(zip(others, others, strict=True))
    assert {text: for_people(text) for text in shown} == shown


def test_text_that_looks_like_a_script_stays_text() -> None:
    assert for_people("&lt;b&gt;<script>x</script>") == "<b><script>x</script>"
    assert for_people(f"&#{'9' * 5000};!s") == "\ufffd♠"

"""Calls, cards and contracts in templates."""

from django.utils.html import strip_tags

from boards.drawing.symbols import call, card, denomination, explanation, par_contract
from deals.bridge.auction import BIDS
from deals.bridge.cards import DECK


def test_a_par_contract_is_displayed_with_its_spoken_text() -> None:
    spoken = {
        "Pass": "passed out",
        "NS 4S": "4♠\ufe0efour spades by North-South",
        "E 1NT+1": "1NT+1one no trump+1 by East",
        "EW 5DX-2": "5♦\ufe0eX-2five diamonds doubled -2 by East-West",
    }
    assert {contract: strip_tags(par_contract(contract)) for contract in spoken} == spoken


def test_symbols_are_hidden_from_screen_readers_and_words_from_the_screen() -> None:
    expected = '<span aria-hidden="true">1<span class="spades">♠\ufe0e</span></span>'
    assert call("1S") == f'{expected}<span class="visually-hidden">one spade</span>'
    assert denomination("NT") == "NT" and call("Pass") == "Pass"
    assert len({call(text) for text in (*BIDS, "Pass", "X", "XX")}) == 38
    assert len({card(text) for text in DECK}) == 52
    assert "ten of spades" in card("ST") and "10" in card("ST")


def test_an_explanation_has_a_dash_for_two_hyphens_suits_as_symbols_with_words_and_no_tags() -> None:
    text = explanation("Takeout double -- 2- ♣; 3-5 ♥\ufe0e")
    assert strip_tags(text) == "Takeout double – 2- ♣\ufe0eclubs; 3-5 ♥\ufe0ehearts"
    assert '<span class="hearts">♥\ufe0e</span>' in text
    assert explanation("<b>♠</b>").startswith("&lt;b&gt;<span") and explanation("--x--") == "--x--"

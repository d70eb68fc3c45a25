from pytest import raises

from bridge.errors import BridgeError
from bridge.seats import Seat, parse_seat
from bridge.vulnerability import Vulnerability, board_dealer, board_vulnerability, parse_vulnerability


def test_a_seat_knows_its_neighbours_its_side_and_its_names_and_is_read_in_either_case() -> None:
    assert "".join(Seat) == "NESW"
    assert [seat.next for seat in Seat] == [Seat.EAST, Seat.SOUTH, Seat.WEST, Seat.NORTH]
    assert [seat.partner for seat in Seat] == [Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST]
    assert Seat.SOUTH.clockwise() == (Seat.SOUTH, Seat.WEST, Seat.NORTH, Seat.EAST)
    assert [(seat.index, seat.side, seat.key, seat.full_name) for seat in Seat] == [
        *((0, "NS", "north", "North"), (1, "EW", "east", "East")),
        *((2, "NS", "south", "South"), (3, "EW", "west", "West")),
    ]
    assert parse_seat(" s ") is Seat.SOUTH


def test_seats_are_read_in_eight_languages_but_no_letter_that_is_two_seats() -> None:
    for seat, words in (
        *(("N", "n North Nord NORTE Noord Północ Norr"), ("E", "East Ost Est Este Oost wschód Öst ö")),
        *(("S", "South Süd SUD Sur Zuid Południe Söder"), ("W", "West Ouest Oeste Ovest Zachód Väst v")),
    ):
        assert {word: parse_seat(word) for word in words.split()} == dict.fromkeys(words.split(), seat)
    for text in ("O", "Z", "P", "", "Northwest"):
        with raises(BridgeError, match="not a seat") as error:
            parse_seat(text)
        assert error.value.code == "malformed_seat"


def test_dealer_and_vulnerability_follow_the_cycle_of_sixteen_boards() -> None:
    assert "".join(board_dealer(number) for number in range(1, 10)) == "NESWNESWN"
    cycle = ["None", "NS", "EW", "All", "NS", "EW", "All", "None", "EW", "All", "None", "NS", "All", "None", "NS", "EW"]
    assert [board_vulnerability(number) for number in range(1, 33)] == cycle * 2


def test_vulnerability_includes_its_seats_and_is_read_in_every_spelling() -> None:
    included = {each: "".join(seat for seat in Seat if each.includes(seat)) for each in Vulnerability}
    assert included == {"None": "", "NS": "NS", "EW": "EW", "All": "NESW"}
    spellings = {"None": "None", "LOVE": "None", "-": "None", "ns": "NS", " EW": "EW", "all": "All", "Both": "All"}
    assert {text: parse_vulnerability(text) for text in spellings} == spellings
    for vulnerability, words in (
        ("None", "Nobody Keiner Personne Nadie Nessuno Niemand Żadna Nikt Ingen"),
        ("NS", "N-S N/S N-Z North-South Nord/Süd Północ-Południe"),
        ("EW", "E-W E/W EO O-W OW ÖV WE East-West Est-Ouest"),
        ("All", "Alle Tous Todos Tutti Allen Obie Alla"),
    ):
        read = {word: parse_vulnerability(word) for word in words.split()}
        assert read == dict.fromkeys(words.split(), vulnerability)
    with raises(BridgeError) as error:
        parse_vulnerability("North")
    assert error.value.code == "malformed_vulnerability"
    assert str(error.value) == error.value.message == "'North' is not a vulnerability. Write None, NS, EW or All."

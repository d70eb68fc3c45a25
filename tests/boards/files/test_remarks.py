"""Equal remarks on a file's records are said once to people."""

from boards.files.previews import group_remarks
from bridge.formats.outcomes import RecordError, RecordWarning

DOUBLED = "The auction ends in {0}X by {1}, but the contract is given as {0} by {1}. The auction was used."


def test_remarks_that_differ_in_their_values_alone_are_one_with_the_first_boards_and_lines() -> None:
    doubled = [("4S", "North"), ("3NT", "East"), ("4S", "West"), ("2C", "South"), ("2C", "South")]
    remarks = [
        RecordWarning(number, f"{number}", 10 * number, "contract_doubled", DOUBLED.format(*values))
        for number, values in enumerate(doubled, start=1)
    ]
    added = [RecordWarning(number, "7", number, "passes_added", "A pass was added.") for number in (6, 7)]
    refused = RecordError(8, "", 90, "unknown_hand", "East's hand is missing.")
    groups = group_remarks([refused, *added, *remarks])
    assert [(group.kind, group.where, group.message) for group in groups] == [
        (
            "5 records repaired",
            "boards 1, 2, 3 and 2 more, lines 10, 20, 30 and 2 more",
            f"{remarks[0].message} The others are alike.",
        ),
        ("2 records repaired", "board 7, lines 6, 7", "A pass was added."),
        ("refused", "record 8, line 90", "East's hand is missing."),
    ]


def test_other_sentences_of_one_code_stay_apart() -> None:
    reasons = ("The call Pass comes after the auction's end.", "The call 6S comes after the auction's end.", "No call.")
    remarks = [RecordWarning(1, "1", 1, "auction_dropped", reason) for reason in reasons]
    assert [group.count for group in group_remarks(remarks)] == [2, 1]

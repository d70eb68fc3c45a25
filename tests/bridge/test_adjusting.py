"""The director's scores as files write them."""

from bridge.scores import parse_adjustment


def test_percentages_are_those_of_both_sides_and_averages_are_imps_too() -> None:
    for texts, percentages, imps in (
        ("A60-40 A6040 a60/40 60-40 60%-40% A60 60% 60.00%", (60, 40), (3, -3)),
        ("AVE+ Av+ A+ AVERAGE+ average_plus AVE+/AVE+ A6060", (60, 60), (3, 3)),
        ("AVE+/AVE- AV+/AV-", (60, 40), (3, -3)),
        ("AVE- avg- AverageMinus A4040", (40, 40), (-3, -3)),
        ("AVE AV AVERAGE A= A50 A5050 50%", (50, 50), (0, 0)),
        ("A55-45", (55, 45), (None, None)),
        ("A100 A100-0", (100, 0), (None, None)),
    ):
        for text in texts.split():
            found = parse_adjustment(text.replace("_", " "))
            assert found == percentages and (found.imps, found.turned().imps) == imps, text
    for text in ("", "A", "ADJ", "Adjusted", "A4S", "A505", "A60-40-20", "AVE+/4S", "4SX", "+60", "A1010100"):
        assert parse_adjustment(text) is None, text

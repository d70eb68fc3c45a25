"""What files write as a date, and that nothing is read as one that is none."""

from bridge.formats.dates import ReadDate, read_date


def test_dates_are_read_as_files_write_them() -> None:
    for text in (
        *("2026.03.09", "2026-03-09", "2026-03-09T19:30:00Z", "2026-03-09 19:30", "2026/3/9", "9.3.2026", "20260309"),
        *("260309", "09032026", "9 Mar 2026", "Sat 9 Mar 2026", "March 9, 2026", "Mon, March 9th 2026 7:30 PM"),
        *("9. März 2026", "lundi 9 mars 2026", "9 de marzo de 2026", "9 marzo 2026", "9 maart 2026", "9 marca 2026"),
        *("9-Mar-26", "2026 March 9", "2026.03.9", "9. MÄRZ 2026", "mar 9 mars 2026", "9. mrz 2026"),
    ):
        assert read_date(text) == ReadDate("2026.03.09"), text
    for text, written in (
        *(
            ("2026.11.?", "2026.11.??"),
            ("2026.?.?", "2026.??.??"),
            ("2026.11.00", "2026.11.??"),
            ("2026", "2026.??.??"),
        ),
        *(("11.2026", "2026.11.??"), ("listopad 2026", "2026.11.??"), ("1er août 1998", "1998.08.01")),
        *(("31 de mayo de 1998", "1998.05.31"), ("5 października 1998", "1998.10.05"), ("980131", "1998.01.31")),
    ):
        assert read_date(text).text == written, text


def test_the_day_stands_first_unless_only_the_month_can_or_the_file_has_shown_it() -> None:
    assert read_date("23/03/2026") == ReadDate("2026.03.23", month_first=False)
    assert read_date("03/23/2026") == read_date("03/23/26") == ReadDate("2026.03.23", month_first=True)
    assert read_date("03/04/2026") == read_date("03/04/2026", False) == ReadDate("2026.04.03")
    assert read_date("03/04/2026", True) == ReadDate("2026.03.04")
    assert read_date("2026.23.03") == ReadDate("2026.03.23", is_guess=True)


def test_what_is_no_date_is_none() -> None:
    for text in (
        *("2015.02.30", "29/02/2025", "2026.13.32", "2026.??.15", "0000.01.01", "????.??.??", "20262303", "1955C"),
        *("May", "Mon", "9 jui 2026", "9-11 March 2026", "Week 9 March 2026", "26.03.09", "0", "", "2026" * 20, "₉ ²"),
    ):
        assert read_date(text) == ReadDate(), text

"""Tables in a terminal."""

from types import SimpleNamespace

import pytest

from ui.commands.print_tables import print_table
from ui.services.tables import Table, number, text

COLUMNS = (text("rater", "rater"), *(number(f"share of kind {place} of all", "value") for place in range(14)))


def test_a_table_too_wide_for_the_terminal_is_printed_in_parts_that_name_their_rows(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    print_table(Table("Raters", COLUMNS, [SimpleNamespace(rater="K7", value=0.125)]))
    printed = capsys.readouterr().out
    parts = printed.count("(continued)") + 1
    assert printed.count("K7") == parts > 1 and printed.count("0.125") == 14
    assert max(map(len, printed.splitlines())) <= 80


def test_a_table_without_rows_prints_its_footnote(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(Table("Differences", COLUMNS, [], "Not tested: all."))
    assert capsys.readouterr().out == "Differences: Not tested: all.\n"

"""Tables as people read them: what each kind of column shows of a row."""

from dataclasses import dataclass

import pytest

from ui.services.tables import INTERVAL, Cell, Column, Table, cell, cells, count, number, spreadsheet, text


@dataclass(frozen=True)
class Row:
    name: str = "A"
    n: int = 1234
    value: float | None = -0.12345
    ci_low: float | None = -0.2
    ci_high: float | None = 0.25
    by_coder: tuple[tuple[str, int], ...] = ()
    note: str = ""


def ranked(value: float | None, low: float | None = -0.5, high: float | None = 1.5) -> object:
    mappings = {"means": {"M": value}, "lows": {"M": low}, "highs": {"M": high}, "ranks": {"M": 2}}
    return type("Ranked", (), mappings)()


def test_a_ranked_cell_shows_rank_value_and_interval_and_a_spreadsheet_four_numbers() -> None:
    column = Column("M", ("means", "lows", "highs", "ranks", "M"), "ranked", 2, "no score")
    assert cell(ranked(0.25), column) == Cell("2. 0.25 (−0.50 to 1.50)", "0.25")
    assert cell(ranked(0.25, None, None), column) == Cell("2. 0.25", "0.25")
    assert cell(ranked(None), column) == Cell("no score")
    heads, lines = spreadsheet(Table("T", (column,), [ranked(0.25)]))
    assert heads == ["M", "M low", "M high", "M rank"]
    assert [one.text for one in lines[0]] == ["0.25", "−0.50", "1.50", "2"]


@pytest.mark.parametrize(
    ("column", "row", "expected"),
    [
        (text("name", "name"), Row(), Cell("A")),
        (count("n", "n"), Row(), Cell("1,234", "1234")),
        (number("value", "value"), Row(), Cell("−0.123", "-0.12345")),
        (number("value", "value", 2), Row(), Cell("−0.12", "-0.12345")),
        (number("value", "value"), Row(value=None), Cell("undefined")),
        (number("value", "value", undefined="no pairs"), Row(value=None), Cell("no pairs")),
        (Column("share", ("value",), "share"), Row(value=0.5), Cell("50.0%", "0.5")),
        (Column("95 %", INTERVAL, "interval"), Row(), Cell("−0.200 to 0.250", "-0.2 to 0.25")),
        (Column("95 %", INTERVAL, "interval"), Row(ci_low=None), Cell("no interval")),
        (Column("two", ("name", "note"), "difference"), Row(note="B"), Cell("A − B")),
        (Column("two", ("name", "note"), "both"), Row(note="B"), Cell("A, B")),
    ],
)
def test_a_cell_shows_a_field_as_its_column_says(column: Column, row: Row, expected: Cell) -> None:
    assert cell(row, column) == expected


def test_a_count_may_stand_in_a_mapping_under_its_own_name() -> None:
    row = type("Counted", (), {"of": {"ann": 3}})()
    assert cell(row, count("ann", "of", "ann")) == Cell("3")


def test_columns_in_which_nothing_stands_are_left_out_and_long_ones_on_the_command_line() -> None:
    table = Table("T", (text("name", "name"), count("n", "n", brief=False), text("note", "note")), [Row(), Row("B")])
    assert cells(table)[0] == ["name", "n"]
    assert cells(table, brief=True) == (["name"], [[Cell("A")], [Cell("B")]])

"""Tables as people read them: what each kind of column shows of a row."""

from dataclasses import dataclass

import pytest

from ui.services.tables import INTERVAL, Cell, Column, Table, cell, cells, count, number, text


@dataclass(frozen=True)
class Row:
    name: str = "A"
    n: int = 1234
    value: float | None = -0.12345
    ci_low: float | None = -0.2
    ci_high: float | None = 0.25
    note: str = ""


@pytest.mark.parametrize(
    ("column", "row", "expected"),
    [
        (text("name", "name"), Row(), Cell("A")),
        (count("n", "n"), Row(), Cell("1,234", "1234")),
        (number("value", "value"), Row(), Cell("−0.123", "-0.12345")),
        (number("value", "value", 2), Row(), Cell("−0.12", "-0.12345")),
        (number("value", "value"), Row(value=None), Cell("undefined")),
        (number("value", "value", undefined="no pairs"), Row(value=None), Cell("no pairs")),
        (Column("share", ("value",), "share"), Row(value=0.5), Cell("50.0 %", "0.5")),
        (Column("95 %", INTERVAL, "interval"), Row(), Cell("−0.200 to 0.250", "-0.2 to 0.25")),
        (Column("95 %", INTERVAL, "interval"), Row(ci_low=None), Cell("no interval")),
        (Column("two", ("name", "note"), "difference"), Row(note="B"), Cell("A − B")),
    ],
)
def test_a_cell_shows_a_field_as_its_column_says(column: Column, row: Row, expected: Cell) -> None:
    assert cell(row, column) == expected


def test_columns_in_which_nothing_stands_are_left_out_and_long_ones_on_the_command_line() -> None:
    table = Table("T", (text("name", "name"), count("n", "n", brief=False), text("note", "note")), [Row(), Row("B")])
    assert cells(table)[0] == ["name", "n"]
    assert cells(table, brief=True) == (["name"], [[Cell("A")], [Cell("B")]])

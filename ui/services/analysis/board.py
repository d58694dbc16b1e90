"""The reproduction board: tables of results that papers printed, beside the same results computed here."""

from dataclasses import dataclass

from ui.services.tables import Table, number, text


@dataclass(frozen=True, slots=True)
class BoardRow:
    """A result that papers printed, and the same result computed here. Both values are times 100."""

    benchmark: str
    metric: str
    figure: str  # name of the value that papers print: "τ-c", "HC", "raw τ-c"
    printed: float
    source: str  # papers and tables in which the value is printed
    computed: float | None  # value computed from the data; None: data are missing, and the command in `fills` adds them
    difference: float | None  # computed - printed
    same: str  # "yes": computed and printed value are equal in the printed digits; "no": different; "": no data
    recipe: str  # one line that says how the value was computed; "": no data
    reason: str  # known reasons why printed and computed values differ
    fills: str  # the command that adds missing data; "" if none are missing


@dataclass(frozen=True, slots=True)
class Board:
    """The results that papers printed for each benchmark, in two groups.

    The results in `computed` were also computed from this data folder. For the results in `missing`, the data are
    missing in this folder.
    """

    computed: list[Table[BoardRow]]
    missing: list[Table[BoardRow]]
    remarks: list[str]


def computed_table(benchmark: str, rows: list[BoardRow]) -> Table[BoardRow]:
    """Return a table of a benchmark's printed and computed results."""
    return Table(f"{benchmark}: printed and computed figures × 100", _COMPUTED, rows)


def missing_table(benchmark: str, rows: list[BoardRow]) -> Table[BoardRow]:
    """Return a table of a benchmark's printed results whose data are missing."""
    return Table(f"{benchmark}: printed figures × 100 whose data are missing here", _MISSING, rows)


def ways_to_fill(table: Table[BoardRow]) -> dict[str, list[str]]:
    """Return the commands that add the missing data of a table.

    key: command; value: the metrics whose results can be computed after this command.
    """
    ways: dict[str, list[str]] = {}
    for row in table.rows:
        for way in row.fills.split("; "):
            metrics = ways.setdefault(way.replace(f"score {row.metric} ", "score METRIC "), [])
            metrics += [] if row.metric in metrics else [row.metric]
    return ways


def whole(board: Board) -> Table[BoardRow]:
    """Return all rows of a board as one table for export."""
    rows = [row for table in (*board.computed, *board.missing) for row in table.rows]
    return Table("Printed figures and figures computed here × 100", (_BENCHMARK, *_COMPUTED, _FILLS), rows)


_BENCHMARK, _FILLS = text("benchmark", "benchmark"), text("what fills it", "fills", brief=False)
_COMPUTED = (
    text("metric", "metric"),
    text("figure", "figure"),
    number("printed", "printed", 1),
    number("here", "computed", 2, undefined=""),
    number("difference", "difference", 2, undefined=""),
    text("as printed", "same"),
    text("printed in", "source", brief=False),
    text("note", "reason", brief=False),
    text("recipe", "recipe", brief=False),
)
_MISSING = (
    text("metric", "metric"),
    text("figure", "figure"),
    number("printed", "printed", 1),
    text("printed in", "source", brief=False),
    _FILLS,
    text("note", "reason", brief=False),
)

"""Group bad rows of import files by error, because one mistake often affects many rows."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.errors import BadRow

FIRST = 5  # maximum number of row numbers shown for each error
VALUES = 3  # maximum number of different values shown for each error
MOST_ERRORS = 10  # maximum number of errors shown in a message
_NUMBER, _PLACE = re.compile(r"\d+"), re.compile(r"\[\d+\]")


@dataclass(frozen=True, slots=True)
class SameError:
    """Rows of one file that have the same error."""

    rows: "tuple[BadRow, ...]"  # in the order of the file; not empty

    @property
    def file(self) -> str:
        """The file's name."""
        return self.rows[0].file.name

    @property
    def field(self) -> str:
        """The name of the field with the bad value, taken from the first bad row."""
        return self.rows[0].field

    @property
    def numbers(self) -> str:
        """The numbers of the first rows, and the number of further rows: "2, 3, 4, 5, 6 and 495 more"."""
        first, more = [f"{bad.row}" for bad in self.rows[:FIRST]], len(self.rows) - FIRST
        if more > 0:
            return f"{', '.join(first)} and {more:,} more"
        return " and ".join(filter(None, (", ".join(first[:-1]), first[-1])))

    @property
    def reason(self) -> str:
        """What was expected, and the first distinct values that were found instead."""
        values = list(dict.fromkeys(bad.shown for bad in self.rows))
        more = " and others" if len(values) > VALUES else ""
        return f"expected {self.rows[0].expected}, found {', '.join(values[:VALUES])}{more}"

    def __str__(self) -> str:
        if len(self.rows) == 1:
            return str(self.rows[0])
        field = " ".join(self.field.split())[:120]
        return f"{self.file}, {len(self.rows):,} rows ({self.numbers}), field {field}: {self.reason}"


def same_errors(rows: "Iterable[BadRow]") -> tuple[SameError, ...]:
    """Return bad rows grouped by file, field and expected value, in the order of each group's first row.

    Positions in lists (`a[3]`, `a[7]`) and numbers in the expected value ("row 3 has the same id") are ignored when
    rows are grouped.
    """
    groups: dict[tuple[str, str, str], list[BadRow]] = {}
    for bad in rows:
        kind = (bad.file.name, _PLACE.sub("[]", bad.field), _NUMBER.sub("0", bad.expected))
        groups.setdefault(kind, []).append(bad)
    return tuple(SameError(tuple(group)) for group in groups.values())


def row_count(errors: "Iterable[BadRow]") -> int:
    """Return the number of different rows in a list of errors. A row may have several errors."""
    return len({(bad.file, bad.row) for bad in errors})


def listed(errors: Sequence[SameError]) -> list[str]:
    """Return one line for each of the first MOST_ERRORS errors. A last line counts the rows with other errors."""
    left = sum(len(error.rows) for error in errors[MOST_ERRORS:])
    more = [f"... and {left:,} more rows with other errors"] if left else []
    return [*map(str, errors[:MOST_ERRORS]), *more]

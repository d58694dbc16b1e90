"""Preview a file before its import: its first rows, and the probable columns and scales."""

import math
from collections.abc import Collection, Iterator, Sequence
from itertools import islice
from pathlib import Path

from core.bad_rows import listed, same_errors
from core.datasets import FORMATS
from core.datasets.base import Format, Layout, Record, Scale, Source, check_file, plain_name
from core.datasets.own_tables import EXPLANATION, SCORE, USUAL_NAMES, usual_column, with_point
from core.datasets.rows import Row, as_number, is_number
from core.errors import BadFile, BadRow, BadSetting

SCALES = ((1.0, 5.0), (0.0, 5.0), (1.0, 10.0), (0.0, 10.0), (0.0, 100.0))  # usual scales of judgements
OFF = 0.1  # another scale is likely if at least this share of values is outside 0 to 1; fewer are single wrong rows
ROWS = 5
MOST_BAD = 1_000  # maximum number of bad rows that a preview reads
MOST_COLUMNS = 60
LONGEST_CELL = 200  # characters
MOST_LOOKED_AT = 100_000  # maximum number of rows used to guess a scale


Table = tuple[tuple[str, ...], ...]  # rows of cells, each cut after LONGEST_CELL characters


def guessed_format(path: Path) -> Format | None:
    """Return the format whose reader accepts the file's first rows; None if no format fits.

    If several formats accept the file, a format whose columns the user can name is preferred, and then a format whose
    name begins the file's name. If none accepts the file, the extension decides between the formats whose columns the
    user can name.
    """
    check_file(path)
    ending = plain_name(path).suffix.lower()
    fitting = [fmt for fmt in FORMATS if ending in fmt.suffixes]
    fits = [fmt for fmt in fitting if first_records(fmt, path, most_bad=ROWS)[0]]
    own = [fmt for fmt in fits or fitting if fmt.takes_layout]
    named = [fmt for fmt in fits if path.name.lower().startswith(fmt.name.partition("-")[0])]
    return next(iter((*own, *named, *fits)), None)


def table_head(fmt: Format, path: Path) -> tuple[tuple[str, ...], Table] | None:
    """Return the columns and the first rows of a file, unchanged; None for formats with fixed columns.

    Raises BadFile.
    """
    if not fmt.takes_layout:
        return None
    rows = [row.values for row in islice(_rows(fmt, path), ROWS)]
    columns = tuple(dict.fromkeys(str(name) for row in rows for name in row))[:MOST_COLUMNS]
    return columns, tuple(tuple(_shown(row.get(name)) for name in columns) for row in rows)


def guessed_layout(fmt: Format, path: Path, columns: Sequence[str], metrics: Collection[str] = ()) -> Layout:
    """Return the probable columns and scales of a file. Raises BadFile.

    columns: the names of the file's columns. metrics: names of known metrics; a column with such a name has scores. The
    result also lists columns that already have Capscope's own names.
    """
    named = {name: column for name in USUAL_NAMES if (column := usual_column(name, columns)) is not None}
    known = set(map(_letters, metrics))
    of_metric = next((column for column in columns if _letters(column) in known), None)
    if of_metric is not None:
        named.setdefault(SCORE, of_metric)
    if SCORE not in named:
        named.pop(EXPLANATION, None)  # without a score there is nothing to explain
    scales = {name: likely_scale(numbers) for name, numbers in _numbers(fmt, path, Layout(named)).items()}
    return Layout(named, scales.get("human"), scales.get(SCORE))


def _numbers(fmt: Format, path: Path, layout: Layout) -> dict[str, list[float]]:
    numbers: dict[str, list[float]] = {name: [] for name in ("human", SCORE) if name in layout.columns}
    for row in islice(_rows(fmt, path), MOST_LOOKED_AT if numbers else 0):
        for name, found in numbers.items():
            value = row.get(layout.columns[name])
            number = as_number(with_point(value)) if isinstance(value, str) else value
            if is_number(number):
                found.append(float(number))
    return numbers


def likely_scale(numbers: Sequence[float]) -> Scale | None:
    """Return the probable scale of some numbers; None if only a few of them are outside 0 to 1."""
    outside = sum(not 0 <= number <= 1 for number in numbers)
    if outside < 2 or outside < OFF * len(numbers):
        return None
    lowest, highest = min(numbers), max(numbers)
    covering = (scale for scale in SCALES if scale[0] <= lowest and highest <= scale[1])
    return next(covering, (float(math.floor(lowest)), float(math.ceil(highest))))


def first_records(
    fmt: Format, path: Path, layout: Layout | None = None, most_bad: int = MOST_BAD
) -> tuple[list[Record], list[str]]:
    """Return the records that an import would read from the first rows, and the problems found in these rows.

    A problem is an error of a row, or an error of the whole file. Rows with the same error are one problem. most_bad:
    maximum number of bad rows to read.
    """
    problems: list[BadRow] = []

    def enough(bad: BadRow) -> None:
        problems.append(bad)
        if len(problems) >= most_bad:
            raise bad

    records: list[Record] = []
    try:
        records.extend(islice(fmt.read(Source(path, enough, layout=layout or Layout())), ROWS))
    except BadRow:
        pass
    except (BadFile, BadSetting) as error:
        return records, [str(error)]
    more = ["Further rows were not read for this preview."] if len(problems) >= most_bad else []
    return records, [*listed(same_errors(problems)), *more]


def _rows(fmt: Format, path: Path) -> Iterator[Row]:
    check_file(path)
    return fmt.raw_rows(Source(path, on_bad=lambda bad: None)) if fmt.raw_rows else iter(())


def _letters(name: str) -> str:
    """Return a name without the marks in which spellings differ: "rougel" for "ROUGE-L" and "rouge_l"."""
    return "".join(filter(str.isalnum, name.casefold()))


def _shown(value: object) -> str:
    content = value.get("bytes") if isinstance(value, dict) else value
    if isinstance(content, bytes):
        return f"a picture of {len(content):,} bytes"
    text = "" if value is None else str(value)
    return text if len(text) <= LONGEST_CELL else text[: LONGEST_CELL - 1] + "…"

"""Find out what the columns of a table in Capscope's own format hold."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from core.datasets.base import Source
from core.datasets.chosen_columns import EXPLANATION, NOT_READ, SCORE, WHOLE, renamed
from core.datasets.own_form import FIELDS, refuse_misspelt
from core.datasets.rows import Row
from core.datasets.suggested_options import metric_of, missing_columns
from core.errors import BadFile, BadRow

KEEP_BY_COMMAND = "To keep a column for slices, add --keep COLUMN."
MOST_COLUMNS = 1_000
_REFERENCE = re.compile(r"ref(erence)?s?[ _.-]?[0-9]+", re.IGNORECASE)  # usual names of columns with one reference each
_OF_A_METRIC = ("score:", "component:", "rationale:")


@dataclass(frozen=True, slots=True)
class Column:
    """A column with values of one metric: its scores, one component of them, or its rationales."""

    header: str
    metric: str
    field: str  # "value", "components" or "rationales"
    name: str = ""  # name of the component or the aspect


def renamed_header(source: Source, header: list[str]) -> list[str]:
    """Return the header with Capscope's own column names.

    Raises BadFile if a column that the caller named is missing.
    """
    header = [name.strip() for name in header]
    for name, column in source.layout.columns.items():
        if column not in header:
            raise BadFile(
                source.path, f"there is no column {column!r} for {name}. The columns are {', '.join(header[:12])}"
            )
    return renamed(source.layout, header)


def kept_places(source: Source, names: list[str]) -> Mapping[str, int]:
    """Return the index of each column whose values the caller wants to keep.

    Raises BadFile if one of these columns is missing.
    """
    for name in source.layout.keep:
        if name not in names:
            raise BadFile(source.path, f"there is no column {name!r} to keep. The columns are {', '.join(names[:12])}")
    return {name: names.index(name) for name in source.layout.keep}


def check_columns(path: Path, number: int) -> None:
    """Raise BadFile if a table has too many columns."""
    if number > MOST_COLUMNS:
        raise BadFile(path, f"the table has {number:,} columns; the limit is {MOST_COLUMNS:,} columns")


def reference_places(source: Source, names: Sequence[str]) -> list[int]:
    """Return the indexes of further columns with references: named by the caller, or named like "ref_2"."""
    layout = source.layout
    for name in layout.more_references:
        if name not in names:
            raise BadFile(
                source.path, f"there is no column {name!r} for references. The columns are {list(names[:12])}"
            )
    if "references" in layout.columns or "references" in names:
        return [names.index(name) for name in layout.more_references]
    return [place for place, name in enumerate(names) if _REFERENCE.fullmatch(name)]


def metric_columns(source: Source, header: list[str]) -> list[Column]:
    """Return the columns with scores, components or rationales.

    Raises BadFile if the header is not consistent, for example if a column occurs twice.
    """
    repeated = sorted(name for name, times in Counter(header).items() if times > 1)
    if repeated:
        raise BadFile(source.path, f"the column {repeated[0]!r} occurs twice; rename one of the two")
    own = [name for name in header if name != SCORE and not name.startswith(_OF_A_METRIC)]
    try:
        if not missing_columns(header):
            refuse_misspelt(Row(source.path, 1, {}), own)
    except BadRow as bad:
        raise BadFile(source.path, f"in the first row, {bad.reason}") from bad
    if source.metric is not None and SCORE not in header:
        raise BadFile(source.path, f"there is no column {SCORE!r} with scores of {source.metric}; remove --metric")
    if EXPLANATION in source.layout.columns and SCORE not in header:
        raise BadFile(source.path, f"explanations need a column with their scores; name it by --column {SCORE}=COLUMN")
    metrics = {name.removeprefix("score:") for name in header if name.startswith("score:")}
    return _plain_columns(source.metric or metric_of(source.layout), header) + [
        _column(source, name, metrics) for name in header if name.startswith(("score:", "component:", "rationale:"))
    ]


def note_unread(source: Source, header: list[str]) -> None:
    """Report the columns that are not read.

    Otherwise users would notice only later that the content of these columns is missing.
    """
    has_references = "references" in header
    names = [name.removesuffix(NOT_READ) for name in header if name not in (*FIELDS, SCORE, EXPLANATION)]
    kept = source.layout.keep
    guessed = () if has_references else (name for name in names if _REFERENCE.fullmatch(name))
    more = {*guessed} | {*source.layout.more_references}
    unread = [
        name[:40]
        for name in names
        if name and name not in kept and name not in more and not name.startswith(_OF_A_METRIC)
    ]
    if unread:
        words = f"{source.path.name}: columns that were not read: {', '.join(unread)}."
        source.on_note(f"{words} {KEEP_BY_COMMAND}")


def _plain_columns(metric: str, header: list[str]) -> list[Column]:
    """Return the columns that are named "score" and "explanation", if they exist.

    Returns [] if there is no column "score".
    """
    if SCORE not in header:
        return []
    explained = [Column(EXPLANATION, metric, "rationales", WHOLE)] if EXPLANATION in header else []
    return [Column(SCORE, metric, "value"), *explained]


def _column(source: Source, header: str, metrics: set[str]) -> Column:
    kind, _, rest = header.partition(":")
    if kind == "score" and rest.strip():
        return Column(header, rest, "value")
    if kind == "rationale" and rest in metrics:
        return Column(header, rest, "rationales", WHOLE)
    metric, _, name = rest.rpartition(":")
    if kind == "score" or metric not in metrics or not name.strip():
        raise BadFile(
            source.path,
            f"the column {header!r} has no matching column 'score:METRIC'; see “File formats” in the documentation",
        )
    return Column(header, metric, "components" if kind == "component" else "rationales", name)

"""Read a researcher's own tables: CSV, JSON Lines and, for huggingface.py, Parquet.

A caller may name columns and scales (Layout). A column has one of Capscope's fields, scores of a metric, or a value to
keep. A note names the columns that were not read. docs/reference describes the formats.
"""

import re
import shlex
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Any, NamedTuple

from core.datasets.base import UNIT, Format, Record, Scale, Source, rescaled
from core.datasets.files import line_rows, parsed_json, python_list
from core.datasets.own_form import FIELDS, encoded, record_of
from core.datasets.parquet import kept_picture
from core.datasets.rows import Row, is_number, records_of
from core.errors import BadRow, BadSetting
from core.types import ImageRef, one_line

MOST_SEEN, MOST_UNREAD = 1_000, 100  # maximum number of column names to remember, and to list in a note
_AS_JSON = ("judgements", "pair", "scores", "own")  # fields that a cell may contain as JSON
SCORE = "score"  # a column with the scores of one metric; the caller names the metric
EXPLANATION = "explanation"  # a column that explains each value of the column "score"
WHOLE = "overall"  # name of an explanation that is not divided into aspects such as fluency
USUAL_NAMES: Mapping[str, tuple[str, ...]] = {  # key: Capscope's column name; value: usual names in other tables
    "image": ("image", "img", "picture", "photo", "file", "filename", "file_name", "image_path", "image_id", "path"),
    "caption": ("caption", "cand", "candidate", "mt", "hyp", "hypothesis", "prediction", "sentence", "text"),
    "system": ("system", "captioner", "sys", "model", "model_name"),
    "references": ("references", "refs", "reference", "ref"),
    "human": ("human", "human_score", "human_rating", "rating", "mos", "judgement", "judgment"),
    "rater": ("rater", "rater_id", "annotator", "annotator_id", "judge", "worker", "worker_id", "workerid"),
    SCORE: ("score", "metric_score"),
    EXPLANATION: ("explanation", "explanations", "rationale", "reason", "reasoning", "justification"),
    "id": ("id", "sample_id", "key"),
}
REFERENCE = re.compile(r"ref(erence)?s?[ _.-]?[0-9]+", re.IGNORECASE)  # usual names of columns with one reference each
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")


class ScoreColumn(NamedTuple):
    """A column with values of one metric: its scores, one component of them, or its rationales."""

    header: str
    metric: str
    field: str  # "value", "components" or "rationales"
    name: str = ""  # name of the component or the aspect


@dataclass(frozen=True, slots=True)
class Columns:
    """What the columns of a table contain."""

    places: Mapping[str, tuple[str, ...]]  # Capscope's name -> columns, the best first
    references: tuple[str, ...]  # further columns of references
    scores: tuple[ScoreColumn, ...]  # scores come before their components and rationales


def score_columns(header: Sequence[str]) -> list[ScoreColumn]:
    """Return the columns such as "component:FLEUR:raw", those with scores first."""
    found = list[ScoreColumn]()
    for column in header:
        kind, _, rest = column.partition(":")
        metric, _, name = rest.partition(":")
        if kind == "score" and rest:
            found.append(ScoreColumn(column, rest, "value"))
        elif kind in ("component", "rationale") and rest:
            found.append(ScoreColumn(column, metric, f"{kind}s", name or WHOLE))
    return sorted(found, key=lambda column: column.field != "value")


def with_point(text: str) -> str:
    """Return a number with a decimal point instead of a decimal comma. Other text is unchanged."""
    return text.replace(",", ".") if _DECIMAL_COMMA.fullmatch(text.strip()) else text


def usual_column(name: str, columns: Sequence[str]) -> str | None:
    """Return the column that probably contains one of Capscope's fields; None if no name fits."""
    if name in columns:
        return name
    return next(
        (column for other in USUAL_NAMES[name] for column in columns if column.strip().casefold() == other), None
    )


@dataclass(slots=True)
class OwnTable:
    """How the columns of a file become samples."""

    source: Source
    usual: Mapping[str, Sequence[str]] = field(default_factory=dict)  # further names of columns, by Capscope's name
    as_number: Callable[[str], float | str] | None = None  # reads a number in a cell; None: texts are no numbers
    has_scores: bool = False
    columns_of: Callable[[tuple[str, ...]], Columns] = field(init=False)  # header -> what the columns contain
    _seen: dict[str, None] = field(default_factory=dict)  # names of columns
    _read: set[str] = field(default_factory=set)  # names of columns whose values were read
    _filled: set[str] = field(default_factory=set)  # Capscope's names of the columns that the table has

    def __post_init__(self) -> None:
        self.columns_of = lru_cache(1_000)(self._columns_of)

    def _columns_of(self, header: tuple[str, ...]) -> Columns:
        layout = self.source.layout
        named = {name: self.usual.get(name, (name,)) for name in (*FIELDS, SCORE, EXPLANATION)}
        named |= {name: (column,) for name, column in layout.columns.items()}
        places = {name: tuple(column for column in columns if column in header) for name, columns in named.items()}
        if not places[SCORE] and EXPLANATION not in layout.columns:
            places[EXPLANATION] = ()
        named_score = layout.columns.get(SCORE, SCORE)
        is_usual = named_score.strip().casefold() in USUAL_NAMES[SCORE]
        metric = layout.metric or (SCORE if is_usual else named_score)  # such as "CIDEr", for a column of this name
        used = {name for columns in places.values() for name in columns}
        scores = [ScoreColumn(SCORE, metric, "value")] if places[SCORE] else []
        scores += [ScoreColumn(EXPLANATION, metric, "rationales", WHOLE)] if places[EXPLANATION] else []
        self.has_scores |= bool(places[SCORE])
        others = [name for name in header if name not in used and REFERENCE.fullmatch(name)]
        references = (*layout.more_references, *(() if places["references"] else others))
        scores += score_columns(header)
        self._read |= {*references, *layout.keep, *(column.header for column in scores)}
        self._filled |= {name for name, columns in places.items() if columns}
        self._filled |= {"references"} if references else set()
        self._seen |= dict.fromkeys(filter(None, header[: MOST_SEEN - len(self._seen)]))
        return Columns({name: columns for name, columns in places.items() if columns}, references, tuple(scores))

    def records(self, raw: Row) -> list[Record]:
        """Return the samples in a row: one, or one for each text in a list of captions. Raises BadRow."""
        columns = self.columns_of(tuple(raw.values))
        problems = _absent(raw, columns)
        values = self._values(raw, columns)
        row = Row(raw.file, raw.number, values)
        for name, take in (("human", self._human), ("scores", self._scores), ("image", self._image)):
            try:
                made = take(row, columns)
                values |= {} if made is None else {name: made}
            except BadRow as bad:
                problems.append(bad)
                values.pop(name, None)
        captions, key = values.get("caption"), values.get("id")
        if not captions or not isinstance(captions, list):
            return [record_of(row, problems)]
        ids = [None if key is None else f"{key}#{number}" for number, _ in enumerate(captions, start=1)]
        several = [values | {"id": name, "caption": text} for name, text in zip(ids, captions, strict=True)]
        return [record_of(replace(row, values=one), problems) for one in several]

    def _values(self, raw: Row, columns: Columns) -> dict[str, object]:
        """Return a row's values, by Capscope's names of fields if they have one."""
        values = {name: value for name, value in raw.values.items() if value is not None and name not in FIELDS}
        for name, named in columns.places.items():
            present = [column for column in named if raw.get(column) is not None]
            if name == "image":  # a picture itself is better than its name
                present.sort(key=lambda column: not isinstance(raw.get(column), dict | bytes))
            if present:
                value = raw.get(present[0])
                values[name] = _parsed(value) if name in _AS_JSON and isinstance(value, str) else value
            self._read.add((present or named)[0])
        references = _listed(values.get("references"))
        more = [value for name in columns.references if (value := raw.get(name)) not in (None, "")]
        if references is not None or more:
            values["references"] = [*(references or ()), *more] if isinstance(references, list | None) else references
        kept = {name: value for name in self.source.layout.keep if (value := raw.get(name)) not in (None, "")}
        own = values.get("own")
        if kept and isinstance(own, dict | None):
            values["own"] = (own or {}) | {
                name: one_line(str(value)) if isinstance(value, str | int | float) else value
                for name, value in kept.items()
            }
        return values

    def _image(self, row: Row, columns: Columns) -> object:
        """Return the name of the row's picture, which is stored if the file contains it."""
        named = row.get("file_name")
        if not isinstance(row.get("image"), dict | bytes):
            return row.get("image")
        self._read.add("file_name")
        return kept_picture(self.source, row, "image", PurePath(named).name if isinstance(named, str) else None)

    def _human(self, row: Row, columns: Columns) -> float | None:
        if row.get("human") is None:
            return None
        scale = self.source.layout.human_scale
        return rescaled((self._number(row, "human", scale, "human"),), scale or UNIT)

    def _number(self, row: Row, name: str, scale: Scale | None, kind: str) -> float:
        value, (low, high) = row.get(name), scale or UNIT
        number = self.as_number(value) if self.as_number and isinstance(value, str) else value
        hint = ""
        if is_number(number):
            if low <= number <= high:
                return float(number)
            hint = f", unless you choose another scale (--{kind}-scale LOW-HIGH)" if scale is None else ""
        raise row.bad(name, f"a number from {low:g} to {high:g}{hint}", value)

    def _scores(self, row: Row, columns: Columns) -> object:
        """Return the field "scores" with the scores in the metrics' columns."""
        scale, given = self.source.layout.score_scale, row.get("scores")
        entries: dict[str, dict[str, Any]] = {}
        for header, metric, kind, name in columns.scores:
            value = row.get(header)
            if value in (None, ""):
                continue
            if kind == "value":
                number = self._number(row, header, scale, SCORE)
                entries[metric] = {"metric": metric, "value": number, "scale": list(scale or UNIT)}
            elif metric not in entries:
                of_score = SCORE if header == EXPLANATION else f"score:{metric}"
                raise row.bad(of_score, f"a score, because the same row has a value in {header!r}")
            elif isinstance(value, dict):
                entries[metric][kind] = value
            else:
                if kind == "components" and self.as_number and isinstance(value := self.as_number(str(value)), str):
                    raise row.bad(header, "a number with a decimal point, such as 0.5", value)
                entries[metric].setdefault(kind, {})[name] = value
        return [*(given or ()), *entries.values()] if entries and isinstance(given, list | None) else given

    def note_unread(self) -> None:
        """Report the columns that were not read, because otherwise users would miss their content only later."""
        unread = [name[:40] for name in self._seen if name not in self._read]
        if unread:
            more = " and others" if len(unread) > MOST_UNREAD else ""
            told = f"columns that were not read: {', '.join(unread[:MOST_UNREAD])}{more}."
            for name in USUAL_NAMES:
                if name not in self._filled and (column := usual_column(name, unread)) is not None:
                    told += f" {column} may be {name} (--column {shlex.quote(f'{name}={column}')})."
            self.source.on_note(f"{self.source.path.name}: {told} To keep a column, choose it (--keep COLUMN).")


def _absent(raw: Row, columns: Columns) -> list[BadRow]:
    """Return an error for each required field that a row lacks, if the row has fields with other names."""
    others = ", ".join([f"{name:.40}" for name in raw.values if name not in FIELDS][:12])
    missing = [name for name in ("image", "caption") if name not in columns.places and others]
    expected = "this field, or another field that you choose for it (--column {}=FIELD): {}"
    return [raw.bad(name, expected.format(name, others)) for name in missing]


def _parsed(text: str) -> object:
    """Return the content of a cell with JSON or a Python list; any other text is unchanged."""
    try:
        return parsed_json(text)
    except ValueError:
        content = python_list(text)
        return text if content is None else content


def _listed(value: object) -> object:
    """Return the references in a cell: a JSON list, a Python list, or text with bars or lines between references."""
    if not isinstance(value, str):
        return value
    content = _parsed(value)
    if isinstance(content, list) or value.lstrip().startswith(("[", "{")):
        return content
    return [part.strip() for part in re.split(r"[|\n]+", value) if part.strip()]


def read_rows(table: OwnTable, rows: Iterable[Row]) -> Iterator[Record]:
    """Yield the samples in the rows of a table. Raises BadSetting for a metric without scores."""
    yield from records_of(table.source, rows, table.records)
    metric = table.source.layout.metric
    if metric is not None and not table.has_scores:
        raise BadSetting(
            f"No row has a field {SCORE!r}, so there are no scores of {metric}. Remove the metric's name (--metric)."
        )
    table.note_unread()


def write_jsonl(samples: Iterable[tuple[dict[str, object], ImageRef]], folder: Path) -> list[str]:
    """Write samples.jsonl. The file contains the pictures' names, but pictures are not copied."""
    with (folder / "samples.jsonl").open("w", encoding="utf-8") as file:
        file.writelines(encoded(row) + "\n" for row, _ in samples)
    return []


JSONL = Format(
    name="jsonl",
    summary="our own format, one JSON object per line: image, caption, references, human score, scores",
    suffixes=(".jsonl", ".ndjson"),
    reader=lambda source: read_rows(OwnTable(source), line_rows(source)),
    writer=write_jsonl,
    raw_rows=line_rows,
    takes_metric=True,
)

"""Read a researcher's own tables: CSV, JSON Lines and, for huggingface.py, Parquet.

A caller may name columns and scales (Layout). A column has one of Capscope's fields, scores of a metric, or a value to
keep. A note names the columns that were not read. docs/reference describes the formats.
"""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path, PurePath
from typing import Any

from core.datasets.base import UNIT, Exported, Format, Layout, Record, Scale, Source
from core.datasets.files import line_rows, parsed_json, python_list
from core.datasets.own_form import FIELDS, line_of, record_of
from core.datasets.parquet import kept_picture
from core.datasets.rows import Row, as_number, is_number, records_of
from core.errors import BadRow, BadSetting
from core.types import one_line

MOST_COLUMNS = 1_000
MOST_UNREAD = 100  # maximum number of columns that were not read, and that a note names
_AS_JSON = ("judgements", "pair", "scores", "own")  # fields that a cell may contain as JSON
_MISSPELT = tuple(name for name in FIELDS if name != "rater")  # "rate" and "raters" are usual columns of other content
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


@dataclass(frozen=True, slots=True)
class ScoreColumn:
    """A column with values of one metric: its scores, one component of them, or its rationales."""

    header: str
    metric: str
    field: str  # "value", "components" or "rationales"
    name: str = ""  # name of the component or the aspect


_KINDS = {"score": "value", "component": "components", "rationale": "rationales"}


def score_columns(header: Sequence[str]) -> tuple[list[ScoreColumn], list[str]]:
    """Return the columns such as "component:FLEUR:raw", those with scores first, and such columns without a metric."""
    found, wrong = list[ScoreColumn](), list[str]()
    metrics = {name.removeprefix("score:") for name in header if re.fullmatch(r"score:.*\S.*", name)}
    for column in header:
        kind, mark, rest = column.partition(":")
        if not mark or kind not in _KINDS:
            continue
        metric, _, name = (rest, "", WHOLE) if kind != "component" and rest in metrics else rest.rpartition(":")
        if metric not in metrics or not name.strip():
            wrong.append(column)
        found.append(ScoreColumn(column, metric, _KINDS[kind], name))
    return sorted(found, key=lambda column: column.field != "value"), wrong


def metric_of(layout: Layout) -> str:
    """Return the metric whose scores a table's column "score" holds, if nobody names it.

    If the caller reads another column as "score", the metric has that column's name, such as "CIDEr".
    """
    column = layout.columns.get(SCORE, SCORE)
    return SCORE if column.strip().casefold() in USUAL_NAMES[SCORE] else column


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
    """How the columns of a file become samples.

    A table with a header has the same columns in all rows. Without a header, each row has its own columns.
    """

    source: Source
    usual: Mapping[str, Sequence[str]] = field(default_factory=dict)  # further names of columns, by Capscope's name
    has_header: bool = False
    has_decimal_commas: bool = False  # 0,5 is a number, because another mark separates the cells
    of_scores: list[ScoreColumn] = field(default_factory=list)  # columns of scores come before their components
    has_scores: bool = False
    places: dict[str, tuple[str, ...]] = field(default_factory=dict)  # Capscope's name -> columns, the best first
    _header: tuple[str, ...] = ()
    _references: list[str] = field(default_factory=list)  # further columns of references
    _misspelt: list[tuple[str, str]] = field(default_factory=list)  # (column, the field that is probably meant)
    _unread: dict[str, None] = field(default_factory=dict)  # columns that were perhaps not read
    _read: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        metric = self.source.metric or metric_of(self.source.layout)
        self.of_scores = [ScoreColumn(SCORE, metric, "value"), ScoreColumn(EXPLANATION, metric, "rationales", WHOLE)]

    def map(self, header: tuple[str, ...]) -> list[tuple[str, str]]:
        """Find out what the columns contain. Return the misspelt ones, each with the field that is probably meant."""
        layout = self.source.layout
        named = {name: self.usual.get(name, (name,)) for name in (*FIELDS, SCORE, EXPLANATION)}
        named |= {name: (column,) for name, column in layout.columns.items()}
        places = {name: tuple(column for column in columns if column in header) for name, columns in named.items()}
        if not places[SCORE]:
            places[EXPLANATION] = ()
        self.has_scores |= bool(places[SCORE])
        self._header, self.places = header, {name: columns for name, columns in places.items() if columns}
        used = {column for columns in self.places.values() for column in columns}
        others = [name for name in header if name not in used and REFERENCE.fullmatch(name)]
        self._references = [*layout.more_references, *(others if "references" not in self.places else ())]
        self._read |= {columns[0] for columns in self.places.values() if len(columns) == 1}
        self._read |= {*self._references, *layout.keep, *(column.header for column in self.of_scores)}
        unread = [name for name in header if name and name not in self._read]
        self._unread |= dict.fromkeys(unread[: MOST_UNREAD - len(self._unread)])
        self._misspelt = [
            (name, meant) for name in unread if name not in {*used, *FIELDS} and (meant := _meant(name)) is not None
        ]
        return self._misspelt

    def records(self, raw: Row) -> list[Record]:
        """Return the samples in a row: one, or one for each text in a list of captions. Raises BadRow."""
        problems = self._problems(raw)
        values = self._values(raw)
        row = Row(raw.file, raw.number, values)
        for name, take in (("human", self._human), ("scores", self._scores), ("image", self._image)):
            try:
                made = take(row, raw)
                values |= {} if made is None else {name: made}
            except BadRow as bad:
                problems.append(bad)
                values.pop(name, None)
        captions, rows = values.get("caption"), [row]
        if self.usual and isinstance(captions, list) and captions:
            ids = [{} if row.get("id") is None else {"id": f"{row.get('id')}#{n}"} for n in range(1, len(captions) + 1)]
            several = zip(ids, captions, strict=True)
            rows = [replace(row, values={**values, **key, "caption": caption}) for key, caption in several]
        return [record_of(one, problems) for one in rows]

    def _problems(self, raw: Row) -> list[BadRow]:
        """Return what is wrong with the names of a row's fields, if there is no header that was checked before."""
        if self.has_header:
            return []
        if (header := tuple(raw.values)) != self._header:
            if len(header) > MOST_COLUMNS:
                raise raw.bad("row", f"at most {MOST_COLUMNS:,} fields", len(header))
            self.map(header)
        problems = [raw.bad(name, f"the field name {meant!r}", name) for name, meant in self._misspelt]
        others = ", ".join([f"{name:.40}" for name in header if name not in FIELDS][:12])
        missing = [name for name in ("image", "caption") if name not in self.places and others]
        expected = "this field, or another field that you choose for it (--column {}=FIELD): {}"
        return problems + [raw.bad(name, expected.format(name, others)) for name in missing]

    def _values(self, raw: Row) -> dict[str, object]:
        """Return a row's values by Capscope's names of fields."""
        values: dict[str, object] = {}
        for name, columns in self.places.items():
            present = [column for column in columns if raw.values.get(column) is not None]
            if name == "image":  # a picture itself is better than its name
                present.sort(key=lambda column: not isinstance(raw.get(column), dict | bytes))
            if present:
                value = raw.get(present[0])
                values[name] = _parsed(value) if name in _AS_JSON and isinstance(value, str) else value
                self._read.add(present[0])
        references = _listed(values.get("references"))
        more = [value for name in self._references if (value := raw.get(name)) not in (None, "")]
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

    def _image(self, row: Row, raw: Row) -> object:
        """Return the name of the row's picture, which is stored if the file contains it."""
        named = raw.get("file_name")
        if isinstance(row.get("image"), dict | bytes):
            self._read.add("file_name")
            return kept_picture(self.source, row, "image", PurePath(named).name if isinstance(named, str) else None)
        return row.get("image")

    def _human(self, row: Row, raw: Row) -> float | None:
        """Return the human judgement, rescaled to [0, 1]."""
        if row.get("human") is None:
            return None
        scale = self.source.layout.human_scale
        low, high = scale or UNIT
        return (self._number(row, "human", scale, "human") - low) / (high - low)

    def _number(self, row: Row, name: str, scale: Scale | None, kind: str) -> float:
        """Return the number in a field, within its scale. In a table with a header, numbers are texts."""
        value, (low, high) = row.get(name), scale or UNIT
        number = self._as_number(value) if self.has_header and isinstance(value, str) else value
        hint = ""
        if is_number(number):
            if low <= number <= high:
                return float(number)
            hint = f", unless you choose another scale (--{kind}-scale LOW-HIGH)" if scale is None else ""
        raise row.bad(name, f"a number from {low:g} to {high:g}{hint}", value)

    def _as_number(self, text: str) -> float | str:
        return as_number(with_point(text) if self.has_decimal_commas else text)

    def _scores(self, row: Row, raw: Row) -> object:
        """Return the field "scores" with the scores in the metrics' columns."""
        scale, given = self.source.layout.score_scale, row.get("scores")
        entries: dict[str, dict[str, Any]] = {}
        for column in self.of_scores:
            of = raw if ":" in column.header else row
            value = of.get(column.header)
            if value in (None, ""):
                continue
            if column.field == "value":
                number = self._number(of, column.header, scale, SCORE)
                entries[column.metric] = {"metric": column.metric, "value": number, "scale": list(scale or UNIT)}
            elif column.metric not in entries:
                of_score = SCORE if column.header == EXPLANATION else f"score:{column.metric}"
                raise row.bad(of_score, f"a score, because the same row has a value in {column.header!r}")
            elif column.field == "rationales" and isinstance(value, dict):
                entries[column.metric]["rationales"] = value
            else:
                if column.field == "components" and isinstance(value := self._as_number(str(value)), str):
                    raise raw.bad(column.header, "a number with a decimal point, such as 0.5", raw.get(column.header))
                entries[column.metric].setdefault(column.field, {})[column.name] = value
        return [*(given or ()), *entries.values()] if entries and isinstance(given, list | None) else given

    def note_unread(self) -> None:
        """Report the columns that were not read, because otherwise users would miss their content only later."""
        unread = ", ".join(name[:40] for name in self._unread if name not in self._read)
        if unread:
            more = " and others" if len(self._unread) >= MOST_UNREAD else ""
            told = f"columns that were not read: {unread}{more}. To keep a column, choose it (--keep COLUMN)."
            self.source.on_note(f"{self.source.path.name}: {told}")


@lru_cache(1_000)
def _meant(name: str) -> str | None:
    """Return the field whose name is most similar to the given name; None if none is similar."""
    return next(iter(difflib.get_close_matches(name.strip().lower(), _MISSPELT, n=1, cutoff=0.8)), None)


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
    metric = table.source.metric
    if metric is not None and not table.has_scores:
        raise BadSetting(
            f"No row has a field {SCORE!r}, so there are no scores of {metric}. Remove the metric's name (--metric)."
        )
    table.note_unread()


def write_jsonl(samples: Iterable[Exported], folder: Path) -> Iterator[Exported | str]:
    """Write samples.jsonl. The file contains the pictures' names, but pictures are not copied."""
    with (folder / "samples.jsonl").open("w", encoding="utf-8") as file:
        for one in samples:
            file.write(line_of(one.sample, one.key, one.outcomes, one.pair))
            yield one


JSONL = Format(
    name="jsonl",
    summary="our own format, one JSON object per line: image, caption, references, human score, scores",
    suffixes=(".jsonl", ".ndjson"),
    reader=lambda source: read_rows(OwnTable(source), line_rows(source)),
    writer=write_jsonl,
    raw_rows=line_rows,
    takes_metric=True,
    takes_system=True,
)

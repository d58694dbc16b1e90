"""What the columns of a researcher's own table contain: names, scales and the columns of metrics."""

import math
import re
import shlex
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from core.datasets.base import Layout, Scale

SCORE = "score"  # a column with the scores of one metric; the caller names the metric
EXPLANATION = "explanation"  # a column that explains each value of the column "score"
WHOLE = "overall"  # name of an explanation that is not divided into aspects such as fluency
KEEP_BY_COMMAND = "To keep a column for slices, add --keep COLUMN."
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
SCALES = ((1.0, 5.0), (0.0, 5.0), (1.0, 10.0), (0.0, 10.0), (0.0, 100.0))  # usual scales of judgements
OFF = 0.1  # another scale is likely if at least this share of values is outside 0 to 1; fewer are single wrong rows
REFERENCE = re.compile(r"ref(erence)?s?[ _.-]?[0-9]+", re.IGNORECASE)  # usual names of columns with one reference each
OF_A_METRIC = ("score:", "component:", "rationale:")  # beginnings of the names of metrics' columns
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")


@dataclass(frozen=True, slots=True)
class MetricColumn:
    """A column with values of one metric: its scores, one component of them, or its rationales."""

    header: str
    metric: str
    field: str  # "value", "components" or "rationales"
    name: str = ""  # name of the component or the aspect


def metric_column(header: str, metrics: set[str]) -> MetricColumn | None:
    """Return what a column such as "component:FLEUR:raw" contains; None if its metric has no column of scores.

    metrics: the names of metrics with columns of scores.
    """
    kind, _, rest = header.partition(":")
    if kind == "score" and rest.strip():
        return MetricColumn(header, rest, "value")
    if kind == "rationale" and rest in metrics:
        return MetricColumn(header, rest, "rationales", WHOLE)
    metric, _, name = rest.rpartition(":")
    if kind == "score" or metric not in metrics or not name.strip():
        return None
    return MetricColumn(header, metric, f"{kind}s", name)


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


def likely_scale(numbers: Sequence[float]) -> Scale | None:
    """Return the probable scale of some numbers; None if only a few of them are outside 0 to 1."""
    outside = sum(not 0 <= number <= 1 for number in numbers)
    if outside < 2 or outside < OFF * len(numbers):
        return None
    lowest, highest = min(numbers), max(numbers)
    covering = (scale for scale in SCALES if scale[0] <= lowest and highest <= scale[1])
    return next(covering, (float(math.floor(lowest)), float(math.ceil(highest))))


def column_option(name: str, column: str) -> str:
    """Return the command-line option that names the column of one of Capscope's fields."""
    return f"--column {shlex.quote(f'{name}={column}')}"

"""Suggest command-line options with which a user's own table can be imported.

Such tables often have other column names than Capscope, or judgements on other scales.
"""

import math
import re
import shlex
from collections.abc import Mapping, Sequence

from core.datasets.base import Layout, Scale, Source
from core.installation import COMMAND

OTHER_NAMES = {  # key: Capscope's column name; value: usual names in other tables
    "image": ("image", "img", "picture", "photo", "file", "filename", "file_name", "image_path", "image_id", "path"),
    "caption": ("caption", "cand", "candidate", "mt", "hyp", "hypothesis", "prediction", "sentence", "text"),
}
OPTIONAL = {  # key: name of an optional column in Capscope; value: usual names in other tables
    "system": ("system", "captioner", "sys", "model", "model_name"),
    "references": ("references", "refs", "reference", "ref"),
    "human": ("human", "human_score", "human_rating", "rating", "mos", "judgement", "judgment"),
    "rater": ("rater", "rater_id", "annotator", "annotator_id", "judge", "worker", "worker_id", "workerid"),
    "score": ("score", "metric_score"),
    "explanation": ("explanation", "explanations", "rationale", "reason", "reasoning", "justification"),
    "id": ("id", "sample_id", "key"),
}
SCALES = ((1.0, 5.0), (0.0, 5.0), (1.0, 10.0), (0.0, 10.0), (0.0, 100.0))  # usual scales of judgements
OFF = 0.1  # another scale is likely if at least this share of values is outside 0 to 1; fewer are single wrong rows
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")

Advice = tuple[str, str]  # (problem, option that solves the problem); "" if no option solves it


def with_point(text: str) -> str:
    """Return a number with a decimal point instead of a decimal comma. Other text is unchanged."""
    return text.replace(",", ".") if _DECIMAL_COMMA.fullmatch(text.strip()) else text


def missing_columns(header: Sequence[str]) -> list[Advice]:
    """Return a problem for each missing column "image" or "caption", and a similar column to use instead."""
    return [_missing(name, header) for name in OTHER_NAMES if name not in header]


def _missing(name: str, header: Sequence[str]) -> Advice:
    problem = f"there is no column {name!r} (columns: {', '.join(name[:40] for name in header[:12])})"
    meant = next((column for column in header if column.casefold() in OTHER_NAMES[name]), f"COLUMN_OF_THE_{name}")
    return problem, f"--column {shlex.quote(f'{name}={meant}')}"


def unscaled(values: Mapping[str, Sequence[float]]) -> list[Advice]:
    """Return a problem for each column with values outside 0 to 1, and its probable scale.

    values: the numbers in the columns "human" and "score".
    """
    advice: list[Advice] = []
    for name, numbers in values.items():
        scale = likely_scale(numbers)
        if scale is not None:
            problem = f"{_outside(numbers):,} of {len(numbers):,} values of {name!r} are outside 0 to 1"
            problem += f" (their range is {min(numbers):g} to {max(numbers):g})"
            advice.append((problem, scale_option(name, scale)))
    return advice


def likely_scale(numbers: Sequence[float]) -> Scale | None:
    """Return the probable scale of some numbers; None if only a few of them are outside 0 to 1."""
    outside = _outside(numbers)
    if outside < 2 or outside < OFF * len(numbers):
        return None
    lowest, highest = min(numbers), max(numbers)
    covering = (scale for scale in SCALES if scale[0] <= lowest and highest <= scale[1])
    return next(covering, (float(math.floor(lowest)), float(math.ceil(highest))))


def _outside(numbers: Sequence[float]) -> int:
    return sum(not 0 <= number <= 1 for number in numbers)


def scale_option(name: str, scale: Scale) -> str:
    """Return the command-line option for the scale of "human" or "score"."""
    low, high = (f"{end:.15g}" for end in scale)
    return f"--{name}-scale {low}-{high}" if scale[0] >= 0 else f"--{name}-scale={low}..{high}"


def metric_of(layout: Layout) -> str:
    """Return the metric whose scores a table's column "score" holds, if nobody names it.

    If the caller reads another column as "score", the metric has that column's name, such as "CIDEr".
    """
    column = layout.columns.get("score", "score")
    return "score" if column.strip().casefold() in OPTIONAL["score"] else column


def layout_options(layout: Layout, metric: str | None) -> list[str]:
    """Return the command-line options that choose this layout and this metric's name."""
    options = [f"--column {shlex.quote(f'{ours}={theirs}')}" for ours, theirs in layout.columns.items()]
    options += [f"--column {shlex.quote(f'references={name}')}" for name in layout.more_references]
    options += [] if layout.separator is None else [f"--separator {shlex.quote(layout.separator)}"]
    options += [] if metric is None else [f"--metric {shlex.quote(metric)}"]
    options += [f"--keep {shlex.quote(name)}" for name in layout.keep]
    options += [] if layout.system is None else [f"--system {shlex.quote(layout.system)}"]
    scales = (("human", layout.human_scale), ("score", layout.score_scale))
    return options + [scale_option(name, scale) for name, scale in scales if scale is not None]


def together(source: Source, complaints: Sequence[Advice]) -> str:
    """Return all problems of a file as one text, which ends with the command that should work."""
    options = " ".join(option for _, option in complaints if option)
    command = " ".join(
        [
            f"{COMMAND} import csv",
            shlex.quote(str(source.path)),
            *layout_options(source.layout, source.metric),
            options,
            *source.layout.further,
        ]
    )
    return (
        f"{'; '.join(problem for problem, _ in complaints)}. Check the scale and the columns in this command: {command}"
    )

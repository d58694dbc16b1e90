"""Say which options make a researcher's own table readable: columns of other names, judgements on other scales."""

import math
import re
import shlex
from collections.abc import Mapping, Sequence

from core.datasets.base import Source

OTHER_NAMES = {  # what tables call our columns
    "image": ("image", "img", "picture", "photo", "file", "filename", "file_name", "image_path", "image_id", "path"),
    "caption": ("caption", "text", "cand", "candidate", "mt", "hyp", "hypothesis", "prediction", "sentence"),
}
SCALES = ((1.0, 5.0), (0.0, 5.0), (1.0, 10.0), (0.0, 10.0), (0.0, 100.0))  # that people judge on
OFF = 0.1  # share of values outside 0 to 1 from which on the scale is wrong rather than the rows; one value is a row
_DECIMAL_COMMA = re.compile(r"[+-]?[0-9]+,[0-9]+")

Advice = tuple[str, str]  # what is wrong, and the option that mends it; "" for none


def with_point(text: str) -> str:
    """Return a number with a decimal comma with a decimal point, and other text as it is."""
    return text.replace(",", ".") if _DECIMAL_COMMA.fullmatch(text.strip()) else text


def missing_columns(source: Source, header: Sequence[str]) -> list[Advice]:
    """Return which of the columns image and caption are missing, and which column may be meant."""
    return [_missing(name, header) for name in OTHER_NAMES if name not in header]


def _missing(name: str, header: Sequence[str]) -> Advice:
    told = f"there is no column {name!r} (columns: {', '.join(name[:40] for name in header[:12])})"
    meant = next((column for column in header if column.casefold() in OTHER_NAMES[name]), f"COLUMN_OF_THE_{name}")
    return told, f"--column {shlex.quote(f'{name}={meant}')}"


def unscaled(values: Mapping[str, Sequence[float]]) -> list[Advice]:
    """Return which columns ("human", "score") are on another scale than 0 to 1, and the likely scale."""
    found: list[Advice] = []
    for name, numbers in values.items():
        outside = sum(not 0 <= number <= 1 for number in numbers)
        if outside > 1 and outside >= OFF * len(numbers):
            lowest, highest = min(numbers), max(numbers)
            low, high = _likely(lowest, highest)
            told = f"{outside:,} of {len(numbers):,} values of {name!r} are outside 0 to 1"
            told += f" (they run from {lowest:g} to {highest:g})"
            found.append(
                (told, f"--{name}-scale {low:g}-{high:g}" if low >= 0 else f"--{name}-scale={low:g}..{high:g}")
            )
    return found


def _likely(lowest: float, highest: float) -> tuple[float, float]:
    for low, high in SCALES:
        if low <= lowest and highest <= high:
            return low, high
    return math.floor(lowest), math.ceil(highest)


def together(source: Source, complaints: Sequence[Advice]) -> str:
    """Return all complaints of a file as one text that ends with the command."""
    options = " ".join(option for _, option in complaints)
    given = [f"--column {shlex.quote(f'{ours}={theirs}')}" for ours, theirs in source.layout.columns.items()]
    if source.metric is not None:
        given.append(f"--metric {shlex.quote(source.metric)}")
    for name, scale in (("human", source.layout.human_scale), ("score", source.layout.score_scale)):
        given += [] if scale is None else [f"--{name}-scale={scale[0]:g}..{scale[1]:g}"]
    command = " ".join(["python app.py import csv", shlex.quote(str(source.path)), *given, options])
    return f"{'; '.join(told for told, _ in complaints)}. Check the scale and the columns in: {command}"

"""FLEUR's published result files: raw and smoothed scores, some with explanations (Yebin46/FLEUR, results/).

Most files have one block of lines per image-caption pair. Composite's files also have a line "<name> dataset" before
each of their data sets. A block is:

    image file : Flickr8k_Dataset/x.jpg
    caption : Two dogs : one runs .
    model score : 0.85
    our score : 0.7841796875
    explanation : The caption ...</s>

In Pascal-50S files, a block begins with "image : <address>" and "label : 0|1", followed by two captions with their
scores. These files end with the lines "true count" and "tie count". RefFLEUR's files have the same layout.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from itertools import pairwise

from core.datasets.base import Format, Record, Source
from core.datasets.files import lines
from core.datasets.pascal50s import pair_key, pascal_pair
from core.datasets.rows import Row, parse_number, records_of
from core.errors import BadFile
from core.picture_names import file_name
from core.signature import signature
from core.types import EvaluationError, Explanation, Score

_LINE = re.compile(
    r"(image file|image|caption|label|model score|our score|explanation|true count|tie count) :(?: (.*))?"
)
_SECTION = re.compile(r"\S+ dataset")
_BLOCK_STARTS = ("image file", "image")
_COUNTS = ("true count", "tie count")
_HEAD = ("image", "label")
_CAPTION = ("caption", "model score", "our score", "explanation")
_END_OF_ANSWER = "</s>"


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a result file. An explanation also contains the lines that continue it."""

    number: int  # 1-based
    name: str  # "caption", "our score" ...; "" for text without a name
    value: str  # exactly the text after " : "


def read(source: Source) -> Iterator[Record]:
    """Yield one record per caption.

    The record's row is the number of the block in the file. Error messages about a bad row also state the line. If the
    caller names no metric, the metric is FLEUR, or RefFLEUR if the file's name contains "reffleur".
    """
    metric = source.metric or ("RefFLEUR" if "reffleur" in source.path.name.lower() else "FLEUR")
    return records_of(source, enumerate(_blocks(source), start=1), partial(_captions, source, metric))


def _lines(source: Source) -> Iterator[Line]:
    """Yield the lines with content. An explanation continues until the next line with a field name."""
    current: Line | None = None
    for number, line in enumerate(lines(source), start=1):
        text = line.rstrip("\r\n")
        named, is_section = _LINE.fullmatch(text), _SECTION.fullmatch(text)
        if named is None and not is_section and current and current.name == "explanation":
            current = replace(current, value=f"{current.value}\n{text}")
            continue
        if current:
            yield current
        current = Line(number, named[1], named[2] or "") if named else None
        if named is None and text.strip() and not is_section:
            current = Line(number, "", text)
    if current:
        yield current


def _blocks(source: Source) -> Iterator[list[Line]]:
    """Yield the lines about each image, without the counts at the end of Pascal-50S files. Raises BadFile."""
    block: list[Line] = []
    found = False
    for line in _lines(source):
        if line.name in _BLOCK_STARTS:
            found = True
            if block:
                yield block
                block = []
        if line.name not in _COUNTS:
            block.append(line)
    if any(line.name in _BLOCK_STARTS for line in block):
        yield block
    if not found:
        raise BadFile(source.path, "no line begins with 'image file : ' or 'image : '; choose another format")


def _captions(source: Source, metric: str, numbered: tuple[int, list[Line]]) -> list[Record]:
    """Return the captions in a block: one, or two in Pascal-50S files. Raises BadRow."""
    number, block = numbered
    starts = [i for i, line in enumerate(block) if line.name == "caption"]
    head = _row(source, number, block[: starts[0]] if starts else block, _HEAD, {})
    parts = [block[start:end] for start, end in pairwise([*starts, len(block)])]
    is_pair = "label" in head.values
    if len(parts) != 1 + is_pair:
        raise head.bad("caption", "a label before each caption, or before none", len(parts))
    if is_pair and head.get("label") not in ("0", "1"):
        raise head.bad("label", "0 or 1", head.get("label"))
    records = []
    for position, part in enumerate(parts):
        row = _row(source, number, part, _CAPTION, {"image": head.text("image")})
        pair = pascal_pair(source.path, number, position, int(head.text("label"))) if is_pair else None
        image = file_name(row.text("image", "a picture's file name or address"))
        scores = (_outcome(metric, row),)
        key = pair_key(pair) if pair else None
        records.append(row.record(key, image, row.text("caption"), scores=scores, pair=pair, is_sample=True))
    return records


def _row(source: Source, number: int, part: list[Line], names: tuple[str, ...], known: Mapping[str, object]) -> Row:
    """Return the texts of some lines as a row, by field name.

    part: the lines, all from one block (the lines about one image). names: the allowed field names. known: fields whose
    values are already known. Raises BadRow for a misplaced line or a repeated field name.
    """
    values: dict[str, object] = dict(known)
    for line in part:
        name = "image" if line.name == "image file" else line.name
        row = Row(source.path, number, values, f"line {line.number}, ")
        if name not in names:
            raise row.bad(name or "text", f"one of {', '.join(names)} followed by ' : '", line.value)
        if name in values:
            raise row.bad(name, "only one line with this name for each caption", line.value)
        values[name] = line.value
    return Row(source.path, number, values, f"line {part[0].number}, ")


def _outcome(metric: str, row: Row) -> Score | EvaluationError:
    """Return a caption's score, or an error if the score is missing.

    FLEUR's published code wrote no number if it could not find a score in the model's answer.
    """
    made_by = signature(metric, source="fleur-results")
    if set(row.values) == {"image", "caption"}:
        return EvaluationError(metric, made_by, "no_score", "the result file contains no score for this caption")
    return Score(
        metric=metric,
        value=_number(row, "our score"),
        signature=made_by,
        components={"raw": _number(row, "model score")},
        explanation=Explanation(rationales={"overall": _answer(row)} if "explanation" in row.values else {}),
    )


def _number(row: Row, name: str) -> float:
    expected = "a number from 0 to 1"
    value = parse_number(row.text(name, expected))
    if value is None or not 0 <= value <= 1:
        raise row.bad(name, expected, row.get(name))
    return value


def _answer(row: Row) -> str:
    """Return the explanation without the end-of-answer token that the published code kept."""
    answer, _, rest = row.text("explanation").partition(_END_OF_ANSWER)
    if rest.strip():
        raise row.bad("explanation", f"nothing after {_END_OF_ANSWER}", rest)
    return answer.strip()


FLEUR_RESULTS = Format(
    name="fleur-results",
    summary="FLEUR's and RefFLEUR's result files (text): raw and smoothed scores, some with explanations",
    suffixes=(".txt",),
    reader=read,
    takes_metric=True,
    holds_scores=True,
)

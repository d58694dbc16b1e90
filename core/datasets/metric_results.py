"""Result files of FLEUR and EXPERT: scores of captions, some with explanations."""

import re
from collections.abc import Iterator
from functools import partial
from itertools import groupby
from pathlib import Path

from core.datasets.base import Format, Record, Scale, Source, plain_name, rescaled
from core.datasets.files import json_rows, lines
from core.datasets.flickr8k import FLICKR8K
from core.datasets.judged import JUDGED
from core.datasets.pairs import pair_key, pascal_pair
from core.datasets.rows import Row, as_number, records_of
from core.errors import BadFile
from core.signature import signature
from core.types import EvaluationError, Explanation, Outcome, Score

_LINE = re.compile(
    r"(image file|image|caption|label|model score|our score|explanation|true count|tie count) :(?: (.*))?"
)
_SECTION = re.compile(r"\S+ dataset")
_COUNTS = ("true count", "tie count")  # last lines of Pascal-50S files
_HEAD, _CAPTION = ("image", "label"), ("caption", "model score", "our score", "explanation")
_END_OF_ANSWER = "</s>"
NO_SCORE = "the result file contains no score for this caption"
Line = tuple[int, str, str]  # line number, field name ("" for text without a name), exactly the text after " : "


def read_fleur(source: Source) -> Iterator[Record]:
    """Yield one record per caption of FLEUR's published text files (Yebin46/FLEUR, results/).

    Most files have one block of lines per caption. An explanation may have several lines. Composite's files also have a
    line "<name> dataset" before each of their data sets. A block is:

        image file : Flickr8k_Dataset/x.jpg
        caption : Two dogs : one runs .
        model score : 0.85
        our score : 0.7841796875
        explanation : The caption ...</s>

    In Pascal-50S files, a block begins with "image : <address>" and "label : 0|1", followed by two captions with their
    scores. The record's row is the number of the block. If the caller names no metric, it is FLEUR, or RefFLEUR if the
    file's name contains "reffleur".
    """
    metric = source.layout.metric or ("RefFLEUR" if "reffleur" in source.path.name.lower() else "FLEUR")
    return records_of(source, enumerate(_blocks(source), start=1), partial(_captions, source.path, metric))


def _blocks(source: Source) -> Iterator[list[Line]]:
    """Yield the lines about each image. An explanation continues until the next line with a field name.

    Raises BadFile.
    """
    block: list[Line] = []
    found = False
    for number, line in enumerate(lines(source), start=1):
        text = line.rstrip("\r\n")
        named, is_section = _LINE.fullmatch(text), _SECTION.fullmatch(text)
        if named is None and block and block[-1][1] == "explanation" and not is_section:
            block[-1] = (*block[-1][:2], f"{block[-1][2]}\n{text}")
            continue
        name, value = (named[1].removesuffix(" file"), named[2] or "") if named else ("", text)
        if name == "image":
            found = True
            if block:
                yield block
                block = []
        if name not in _COUNTS and (name or text.strip() and not is_section):
            block.append((number, name, value))
    if not found:
        raise BadFile(source.path, "no line begins with 'image file : ' or 'image : '; choose another format")
    yield block


def _captions(path: Path, metric: str, numbered: tuple[int, list[Line]]) -> list[Record]:
    """Return the captions in a block: one, or two in Pascal-50S files. Raises BadRow."""
    number, block = numbered
    values: dict[str, object] = {}
    head, rows = Row(path, number, values, f"line {block[0][0]}, "), list[Row]()
    for place, name, text in block:
        here = Row(path, number, prefix=f"line {place}, ")
        if name == "caption":
            values = {}
            rows.append(Row(path, number, values, here.prefix))
        names = _CAPTION if rows else _HEAD
        if name not in names:
            raise here.bad(name or "text", f"one of {', '.join(names)} followed by ' : '", text)
        if name in values:
            raise here.bad(name, "only one line with this name for each caption", text)
        values[name] = as_number(text) if name.endswith("score") else text
    is_pair = "label" in head.values
    if len(rows) != 1 + is_pair:
        raise head.bad("caption", "a label before each caption, or before none", len(rows))
    if is_pair and head.get("label") not in ("0", "1"):
        raise head.bad("label", "0 or 1", head.get("label"))
    image, records = head.file_name("image", "a picture's file name or address"), []
    for position, row in enumerate(rows):
        pair = pascal_pair(path, number, position, int(head.text("label"))) if is_pair else None
        key, scores = pair_key(pair) if pair else None, (_fleur_outcome(metric, row),)
        records.append(row.record(key, image, row.text("caption"), scores=scores, pair=pair, is_sample=True))
    return records


def _fleur_outcome(metric: str, row: Row) -> Outcome:
    made_by = signature(metric, source="fleur-results")
    if set(row.values) == {"caption"}:  # FLEUR's published code wrote no number if it found none in the model's answer
        return EvaluationError(metric, made_by, "no_score", NO_SCORE)
    rationales = {}
    if "explanation" in row.values:
        answer, _, rest = row.text("explanation").partition(_END_OF_ANSWER)
        if rest.strip():
            raise row.bad("explanation", f"nothing after {_END_OF_ANSWER}", rest)
        rationales["overall"] = answer.strip()
    value, raw = row.number_in("our score", 0, 1), row.number_in("model score", 0, 1)
    return Score(metric, value, made_by, components={"raw": raw}, explanation=Explanation(rationales))


def human_scale(file: Path) -> Scale | None:
    """Return the lowest and highest possible human_score of EXPERT's result file; None if its name does not tell.

    EXPERT's published code names its files after the benchmark. If several names match, the longest is used.
    """
    name = plain_name(file).stem.lower()
    benchmarks = [known.benchmark for known in (*FLICKR8K, *JUDGED) if known.benchmark]
    named = [benchmark for benchmark in benchmarks if benchmark.named in name]
    return max(named, key=lambda benchmark: len(benchmark.named)).human_scale if named else None


def read_expert(source: Source) -> Iterator[Record]:
    """Yield one record per caption of EXPERT's result files (hjkim811/EXPERT).

    The file is a JSON list of {image_file, caption, expert_score, explanation?, human_score}. Consecutive rows with the
    same picture and caption become one record with all judgements. `human` is set only if the file's name contains a
    benchmark's name. Pascal-50S rows have the fields caption_1, expert_score_1, explanation_1?, the same three fields
    with _2, and human_label. An explanation is null if the model's answer could not be parsed.
    """
    metric, scale = source.layout.metric or "EXPERT", human_scale(source.path)

    def caption_of(row: Row) -> object:
        return id(row) if "caption_1" in row.values else (row.get("image_file"), row.get("caption"))

    def records(rows: list[Row]) -> list[Record]:
        first, image = rows[0], rows[0].file_name("image_file")
        if "caption_1" not in first.values:
            ratings = tuple(row.number_in("human_score", *(scale or ())) for row in rows if "human_score" in row.values)
            human, scores = rescaled(ratings, scale) if scale else None, (_expert_outcome(metric, rows),)
            found = {"human": human, "judgements": ratings, "scores": scores}
            return [first.record(None, image, first.text("caption"), is_sample=True, **found)]
        label = first.whole("human_label", 0, 1)
        pairs = {f"_{n + 1}": pascal_pair(first.file, first.number, n, label) for n in (0, 1)}
        return [
            first.record(pair_key(pair), image, first.text(f"caption{ending}"), scores=(score,), pair=pair)
            for ending, pair in pairs.items()
            for score in [_expert_outcome(metric, rows, ending)]
        ]

    return records_of(source, (list(rows) for _, rows in groupby(json_rows(source), caption_of)), records)


def _expert_outcome(metric: str, rows: list[Row], ending: str = "") -> Outcome:
    """Return a caption's score. ending: ending of its field names in rows of Pascal-50S. Raises BadRow."""
    made_by = signature(metric, source="expert-results")
    first, name = rows[0], f"expert_score{ending}"
    if name not in first.values:  # EXPERT's published code writes no score if the model's answer was out of range
        return EvaluationError(metric, made_by, "no_score", NO_SCORE)
    value = first.number_in(name, 0, 1)
    for row in rows[1:]:
        if row.number_in(name, 0, 1) != value:
            expected = f"{value!r} as in row {first.number}, which has the same image and caption"
            raise row.bad(name, expected, row.get(name))
    return Score(metric, value, made_by, explanation=Explanation(first.text_map(f"explanation{ending}")))


FLEUR_RESULTS = Format(
    name="fleur-results",
    summary="FLEUR's and RefFLEUR's result files (text): raw and smoothed scores, some with explanations",
    suffixes=(".txt",),
    reader=read_fleur,
    takes_metric=True,
)
EXPERT_RESULTS = Format(
    name="expert-results",
    summary="EXPERT's result files (JSON): scores with fluency, relevance and descriptiveness explanations",
    reader=read_expert,
    takes_metric=True,
)

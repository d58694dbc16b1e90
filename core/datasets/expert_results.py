"""EXPERT's result files: scores with structured explanations (hjkim811/EXPERT).

The file is a JSON list of {image_file, caption, expert_score, explanation?, human_score}. A picture and caption with
several judgements has several consecutive rows. Pascal-50S rows have the fields caption_1, expert_score_1,
explanation_1?, the same three fields with _2, and human_label.

An explanation is null if the model's answer could not be parsed. The field expert_score is missing if the answer was
out of range, because EXPERT's published code then writes no score.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from pathlib import Path

from core.datasets.base import Format, Record, Source, plain_name
from core.datasets.benchmark import Benchmark, Scale
from core.datasets.files import entry_rows, json_list
from core.datasets.flickr8k import rescaled
from core.datasets.pascal50s import pair_key, pascal_pair
from core.datasets.rows import Row, records_of
from core.errors import BadRow
from core.picture_names import file_name
from core.signature import signature
from core.types import EvaluationError, Explanation, Pair, Score


@dataclass(frozen=True, slots=True)
class CaptionRows:
    """One caption with its score, and all rows with judgements of it."""

    rows: list[Row]
    suffix: str = ""  # ending of the field names in Pascal-50S rows: "_1" or "_2"
    pair: Pair | None = None

    def field(self, name: str) -> str:
        """Return the full name of a field in the rows of this caption.

        name: the field's name without an ending. Rows of Pascal-50S have two captions, so the names of their fields end
        in "_1" or "_2".
        """
        return name + self.suffix


def human_scale(file: Path, benchmarks: Sequence[Benchmark]) -> Scale | None:
    """Return the lowest and highest possible human_score of a result file.

    The benchmark is found by the file's name, because EXPERT's published code names its files after the benchmark. If
    the names of several benchmarks match, the longest name is used. Returns None if no benchmark's name is in the
    file's name.
    """
    name = plain_name(file).stem.lower()
    named = [benchmark for benchmark in benchmarks if benchmark.named in name]
    return max(named, key=lambda benchmark: len(benchmark.named)).human_scale if named else None


def read(source: Source, benchmarks: Callable[[], Sequence[Benchmark]]) -> Iterator[Record]:
    """Yield one record per caption.

    Consecutive rows with the same picture and caption become one record. The record's row is the position of the first
    of these rows. The record's `human` is the mean judgement, rescaled to [0, 1]. The scale of the judgements depends
    on the benchmark. So `human` is set only if the file's name contains a benchmark's name. The record's `judgements`
    are always as in the file.
    """
    entries = entry_rows(source, json_list(source))
    make = partial(_record, source.metric or "EXPERT", human_scale(source.path, benchmarks()))
    return records_of(source, _judged(entries), make)


def _judged(entries: Iterable[Row | BadRow]) -> Iterator[CaptionRows | BadRow]:
    for _, group in groupby(entries, key=_pair_key):
        rows = list(group)
        first = rows[0]
        if isinstance(first, BadRow):
            yield first
        elif "caption_1" in first.values:
            yield from _both(first)
        else:
            yield CaptionRows([row for row in rows if isinstance(row, Row)])


def _pair_key(entry: Row | BadRow) -> object:
    """Return a key that is equal for rows with the same image and caption.

    Every Pascal-50S row and every bad row has a key of its own.
    """
    if isinstance(entry, BadRow):
        return entry.row
    if "caption_1" in entry.values:
        return entry.number
    return entry.get("image_file"), entry.get("caption")


def _both(row: Row) -> list[CaptionRows | BadRow]:
    try:
        label = row.whole("human_label", 0, 1)
        row.text("caption_1"), row.text("caption_2")
    except BadRow as bad:
        return [bad]
    pairs = [pascal_pair(row.file, row.number, position, label) for position in (0, 1)]
    return [CaptionRows([row], f"_{pair.position + 1}", pair) for pair in pairs]


def _record(metric: str, scale: Scale | None, judged: CaptionRows) -> Record:
    first = judged.rows[0]
    ratings = _ratings(judged.rows, scale)
    return Record(
        file=first.file,
        row=first.number,
        key=pair_key(judged.pair) if judged.pair else None,
        image=file_name(first.text("image_file")),
        candidate=first.text(judged.field("caption")),
        human=rescaled(ratings, scale) if scale else None,
        judgements=ratings,
        scores=(_outcome(metric, judged),),
        pair=judged.pair,
    )


def _ratings(rows: list[Row], scale: Scale | None) -> tuple[float, ...]:
    present = [row for row in rows if "human_score" in row.values]
    return tuple(row.number_in("human_score", *scale) if scale else row.number_in("human_score") for row in present)


def _outcome(metric: str, judged: CaptionRows) -> Score | EvaluationError:
    made_by = signature(metric, source="expert-results")
    first, name = judged.rows[0], judged.field("expert_score")
    if name not in first.values:
        return EvaluationError(metric, made_by, "no_score", "the result file contains no score for this caption")
    value = first.number_in(name, 0, 1)
    for row in judged.rows[1:]:
        if row.number_in(name, 0, 1) != value:
            raise row.bad(
                name, f"{value!r} as in row {first.number}, which has the same image and caption", row.get(name)
            )
    return Score(metric, value, made_by, explanation=Explanation(first.text_map(judged.field("explanation"))))


def expert_results(benchmarks: Callable[[], Sequence[Benchmark]]) -> Format:
    """Return the format of EXPERT's result files.

    benchmarks: called when a file is read, because the benchmarks determine the scale of the judgements.
    """
    return Format(
        name="expert-results",
        summary="EXPERT's result files (JSON): scores with fluency, relevance and descriptiveness explanations",
        suffixes=(".json",),
        reader=partial(read, benchmarks=benchmarks),
        takes_metric=True,
        holds_scores=True,
    )

"""EXPERT's result files: scores with structured explanations (hjkim811/EXPERT).

The file is a JSON list of {image_file, caption, expert_score, explanation?, human_score}. A picture and caption with
several judgements has several consecutive rows. Pascal-50S rows have the fields caption_1, expert_score_1,
explanation_1?, the same three fields with _2, and human_label.

An explanation is null if the model's answer could not be parsed. The field expert_score is missing if the answer was
out of range, because EXPERT's published code then writes no score.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
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
    make = partial(_captions, source.metric or "EXPERT", human_scale(source.path, benchmarks()))
    return records_of(source, _grouped(entry_rows(source, json_list(source))), make)


def _grouped(entries: Iterable[Row | BadRow]) -> Iterator[list[Row] | BadRow]:
    for _, group in groupby(entries, key=_caption_of):
        first, *others = group
        yield first if isinstance(first, BadRow) else [first, *(row for row in others if isinstance(row, Row))]


def _caption_of(entry: Row | BadRow) -> object:
    """Return a value that is equal for rows with the same image and caption. Rows of Pascal-50S are never grouped."""
    if isinstance(entry, BadRow) or "caption_1" in entry.values:
        return id(entry)
    return entry.get("image_file"), entry.get("caption")


def _captions(metric: str, scale: Scale | None, rows: list[Row]) -> list[Record]:
    first = rows[0]
    if "caption_1" not in first.values:
        return [_record(metric, scale, rows, "", None)]
    label = first.whole("human_label", 0, 1)
    pairs = [pascal_pair(first.file, first.number, position, label) for position in (0, 1)]
    return [_record(metric, scale, rows, f"_{pair.position + 1}", pair) for pair in pairs]


def _record(metric: str, scale: Scale | None, rows: list[Row], ending: str, pair: Pair | None) -> Record:
    """Return the record of a caption. ending: ending of the caption's field names in rows of Pascal-50S."""
    first, limits = rows[0], scale or ()
    ratings = tuple(row.number_in("human_score", *limits) for row in rows if "human_score" in row.values)
    return first.record(
        pair_key(pair) if pair else None,
        file_name(first.text("image_file")),
        first.text(f"caption{ending}"),
        human=rescaled(ratings, scale) if scale else None,
        judgements=ratings,
        scores=(_outcome(metric, rows, ending),),
        pair=pair,
    )


def _outcome(metric: str, rows: list[Row], ending: str) -> Score | EvaluationError:
    made_by = signature(metric, source="expert-results")
    first, name = rows[0], f"expert_score{ending}"
    if name not in first.values:
        return EvaluationError(metric, made_by, "no_score", "the result file contains no score for this caption")
    value = first.number_in(name, 0, 1)
    for row in rows[1:]:
        if row.number_in(name, 0, 1) != value:
            expected = f"{value!r} as in row {first.number}, which has the same image and caption"
            raise row.bad(name, expected, row.get(name))
    return Score(metric, value, made_by, explanation=Explanation(first.text_map(f"explanation{ending}")))


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

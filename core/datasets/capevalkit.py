"""CaptionEvalKit's files (capevalkit 0.1.3, Wada 2026): inputs and results of its 24 metrics.

Each line of predictions.jsonl is {id, caption, image}. Each line of references.jsonl, in the same folder, is {id,
references}. Results are JSON files in the same folder or below its folder `outputs`. Result files have two forms.
CLIPScore and RefCLIPScore write {NAME: mean, "per_item": {id: {NAME: score}}}. All other metrics write {NAME: {"score":
mean, "per_item": {id: score}}}. Results that Capscope writes also have the fields signature and scale.
"""

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory

from core.datasets.base import Exported, Format, Record, Source
from core.datasets.capevalkit_results import PER_ITEM, Results, results_beside
from core.datasets.files import line_rows
from core.datasets.own_form_writing import encoded
from core.datasets.rows import Row, records_of
from core.errors import BadRow
from core.picture_names import file_name
from core.types import Score

PREDICTIONS, REFERENCES = "predictions.jsonl", "references.jsonl"
_WAITING = 10_000  # maximum number of a result file's entries that are in memory before they are written


def read(source: Source) -> Iterator[Record]:
    """Yield one record for each line of predictions.jsonl, with data from the files beside it.

    After the last record, notes are reported. These notes state the number of scores of each metric, and the files,
    metrics and ids that were not read. Raises BadFile.
    """
    references = _references(source)
    results = results_beside(source)
    counts: Counter[str] = Counter()
    seen: set[str] = set()
    for record in records_of(source, line_rows(source), lambda row: _record(row, references, results)):
        seen.add(str(record.key))
        counts.update(outcome.metric for outcome in record.scores)
        yield record
    for note in _notes(source, results, counts, seen):
        source.on_note(note)


def _notes(source: Source, results: Results, counts: Mapping[str, int], seen: set[str]) -> Iterator[str]:
    if counts:
        yield "Scores: " + ", ".join(f"{name} {number:,}" for name, number in sorted(counts.items())) + "."
    yield from results.notes
    lost = Counter(
        outcome.metric for key, found in results.scores.items() if key not in seen for outcome in found.values()
    )
    for name, number in sorted(lost.items()):
        yield f"Not read: {number:,} scores of {name}, because {source.path.name} does not contain their ids."
    for (file, name, first), number in sorted(results.twice.items()):
        yield (
            f"Not read: {number:,} scores of {name} in {file}, because {first} contains different scores of the same "
            "metric."
        )


def _record(row: Row, references: Mapping[str, tuple[str, ...]], results: Results) -> Record:
    key = _id(row)
    return Record(
        file=row.file,
        row=row.number,
        key=key,
        image=file_name(row.text("image" if row.get("image") is not None else "image_path")),
        candidate=row.text("caption" if row.get("caption") is not None else "prediction"),
        references=references.get(key, ()),
        scores=tuple(results.scores.get(key, {}).values()),
    )


def _id(row: Row) -> str:
    """Return an id as text, as the result files write it."""
    value = row.get("id")
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else row.text("id")


def _references(source: Source) -> dict[str, tuple[str, ...]]:
    beside = source.path.with_name(REFERENCES)
    if not beside.is_file():
        return {}
    references: dict[str, tuple[str, ...]] = {}
    for row in line_rows(replace(source, path=beside)):
        try:
            if isinstance(row, BadRow):
                raise row
            named = "references" if row.get("references") is not None else "captions"
            single = isinstance(row.get(named), str)
            references[_id(row)] = (row.text(named),) if single else row.texts(named)
        except BadRow as bad:
            source.on_bad(bad)
    return references


def write(samples: Iterable[Exported], folder: Path) -> Iterator[Exported | str]:
    """Write predictions.jsonl, references.jsonl and the result files.

    There is one result file for each signature (a metric with its settings). The files contain the pictures' names.
    Pictures are not copied.
    """
    results: dict[str, _Result] = {}  # by signature
    with (
        (folder / PREDICTIONS).open("w", encoding="utf-8") as prediction_lines,
        (folder / REFERENCES).open("w", encoding="utf-8") as reference_lines,
        TemporaryDirectory(dir=folder, prefix=".scores-") as unfinished,
    ):
        for one in samples:
            key, sample = one.sample.key, one.sample
            prediction_lines.write(encoded({"id": key, "caption": sample.candidate, "image": sample.image.name}) + "\n")
            reference_lines.write(encoded({"id": key, "references": list(sample.references)}) + "\n")
            for outcome in one.outcomes:
                if isinstance(outcome, Score):
                    if outcome.signature not in results:
                        results[outcome.signature] = _Result(outcome, Path(unfinished) / str(len(results)))
                    results[outcome.signature].add(key, outcome)
            yield one
        for number, (_, result) in enumerate(sorted(results.items()), start=1):
            result.write(folder / f"scores-{number}.json")


class _Result:
    """All scores with one signature, before they are written to their file.

    The file begins with the mean of the scores, which is known only at the end. So the scores are first written to a
    temporary file, because a data set may have millions of them.
    """

    def __init__(self, first: Score, waiting: Path) -> None:
        self._first, self._waiting, self._lines = first, waiting, list[str]()
        self._count, self._total = 0, 0.0
        waiting.touch()

    def add(self, key: str, score: Score) -> None:
        """Add a sample's score."""
        self._count += 1
        self._total += score.value
        before = "\n  " if self._count == 1 else ",\n  "
        self._lines.append(f"{before}{encoded(key)}: {{\n   {encoded(score.metric)}: {encoded(score.value)}\n  }}")
        if len(self._lines) == _WAITING:
            self._flush()

    def write(self, path: Path) -> None:
        """Write the result file: mean, signature, scale and all scores."""
        self._flush()
        head = {self._first.metric: self._total / self._count, "signature": self._first.signature}
        head |= {"scale": list(self._first.scale), PER_ITEM: {}}
        empty = f'"{PER_ITEM}": {{'  # occurs only once in the JSON, because quotation marks inside texts are escaped
        before, after = json.dumps(head, ensure_ascii=False, indent=1).split(f"{empty}}}")
        with path.open("w", encoding="utf-8") as file, self._waiting.open(encoding="utf-8", newline="") as entries:
            file.write(before + empty)
            copyfileobj(entries, file)
            file.write("\n }" + after)

    def _flush(self) -> None:
        with self._waiting.open("a", encoding="utf-8", newline="") as file:
            file.writelines(self._lines)
        self._lines.clear()


CAPEVALKIT = Format(
    name="capevalkit",
    summary="CaptionEvalKit: predictions.jsonl, with references.jsonl and the metrics' results in the same folder",
    suffixes=(".jsonl",),
    reader=read,
    writer=write,
)

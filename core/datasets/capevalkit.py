"""CaptionEvalKit's files (capevalkit 0.1.3, Wada 2026): inputs and results of its 24 metrics.

Each line of predictions.jsonl is {id, caption, image}. Each line of references.jsonl, in the same folder, is {id,
references}. Results are JSON files in the same folder or below its folder `outputs`. Result files have two forms.
CLIPScore and RefCLIPScore write {NAME: mean, "per_item": {id: {NAME: score}}}. All other metrics write {NAME: {"score":
mean, "per_item": {id: score}}}.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import replace

from core.datasets.base import Format, Record, Source
from core.datasets.capevalkit_results import Results, results_beside
from core.datasets.files import line_rows
from core.datasets.rows import Row, records_of
from core.errors import BadRow
from core.picture_names import file_name

REFERENCES = "references.jsonl"


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


CAPEVALKIT = Format(
    name="capevalkit",
    summary="CaptionEvalKit: predictions.jsonl, with references.jsonl and the metrics' results in the same folder",
    suffixes=(".jsonl",),
    reader=read,
)

"""CaptionEvalKit's files (capevalkit, Wada 2026): what its 24 metrics are given and what they say.

predictions.jsonl has {id, caption, image} a line, references.jsonl beside it {id, references}, and each metric writes a
JSON object with its means and per_item: {id: {name: score}}. All that lie in one folder are read together, and so
written; ours say signature and scale as well.
"""

import json
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from pathlib import Path

from core.datasets.base import Exported, Format, Record, Source
from core.datasets.files import line_rows, read_json
from core.datasets.rows import Row, file_name, records_of
from core.errors import BadRow
from core.signature import signature
from core.types import Score

PREDICTIONS, REFERENCES = "predictions.jsonl", "references.jsonl"
PER_ITEM = "per_item"
# Highest scores, where they are not 1: CIDEr is ten times a mean of cosines, CLIPScore 2.5 times one, PAC-S twice.
HIGHEST = {"CIDEr": 10.0, "CLIPScore": 2.5, "RefCLIPScore": 10 / 7, "PAC-S": 2.0, "RefPAC-S": 4 / 3}


def read(source: Source) -> Iterator[Record]:
    """Yield one record a line of predictions.jsonl, with what lies beside it. Raises BadFile."""
    references = _references(source)
    scores = _scores(source)
    return records_of(source, line_rows(source), lambda row: _record(row, references, scores))


def _record(row: Row, references: Mapping[str, tuple[str, ...]], scores: Mapping[str, tuple[Score, ...]]) -> Record:
    key = row.text("id")
    return Record(
        file=row.file,
        row=row.number,
        key=key,
        image=file_name(row.text("image")),
        candidate=row.text("caption" if row.get("caption") is not None else "prediction"),
        references=references.get(key, ()),
        scores=scores.get(key, ()),
    )


def _references(source: Source) -> dict[str, tuple[str, ...]]:
    beside = source.path.with_name(REFERENCES)
    if not beside.is_file():
        return {}
    found: dict[str, tuple[str, ...]] = {}
    for row in line_rows(replace(source, path=beside)):
        try:
            if isinstance(row, BadRow):
                raise row
            found[row.text("id")] = row.texts("references")
        except BadRow as bad:
            source.on_bad(bad)
    return found


def _scores(source: Source) -> dict[str, tuple[Score, ...]]:
    """Return what the results beside the file say, by id; JSON files of other kinds are passed over."""
    found: dict[str, tuple[Score, ...]] = {}
    for beside in sorted(source.path.parent.glob("*.json")):
        result = read_json(beside)
        if not isinstance(result, dict) or not isinstance(result.get(PER_ITEM), dict):
            continue
        whole = Row(beside, 0, result)
        for number, (key, named) in enumerate(result[PER_ITEM].items(), start=1):
            row = Row(beside, number, named if isinstance(named, dict) else {"": named}, f"{PER_ITEM}.")
            try:
                found[key] = found.get(key, ()) + tuple(_score(row, name, whole) for name in row.values)
            except BadRow as bad:
                source.on_bad(bad)
    return found


def _score(row: Row, name: str, whole: Row) -> Score:
    scale = (0.0, HIGHEST.get(name, 1.0))
    if whole.get("scale") is not None:
        low, high = whole.numbers("scale") if len(whole.numbers("scale")) == 2 else scale
        scale = (low, high)
    mark = signature(name, source="capevalkit") if whole.get("signature") is None else whole.text("signature")
    return Score(row.named(name), row.number_in(name, *scale), mark, scale)


def write(samples: Iterable[Exported], folder: Path) -> Iterator[Exported | str]:
    """Write predictions.jsonl, references.jsonl and one result for each signature; pictures are named, not copied."""
    results: dict[str, dict[str, Score]] = {}  # by signature, then by id
    with (folder / PREDICTIONS).open("w", encoding="utf-8") as said, (folder / REFERENCES).open("w") as told:
        for one in samples:
            key, sample = one.sample.key, one.sample
            said.write(_line({"id": key, "caption": sample.candidate, "image": sample.image.name}))
            told.write(_line({"id": key, "references": list(sample.references)}))
            for outcome in one.outcomes:
                if isinstance(outcome, Score):
                    results.setdefault(outcome.signature, {})[key] = outcome
            yield one
    for number, (mark, scores) in enumerate(sorted(results.items()), start=1):
        (folder / f"scores-{number}.json").write_text(_result(mark, scores), encoding="utf-8")


def _result(mark: str, scores: Mapping[str, Score]) -> str:
    first = next(iter(scores.values()))
    per_item = {key: {score.metric: score.value} for key, score in scores.items()}
    mean = sum(score.value for score in scores.values()) / len(scores)
    told = {first.metric: mean, "signature": mark, "scale": list(first.scale), PER_ITEM: per_item}
    return json.dumps(told, ensure_ascii=False, indent=1)


def _line(row: Mapping[str, object]) -> str:
    return json.dumps(row, ensure_ascii=False) + "\n"


CAPEVALKIT = Format(
    name="capevalkit",
    summary="CaptionEvalKit: predictions.jsonl, with references.jsonl and its metrics' results in the same folder",
    suffixes=(".jsonl",),
    reader=read,
    writer=write,
)

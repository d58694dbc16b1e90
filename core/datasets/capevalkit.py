"""CaptionEvalKit's files (capevalkit 0.1.3, Wada 2026): inputs and results of its 24 metrics.

Each line of predictions.jsonl is {id, caption, image}. Each line of references.jsonl, in the same folder, is {id,
references}. Results are JSON files in the same folder or below its folder `outputs`. CLIPScore and RefCLIPScore write
{NAME: mean, "per_item": {id: {NAME: score}}}. All other metrics write {NAME: {"score": mean, "per_item": {id: score}}}.
"""

import math
from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from core.datasets.base import Format, Record, Source
from core.datasets.files import line_rows, read_json, references_beside
from core.datasets.rows import Row, records_of
from core.errors import BadFile, BadRow
from core.signature import signature
from core.types import EvaluationError, Outcome, Score

REFERENCES, OUTPUTS, PER_ITEM = "references.jsonl", "outputs", "per_item"
# Highest scores of metrics whose highest score is not 1.
# CIDEr is 10 times a mean of cosines, CLIPScore 2.5 times a cosine, PAC-S 2 times a cosine.
HIGHEST = {"CIDEr": 10.0, "CLIPScore": 2.5, "CLIPScoreavg": 2.5, "RefCLIPScore": 10 / 7}
HIGHEST |= dict.fromkeys(("PAC-S", "PAC-Savg", "PAC-S++", "PAC-S++avg"), 2.0)
HIGHEST |= dict.fromkeys(("RefPAC-S", "RefPAC-S++"), 4 / 3)
ROUNDING = 1e-5  # a score may exceed its scale by this share of the scale, because the kit computes in 32 bits
# Metrics with the same name as another metric of the kit, but another model, by the name of their file or folder
MODELS = dict.fromkeys(("clipscore-vitl", "refclipscore-vitl"), "ViT-L/14")
MODELS |= dict.fromkeys(("pacscore-vitl", "refpacscore-vitl"), "open_clip_ViT-L/14")


Scores = dict[str, dict[str, tuple[Outcome, Path]]]  # keys: the sample's id, and the signature


def read(source: Source) -> Iterator[Record]:
    """Yield one record for each line of predictions.jsonl, with data from the files beside it.

    After the last record, notes state the number of scores of each metric, and what was not read. Raises BadFile.
    """
    notes: list[str] = []
    references, results = references_beside(source, REFERENCES, _references), _results(source, notes)
    counts: Counter[str] = Counter()

    def make(row: Row) -> Record:
        key = _id(row)
        image = row.file_name("image" if row.get("image") is not None else "image_path")
        caption = row.text("caption" if row.get("caption") is not None else "prediction")
        scores = tuple(outcome for outcome, _ in results.pop(key, {}).values())
        return row.record(key, image, caption, references=references.get(key, ()), scores=scores)

    for record in records_of(source, line_rows(source), make):
        counts.update(outcome.metric for outcome in record.scores)
        yield record
    if counts:
        source.on_note("Scores: " + ", ".join(f"{name} {number:,}" for name, number in sorted(counts.items())) + ".")
    lost = Counter(one.metric for found in results.values() for one, _ in found.values())
    why = f"because {source.path.name} does not contain their ids"
    notes += [f"Scores of {name} not read: {number:,}, {why}." for name, number in sorted(lost.items())]
    for note in notes:
        source.on_note(note)


def _id(row: Row) -> str:
    value = row.get("id")
    return str(value) if isinstance(value, int) and not isinstance(value, bool) else row.text("id")


def _references(row: Row) -> tuple[str, tuple[str, ...]]:
    named = "references" if row.get("references") is not None else "captions"
    return _id(row), (row.text(named),) if isinstance(row.get(named), str) else row.texts(named)


def _results(source: Source, notes: list[str]) -> Scores:
    """Return the scores in all result files. For each JSON file without scores, a note is added.

    If two files have different scores of the same sample and metric, the second one is a bad row.
    """
    folder, scores = source.path.parent, Scores()
    for file in [*sorted(folder.glob("*.json")), *sorted((folder / OUTPUTS).rglob("*.json"))]:
        try:
            content = read_json(file)
        except BadFile as error:
            notes.append(f"Not read: {error}.")
            continue
        found = list(_items(file, content)) if isinstance(content, dict) else []
        if not found:
            notes.append(f"Not read: {file.name}, because it contains no scores of individual captions.")
        for row, key, name, mode in found:
            try:
                outcome = _outcome(row, name, mode)
                first, where = scores.setdefault(key, {}).setdefault(outcome.signature, (outcome, file))
                if not _alike(first, outcome):
                    raise row.bad(name, f"the same score as in {where.name}", row.get(name))
            except BadRow as bad:
                source.on_bad(bad)
    return scores


def _items(file: Path, content: Mapping[str, Any]) -> Iterator[tuple[Row, str, str, object]]:
    """Yield each score of a result file: as a row, the sample's id, the metric's name, and the mode."""
    for metric, whole in (("", content), *content.items()):
        items = whole.get(PER_ITEM) if isinstance(whole, dict) and metric != PER_ITEM else None
        for number, (key, given) in enumerate(items.items() if isinstance(items, dict) else (), start=1):
            named = {metric: given} if metric else given if isinstance(given, dict) else {"": given}
            for name in named:
                yield Row(file, number, named, f"{PER_ITEM}."), key, name, whole.get("mode")


def _alike(first: Outcome, second: Outcome) -> bool:
    if isinstance(first, Score) and isinstance(second, Score):
        return abs(first.value - second.value) <= ROUNDING * (first.scale[1] - first.scale[0])
    return type(first) is type(second)


def _outcome(row: Row, name: str, mode: object) -> Outcome:
    low, high = 0.0, HIGHEST.get(name, 1.0)
    mark = _signature(row, name, mode)
    value = row.get(name)
    if isinstance(value, float) and not math.isfinite(value):
        problem = f"{row.file.name} contains no number for this caption."
        return EvaluationError(row.named(name), mark, "no_score", problem)
    rounding = ROUNDING * (high - low)
    number = row.number_in(name, low, high) if not isinstance(value, float) else value
    if not low - rounding <= number <= high + rounding:
        raise row.bad(name, f"a number from {low:g} to {high:g}", value)
    return Score(row.named(name), min(max(number, low), high), mark, (low, high))


def _signature(row: Row, name: str, mode: object) -> str:
    kit_names = (row.file.stem.lower(), row.file.parent.name.lower())
    model = next((MODELS[known] for known in kit_names if known in MODELS), None)
    # The metric VELA has three modes: descriptiveness, relevance or fluency
    return signature(name, source="capevalkit", model=model, mode=mode if isinstance(mode, str) else None)


CAPEVALKIT = Format(
    name="capevalkit",
    summary="CaptionEvalKit: predictions.jsonl, with references.jsonl and the metrics' results in the same folder",
    suffixes=(".jsonl",),
    reader=read,
)

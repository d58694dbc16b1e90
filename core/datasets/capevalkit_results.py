"""Read CaptionEvalKit's result files: JSON files with the scores of single captions."""

import math
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path

from core.datasets.base import Source
from core.datasets.files import read_json
from core.datasets.rows import Row
from core.errors import BadFile, BadRow
from core.signature import signature
from core.types import EvaluationError, Outcome, Score

OUTPUTS = "outputs"  # folder beside predictions.jsonl for results of CaptionEvalKit's examples and benchmark suites
PER_ITEM = "per_item"
# Highest scores of metrics whose highest score is not 1.
# CIDEr is 10 times a mean of cosines, CLIPScore 2.5 times a cosine, PAC-S 2 times a cosine.
_PAC_S, _REF_PAC_S = 2.0, 4 / 3
HIGHEST = {
    "CIDEr": 10.0,
    "CLIPScore": 2.5,
    "CLIPScoreavg": 2.5,
    "RefCLIPScore": 10 / 7,
    "PAC-S": _PAC_S,
    "PAC-Savg": _PAC_S,
    "PAC-S++": _PAC_S,
    "PAC-S++avg": _PAC_S,
    "RefPAC-S": _REF_PAC_S,
    "RefPAC-S++": _REF_PAC_S,
}
ROUNDING = 1e-5  # a score may exceed its scale by this share of the scale, because the kit computes in 32 bits
# Metrics of the kit that have the same name as another metric, but use another model. The name of the file or folder
# shows the model.
MODELS = {
    "clipscore-vitl": "ViT-L/14",
    "refclipscore-vitl": "ViT-L/14",
    "pacscore-vitl": "open_clip_ViT-L/14",
    "refpacscore-vitl": "open_clip_ViT-L/14",
}


@dataclass
class Results:
    """Scores of all result files, by the sample's id, and notes on data that were not read."""

    scores: dict[str, dict[str, Outcome]] = field(default_factory=dict)  # keys: sample id, then signature
    files: dict[str, dict[str, str]] = field(default_factory=dict)  # keys as in `scores`; value: file of the score
    notes: list[str] = field(default_factory=list)
    # Number of scores that differ from the first score of the same sample and metric. The first score is kept. Key: the
    # file, the metric, and the file of the first score.
    twice: Counter[tuple[str, str, str]] = field(default_factory=Counter)

    def add(self, key: str, outcome: Outcome, file: Path) -> None:
        """Add a score of a sample.

        If the sample already has a different score with this signature, the first score is kept and the conflict is
        counted.
        """
        known = self.scores.setdefault(key, {})
        first = known.setdefault(outcome.signature, outcome)
        where = self.files.setdefault(key, {}).setdefault(outcome.signature, file.name)
        if first is not outcome and not _alike(first, outcome):
            self.twice[file.name, outcome.metric, where] += 1


def results_beside(source: Source) -> Results:
    """Return the scores in all result files. For each other JSON file a note is added."""
    folder = source.path.parent
    results = Results()
    for file in [*sorted(folder.glob("*.json")), *sorted((folder / OUTPUTS).rglob("*.json"))]:
        try:
            content = read_json(file)
        except BadFile as error:
            results.notes.append(f"Not read: {error}.")
            continue
        found, unread = _metrics_of(content)
        for name, why in unread.items():
            results.notes.append(f"Not read: {name} in {file.name}, because {why}.")
        if not found and not unread:
            results.notes.append(f"Not read: {file.name}, because it contains no scores of individual captions.")
        for items, whole in found:
            _take(source, file, items, whole, results)
    return results


Items = Mapping[str, object]
Found = list[tuple[Items, Mapping[str, object]]]  # (scores by sample id and metric, other fields of the file)


def _metrics_of(content: object) -> tuple[Found, dict[str, str]]:
    """Return the scores of a result file.

    The file may have either of the two forms that core.datasets.capevalkit describes. Also returns the reason for each
    metric that was not read.
    """
    if not isinstance(content, dict):
        return [], {}
    found: Found = []
    unread: dict[str, str] = {}
    if isinstance(content.get(PER_ITEM), dict):
        found.append((content[PER_ITEM], content))
    for name, result in content.items():
        if name == PER_ITEM or not isinstance(result, dict) or not {"score", PER_ITEM} & result.keys():
            continue
        if isinstance(result.get(PER_ITEM), dict):
            found.append(({key: {name: score} for key, score in result[PER_ITEM].items()}, result))
        else:
            unread[name] = f"the file has no object {PER_ITEM!r} with a score for each id"
    return found, unread


def _take(source: Source, file: Path, items: Items, whole: Mapping[str, object], results: Results) -> None:
    beside = Row(file, 0, whole)
    for number, (key, named) in enumerate(items.items(), start=1):
        row = Row(file, number, named if isinstance(named, dict) else {"": named}, f"{PER_ITEM}.")
        try:
            for outcome in [_outcome(row, name, beside) for name in row.values]:
                results.add(key, outcome, file)
        except BadRow as bad:
            source.on_bad(bad)


def _outcome(row: Row, name: str, whole: Row) -> Outcome:
    low, high = 0.0, HIGHEST.get(name, 1.0)
    if whole.get("scale") is not None and len(whole.numbers("scale")) == 2:
        low, high = whole.numbers("scale")
    mark = _signature(row, name, whole)
    value = row.get(name)
    if isinstance(value, float) and not math.isfinite(value):
        return EvaluationError(
            row.named(name), mark, "no_score", f"{row.file.name} contains no number for this caption."
        )
    if isinstance(value, float) and not low <= value <= high:
        ends = [end for end in (low, high) if abs(value - end) <= ROUNDING * (high - low)]
        value = ends[0] if ends else value
    checked = replace(row, values={name: value}).number_in(name, low, high)
    return Score(row.named(name), checked, mark, (low, high))


def _signature(row: Row, name: str, whole: Row) -> str:
    if whole.get("signature") is not None:
        return whole.text("signature")
    kit_names = (row.file.stem.lower(), row.file.parent.name.lower())
    model = next((MODELS[known] for known in kit_names if known in MODELS), None)
    mode = whole.get("mode")  # the metric VELA has three modes: descriptiveness, relevance or fluency
    return signature(name, source="capevalkit", model=model, mode=mode if isinstance(mode, str) else None)


def _alike(first: Outcome, second: Outcome) -> bool:
    if isinstance(first, Score) and isinstance(second, Score):
        return abs(first.value - second.value) <= ROUNDING * (first.scale[1] - first.scale[0])
    return type(first) is type(second)

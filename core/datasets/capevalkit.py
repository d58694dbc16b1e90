"""CaptionEvalKit's files (capevalkit 0.1.3, Wada 2026): inputs and results of its 24 metrics.

Each line of predictions.jsonl is {id, caption, image}. Each line of references.jsonl, in the same folder, is {id,
references}. Results are JSON files in the same folder or below its folder `outputs`. Result files have two forms.
CLIPScore and RefCLIPScore write {NAME: mean, "per_item": {id: {NAME: score}}}. All other metrics write {NAME: {"score":
mean, "per_item": {id: score}}}. Results that Capscope writes also have the fields signature and scale.
"""

import json
import math
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from shutil import copyfileobj
from tempfile import TemporaryDirectory

from core.datasets.base import Exported, Format, Record, Source
from core.datasets.files import line_rows, read_json
from core.datasets.own_form import encoded
from core.datasets.rows import Row, file_name, records_of
from core.errors import BadFile, BadRow
from core.signature import signature
from core.types import EvaluationError, Outcome, Score

PREDICTIONS, REFERENCES = "predictions.jsonl", "references.jsonl"
OUTPUTS = "outputs"  # folder beside predictions.jsonl into which the kit's examples and suites write results
PER_ITEM = "per_item"
_WAITING = 10_000  # maximum number of a result's entries in memory
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
# Metrics of the kit that share a name but use other models. The name of the file or folder shows the model.
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
    files: dict[str, dict[str, str]] = field(default_factory=dict)  # keys: sample id, then signature; value: first file
    notes: list[str] = field(default_factory=list)
    twice: Counter[tuple[str, str, str]] = field(default_factory=Counter)  # repeats; key: file, metric, earlier file

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


def read(source: Source) -> Iterator[Record]:
    """Yield one record for each line of predictions.jsonl, with data from the files beside it.

    After the last record, notes are reported. These notes state the number of scores of each metric, and the files,
    metrics and ids that were not read. Raises BadFile.
    """
    references = _references(source)
    results = _results(source)
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
    found: dict[str, tuple[str, ...]] = {}
    for row in line_rows(replace(source, path=beside)):
        try:
            if isinstance(row, BadRow):
                raise row
            named = "references" if row.get("references") is not None else "captions"
            single = isinstance(row.get(named), str)
            found[_id(row)] = (row.text(named),) if single else row.texts(named)
        except BadRow as bad:
            source.on_bad(bad)
    return found


def _results(source: Source) -> Results:
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
            results.notes.append(f"Not read: {file.name}, because it contains no scores of single captions.")
        for items, whole in found:
            _take(source, file, items, whole, results)
    return results


Items = Mapping[str, object]
Found = list[tuple[Items, Mapping[str, object]]]  # (scores by sample id and metric, other fields of the file)


def _metrics_of(content: object) -> tuple[Found, dict[str, str]]:
    """Return the scores of a result file, which may have either form.

    Also returns, for each metric that was not read, the reason.
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
    mode = whole.get("mode")  # VELA judges descriptiveness, relevance or fluency
    return signature(name, source="capevalkit", model=model, mode=mode if isinstance(mode, str) else None)


def _alike(first: Outcome, second: Outcome) -> bool:
    if isinstance(first, Score) and isinstance(second, Score):
        return abs(first.value - second.value) <= ROUNDING * (first.scale[1] - first.scale[0])
    return type(first) is type(second)


def write(samples: Iterable[Exported], folder: Path) -> Iterator[Exported | str]:
    """Write predictions.jsonl, references.jsonl and one result file for each signature.

    The files contain the pictures' names. Pictures are not copied.
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
        empty = f'"{PER_ITEM}": {{'  # no text can contain this, because quotation marks in JSON texts are escaped
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

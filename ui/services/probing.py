"""Probe metrics: make captions worse by edits, score them again, and report how often the scores fall."""

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from core.captions.nouns import bundled_nouns
from core.captions.probes import KINDS, ProbeEdit, probe_edits
from core.errors import BadData, BadSetting
from core.long_work.progress import no_progress, report, reporting
from core.metrics import Metric
from core.statistics.score_falls import Falls, falls
from core.types import Outcome, Sample, Score
from storage.types import StoredSample
from ui.services.analysis.analyst import Analyst
from ui.services.probe_report import FallRow, ProbeExample, ProbeReport, examples_table, falls_table
from ui.services.scoring.phrases import parser

Probed = Literal["candidates", "references"]
Scorer = Callable[[str, Sequence[Sample]], Iterator[Outcome]]  # (metric, samples) -> one outcome for each sample
LIMIT, MOST = 200, 10_000  # captions
EXAMPLES = 1  # number of examples for each metric and kind of edit


@dataclass(frozen=True, slots=True)
class ProbePlan:
    """Which captions of a data set to edit, and how many examples to show."""

    dataset: str
    limit: int = LIMIT  # maximum number of captions to edit, drawn at random
    seed: int = 0
    captions: Probed = "candidates"  # "references": edit one reference per sample; the sample's other references stay
    slice_name: str | None = None
    examples: int = EXAMPLES  # number of examples for each metric and kind of edit

    def __post_init__(self) -> None:
        if not 1 <= self.limit <= MOST:
            raise BadSetting(f"The number of captions to edit must be from 1 to {MOST:,}, found {self.limit:,}.")


@dataclass(frozen=True, slots=True)
class _Pair:
    stored: StoredSample
    sample: Sample
    edit: ProbeEdit


def probe(analyst: Analyst, plan: ProbePlan, metrics: Sequence[type[Metric]], score: Scorer) -> ProbeReport:
    """Edit captions of a data set, score them, and return how the scores fall.

    score: a function that scores samples of this data set. Raises NotFound, ModelUnavailable, Cancelled. Raises BadData
    if no sample has a caption to edit.
    """
    drawn = _drawn(analyst, plan)
    pairs = _edited(drawn, plan.seed)
    rows: list[FallRow] = []
    examples: list[ProbeExample] = []
    signatures: dict[str, str] = {}
    for metric in metrics:
        before = dict(
            zip([stored.id for stored, _ in drawn], _scored(metric, [s for _, s in drawn], score), strict=True)
        )
        edited = [replace(pair.sample, candidate=pair.edit.caption) for pair in pairs]
        after = _scored(metric, edited, score)
        signatures[metric.name] = next(iter(before.values())).signature
        outcomes = [(pair, before[pair.stored.id], outcome) for pair, outcome in zip(pairs, after, strict=True)]
        for kind in KINDS:
            of_kind = [one for one in outcomes if one[0].edit.kind == kind]
            rows.append(_row(metric, kind, of_kind))
            examples += _least_noticed(metric, kind, of_kind, plan.examples)
    pictures = analyst.pictures([one.id for one in examples])
    examples = [replace(one, image=pictures.get(one.id)) for one in examples]
    return ProbeReport(plan.dataset, len(drawn), plan.seed, signatures, falls_table(rows), examples_table(examples))


def _drawn(analyst: Analyst, plan: ProbePlan) -> list[tuple[StoredSample, Sample]]:
    """Choose samples at random.

    Return each chosen sample as it is stored, together with a Sample whose caption is to be edited. The caption to edit
    is the stored sample's own caption or its first reference, as the plan says.
    """
    table = analyst.table(plan.dataset, plan.slice_name)
    chance = random.Random(plan.seed)
    order = chance.sample(table.ids.tolist(), len(table.ids))
    samples: list[tuple[StoredSample, Sample]] = []
    seen: set[tuple[str, str]] = set()
    for stored in map(analyst.workplace.repository.samples.get, order):
        sample = stored.sample if plan.captions == "candidates" else _of_reference(stored.sample)
        if sample is None or not sample.candidate.strip() or (sample.image.name, sample.candidate) in seen:
            continue
        seen.add((sample.image.name, sample.candidate))
        samples.append((stored, sample))
        if len(samples) == plan.limit:
            break
    if not samples:
        lacks = "two references" if plan.captions == "references" else "a caption"
        raise BadData(f"No sample of {plan.dataset} has {lacks}, so there is nothing to edit.")
    return sorted(samples, key=lambda one: (one[0].image_id, one[0].id))  # grouped by picture, as models cache pictures


def _of_reference(sample: Sample) -> Sample | None:
    """Return the sample with its first reference as the caption.

    The other references stay references. None: the sample has no other references.
    """
    first, *others = sample.references or ("",)
    left = tuple(one for one in others if one != first)
    return replace(sample, candidate=first, references=left) if left else None


def _edited(drawn: Sequence[tuple[StoredSample, Sample]], seed: int) -> list[_Pair]:
    pairs: list[_Pair] = []
    for done, (stored, sample) in enumerate(drawn):
        report("Editing captions", done, len(drawn))
        known = (*sample.references, *(region.label or "" for region in sample.image.regions))
        (trees,) = parser().caption_trees([sample.candidate])
        pairs += [
            _Pair(stored, sample, edit) for edit in probe_edits(sample.candidate, trees, known, bundled_nouns(), seed)
        ]
    return pairs


def _scored(metric: type[Metric], samples: Sequence[Sample], score: Scorer) -> list[Outcome]:
    outcomes, made = list[Outcome](), score(metric.name, samples)
    for done in range(len(samples)):
        report(f"Scoring captions by {metric.name}", done, len(samples))
        with reporting(no_progress):  # hides the progress that the metric reports for single captions
            outcomes.append(next(made))
    return outcomes


def _row(metric: type[Metric], kind: str, found: Sequence[tuple[_Pair, Outcome, Outcome]]) -> FallRow:
    both = [
        (pair, one.value, two.value) for pair, one, two in found if isinstance(one, Score) and isinstance(two, Score)
    ]
    before, after = (np.array([row[place] for row in both], dtype=float) for place in (1, 2))
    image = np.array([pair.stored.image_id for pair, _, _ in both], dtype=np.int64)
    fallen: Falls = falls(before, after, image, metric.scale)
    low, high = (fallen.interval.low, fallen.interval.high) if fallen.interval else (None, None)
    errors = [one.message for _, *outcomes in found for one in outcomes if not isinstance(one, Score)]
    note = "no caption can be edited in this way" if not found else ""
    note = note or ("" if fallen.interval else "too few pictures for an interval")
    figures = fallen.fell, fallen.same, fallen.rose, fallen.before, fallen.fall
    return FallRow(metric.name, kind, len(both), len(found) - len(both), *figures, low, high, note, (*errors, "")[0])


def _least_noticed(
    metric: type[Metric], kind: str, found: Sequence[tuple[_Pair, Outcome, Outcome]], most: int
) -> list[ProbeExample]:
    examples = [
        ProbeExample(
            metric.name,
            kind,
            pair.stored.id,
            pair.stored.sample.key,
            None,
            pair.sample.candidate,
            pair.edit.caption,
            pair.edit.before,
            pair.edit.after,
            one.value,
            two.value,
        )
        for pair, one, two in found
        if isinstance(one, Score) and isinstance(two, Score)
    ]
    return sorted(examples, key=lambda one: (one.score - one.edited_score, one.id))[:most]

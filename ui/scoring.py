"""Scoring on request: one image, or a data set that is saved as it goes."""

from dataclasses import dataclass
from pathlib import Path

from core.evaluator import Evaluator
from core.images import read_image_facts
from core.models import ModelSettings
from core.types import ImageRef, Outcome, Sample, Score
from ui.services import Progress, Workplace, no_progress


@dataclass(frozen=True, slots=True)
class ScoringReport:
    """What a run over a data set did."""

    metric: str
    dataset: str
    signature: str
    scored: int
    errors: int
    known: int  # samples that had an outcome of this signature before
    left: int  # samples that --limit has left for another run


def sample_of(image: Path, caption: str, references: tuple[str, ...] = ()) -> Sample:
    """Return one image with one caption. Raises BadImage."""
    facts = read_image_facts(image)
    picture = ImageRef(image.name, image, facts.sha256, facts.width, facts.height)
    return Sample(image.name, picture, caption, references)


def score_dataset(
    workplace: Workplace,
    evaluator: Evaluator,
    name: str,
    dataset: str,
    settings: ModelSettings,
    limit: int | None = None,
    retry_errors: bool = False,
    progress: Progress = no_progress,
) -> ScoringReport:
    """Score what has no outcome of this metric's signature yet; each outcome is saved at once.

    A run that was stopped goes on where it was. Raises NotFound, ModelUnavailable, BadSetting.
    """
    scores = workplace.repository.scores
    total = workplace.repository.samples.search(dataset, "", 0, 0).total
    scores.unscored(dataset, "")  # an unknown data set is told before a model is loaded
    metric = evaluator.metric(name, settings)
    missing = scores.unscored(dataset, metric.signature(), retry_errors)
    wanted = missing[:limit]
    outcomes = evaluator.evaluate(name, [unscored.sample for unscored in wanted], settings)
    good = 0
    progress(f"{metric.name} on {dataset}", 0, len(wanted))
    for done, (unscored, outcome) in enumerate(zip(wanted, outcomes, strict=True), 1):
        scores.save(unscored.id, outcome)
        good += isinstance(outcome, Score)
        progress(f"{metric.name} on {dataset}", done, len(wanted))
    return ScoringReport(
        metric.name,
        dataset,
        metric.signature(),
        scored=good,
        errors=len(wanted) - good,
        known=total - len(missing),
        left=len(missing) - len(wanted),
    )


def outcome_json(outcome: Outcome) -> dict[str, object]:
    """Return an outcome as `score --json` prints it."""
    if not isinstance(outcome, Score):
        return {"metric": outcome.metric, "error": {"kind": outcome.kind, "message": outcome.message}}
    cut = support_cut(outcome.signature)
    explanation = outcome.explanation
    phrases = [
        {
            "text": phrase.text,
            "start": phrase.span[0],
            "end": phrase.span[1],
            "support": phrase.support,
            "correct": phrase.support >= cut,
            "region": phrase.region,
        }
        for phrase in explanation.phrases
    ]
    regions = [
        {
            "label": region.label,
            "is_full": region.is_full,
            "support": region.support,
            "mentioned": region.support >= cut,
            "phrase": region.phrase,
            "rle": {"size": list(region.size), "counts": region.rle},
        }
        for region in explanation.regions
    ]
    return {
        "metric": outcome.metric,
        "value": outcome.value,
        "signature": outcome.signature,
        "components": dict(outcome.components),
        "explanation": {"rationales": dict(explanation.rationales), "phrases": phrases, "regions": regions},
    }


def support_cut(signature: str) -> float:
    """Return the support from which on a phrase is correct and a region mentioned: 0.5, or what the signature says."""
    settings = dict(part.split(":", 1) for part in signature.split("|") if ":" in part)
    return float(settings.get("cut", 0.5))

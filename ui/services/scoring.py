"""Scoring on request: one image, or a data set that is saved as it goes."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from core.errors import BadSetting, ErrorKind, ModelUnavailable
from core.images import read_image_facts
from core.metrics import Metric
from core.metrics.evaluator import Evaluator, metric_named
from core.models import ModelSettings
from core.models.hice.protocol import OF_SAMPLE
from core.progress import Progress, no_progress
from core.types import EvaluationError, ImageRef, Outcome, Sample, Score
from storage.types import UnscoredSample
from ui.overlay import save_overlay
from ui.services.workplace import Workplace


@dataclass(frozen=True, slots=True)
class ScoringPlan:
    """What a run over a data set is going to do."""

    metric: str
    dataset: str
    settings: ModelSettings
    signature: str
    wanted: tuple[UnscoredSample, ...]
    known: int  # samples that have an outcome of this signature
    left: int  # samples that --limit leaves for another run


@dataclass(frozen=True, slots=True)
class ErrorCount:
    """How often a run could not judge a sample for one reason."""

    kind: ErrorKind
    count: int
    example: str  # message of the first one


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
    error_kinds: tuple[ErrorCount, ...] = ()  # of this run's errors, the most frequent first


def sample_of(image: Path, caption: str, references: tuple[str, ...] = ()) -> Sample:
    """Return one image with one caption. Raises BadImage."""
    facts = read_image_facts(image)
    picture = ImageRef(image.name, image, facts.sha256, facts.width, facts.height)
    return Sample(image.name, picture, caption, references)


def plan_scoring(
    workplace: Workplace,
    evaluator: Evaluator,
    name: str,
    dataset: str,
    settings: ModelSettings,
    limit: int | None = None,
    retry_errors: bool = False,
) -> ScoringPlan:
    """Load a metric and find what has no outcome of its signature yet.

    HICE-S takes the annotated regions of the data set where it has some and the settings name no others.
    Raises NotFound, ModelUnavailable, BadSetting.
    """
    annotated = workplace.repository.samples.has_regions(dataset)
    if annotated:  # tells of an unknown data set before a model is loaded
        settings = with_own_regions(metric_named(name), settings)
    scores = workplace.repository.scores
    try:
        signature = evaluator.metric(name, settings).signature()
    except ModelUnavailable as error:
        if annotated or not metric_named(name).shows_regions or "regions" in settings.options:
            raise
        raise ModelUnavailable(
            f"The pictures of {dataset} have no annotated regions; give them some with "
            f"`python app.py annotate {dataset} instances.json`, and {metric_named(name).name} needs "
            f"no download. Without: {error}"
        ) from error
    counts = scores.count(dataset, signature, retry_errors)
    wanted = scores.unscored(dataset, signature, retry_errors, limit)
    left = counts.samples - counts.known - len(wanted)
    return ScoringPlan(metric_named(name).name, dataset, settings, signature, wanted, counts.known, left)


def with_own_regions(metric: type[Metric], settings: ModelSettings) -> ModelSettings:
    """Let a metric that looks at regions take those that pictures bring along, unless others are asked for."""
    if not metric.shows_regions or "regions" in settings.options:
        return settings
    return replace(settings, options={**settings.options, "regions": OF_SAMPLE})


def run_scoring(
    workplace: Workplace, evaluator: Evaluator, plan: ScoringPlan, progress: Progress = no_progress
) -> ScoringReport:
    """Score what was planned; each outcome is saved at once, so that a run that is stopped can be taken up again.

    Raises ModelUnavailable.
    """
    what, errors = f"{plan.metric} on {plan.dataset}", list[EvaluationError]()
    progress(what, 0, len(plan.wanted))
    outcomes = evaluator.evaluate(plan.metric, [unscored.sample for unscored in plan.wanted], plan.settings)
    for done, (unscored, outcome) in enumerate(zip(plan.wanted, outcomes, strict=True), 1):
        workplace.repository.scores.save(unscored.id, outcome)
        errors += [outcome] if isinstance(outcome, EvaluationError) else []
        progress(what, done, len(plan.wanted))
    good, kinds = len(plan.wanted) - len(errors), _error_kinds(errors)
    return ScoringReport(plan.metric, plan.dataset, plan.signature, good, len(errors), plan.known, plan.left, kinds)


def _error_kinds(errors: Sequence[EvaluationError]) -> tuple[ErrorCount, ...]:
    first = {error.kind: error.message for error in reversed(errors)}
    counts = Counter(error.kind for error in errors).most_common()
    return tuple(ErrorCount(kind, count, first[kind]) for kind, count in counts)


def draw_overlay(path: Path, picture: Path, outcome: Outcome) -> None:
    """Draw a score's regions over the picture. Raises BadSetting without any, or for another ending than .svg and .png.

    An outcome without a score draws nothing.
    """
    if isinstance(outcome, Score):
        if not outcome.explanation.regions:
            raise BadSetting(f"{outcome.metric} explains itself without regions; --overlay goes with HICE-S.")
        save_overlay(path, picture, outcome.explanation)

"""Scoring on request: one image, or a data set that is saved as it goes."""

import logging
import random
from collections import Counter
from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from time import perf_counter

from core.costs import Seconds, Usage, summed
from core.engines.ray_data import Cluster, Order, judged
from core.errors import BadData, BadSetting, ErrorKind, ModelChanged, ModelUnavailable
from core.images import read_image_facts
from core.metrics import Metric
from core.metrics.evaluator import Evaluator
from core.metrics.vlm_judge import batches
from core.models import ModelSettings
from core.models.hice.protocol import OF_SAMPLE
from core.parallel import side_by_side
from core.progress import Progress, no_progress
from core.types import EvaluationError, ImageRef, Outcome, Sample, Score
from storage.types import UnscoredSample
from ui.overlay import save_overlay
from ui.services.workplace import Workplace

MAX_ERRORS = 20
MOST_CHANGES = 5  # of a server's model in one run: more are a service that answers with several models in turn
_CHOICE = (
    "The run stopped; all scores are stored under the signature of their own model. The same command judges the "
    "samples that the present model has not judged. --on-change new-signature goes on and signs each model apart. "
    "--on-change ignore signs fingerprint:any where only system_fingerprint changes."
)
_IN_TURN = (
    f"The model changed more than {MOST_CHANGES} times in this run. The service probably answers with several models "
    "in turn. The run stopped; all scores are stored under the signature of their own model. --on-change ignore signs "
    "fingerprint:any where only system_fingerprint changes."
)
_log = logging.getLogger("capscope")
ANSWERED: tuple[ErrorKind, ...] = ("no_score", "out_of_range", "merged_digits")  # errors in an answer that came


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
    max_errors: int = MAX_ERRORS  # samples in a row that the server refuses before the run stops
    earlier: int = 0  # of the known samples, those whose scores carry a signature of an earlier version
    timings: bool = False  # outcomes are stored with their seconds
    load_s: float = 0.0  # which loading the metric took


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
    missing_bound: float | None = None  # the largest of this run's scores; None where all probabilities were told
    earlier: int = 0  # of the known samples, those whose scores carry a signature of an earlier version
    signatures: Mapping[str, int] = field(default_factory=dict)  # outcomes of this run; several: the model changed
    servers: Mapping[str, int] = field(default_factory=dict)  # answers so far by address, of this process's servers
    usage: Usage | None = None  # of this run's answers; None: no server answered
    seconds: Seconds = field(default_factory=dict)  # of this run, by part, and of loading; empty: not measured


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
    renew: bool = False,
) -> ScoringPlan:
    """Load a metric and find what has no outcome of its signature yet.

    A server's scores that an earlier version signed in other words count as known, unless renew is set.
    HICE-S takes the annotated regions of the data set where it has some and the settings name no others.
    Raises NotFound, ModelUnavailable, BadSetting.
    """
    metric = evaluator.kind(name)
    annotated = workplace.repository.samples.has_regions(dataset)
    if annotated:  # tells of an unknown data set before a model is loaded
        settings = with_own_regions(metric, settings)
    scores = workplace.repository.scores
    start = perf_counter()
    try:
        signature = evaluator.signature(name, settings)
    except ModelUnavailable as error:
        if annotated or not metric.shows_regions or "regions" in settings.options:
            raise
        raise ModelUnavailable(
            f"The pictures of {dataset} have no annotated regions; give them some with "
            f"`python app.py annotate {dataset} instances.json`, and {metric.name} needs "
            f"no download. Without: {error}"
        ) from error
    load_s = perf_counter() - start
    before = None if renew else evaluator.earlier_signature(name, settings)
    earlier = () if before is None else (before,)
    counts = scores.count(dataset, signature, retry_errors, earlier)
    wanted = scores.unscored(dataset, signature, retry_errors, limit, earlier)
    left = counts.samples - counts.known - len(wanted)
    ours = scores.count(dataset, signature, retry_errors).known if earlier else counts.known
    plan = ScoringPlan(metric.name, dataset, settings, signature, wanted, counts.known, left)
    return replace(plan, earlier=counts.known - ours, load_s=load_s)


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
    report = _reported(plan, _saved(workplace, evaluator, plan), progress)
    return replace(report, servers=evaluator.servers(plan.metric, plan.settings))


def run_on_cluster(
    workplace: Workplace, plan: ScoringPlan, cluster: Cluster, progress: Progress = no_progress
) -> ScoringReport:
    """Score what was planned on many machines; outcomes are saved here alone, those of a batch in one transaction.

    Each worker asks a server about as many samples at a time as its endpoint takes requests. Raises ModelUnavailable.
    """
    server = plan.settings.endpoint
    settings = plan.settings
    if server is not None:  # a rate is a limit of all workers together
        rate, tokens = server.rate and server.rate / cluster.workers, server.tokens_per_min
        each = replace(server, rate=rate, tokens_per_min=tokens and tokens / cluster.workers)
        settings = replace(settings, batch_size=server.parallel * len(server.urls), endpoint=each)
    order = Order(plan.metric, settings, workplace.plugin, plan.timings)

    def saved() -> Generator[Outcome]:
        samples = [(one.id, one.sample) for one in plan.wanted]
        for some in judged(order, plan.signature, samples, cluster) if samples else ():
            workplace.repository.scores.save_all(some)
            yield from (outcome for _, outcome in some)

    return _reported(plan, saved(), progress)


def _reported(plan: ScoringPlan, outcomes: Generator[Outcome], progress: Progress) -> ScoringReport:
    what, errors, refused = f"{plan.metric} on {plan.dataset}", list[EvaluationError](), 0
    missing: float | None = None
    signatures, usages, seconds = Counter[str](), list[Usage | None](), Counter[str]()
    progress(what, 0, len(plan.wanted))
    with closing(outcomes):  # a run that stops drops the requests that are still under way
        for done, outcome in enumerate(outcomes, 1):
            errors += [outcome] if isinstance(outcome, EvaluationError) else []
            refused = _refused_in_a_row(refused, outcome)
            if refused >= plan.max_errors:
                raise ModelUnavailable(_stopped(plan, errors, done))
            missing = _larger(missing, outcome)
            signatures[outcome.signature] += 1
            usages.append(outcome.usage)
            seconds.update(outcome.seconds)
            progress(what, done, len(plan.wanted))
    good, kinds = len(plan.wanted) - len(errors), _error_kinds(errors)
    report = ScoringReport(plan.metric, plan.dataset, plan.signature, good, len(errors), plan.known, plan.left, kinds)
    report = replace(report, missing_bound=missing, earlier=plan.earlier, signatures=dict(signatures))
    return replace(report, usage=summed(usages), seconds={"load": plan.load_s} | seconds if plan.timings else {})


def _refused_in_a_row(before: int, outcome: Outcome) -> int:
    """Return how many samples in a row the server refused.

    A sample that was not sent, such as one without its picture, changes nothing.
    """
    if isinstance(outcome, Score) or outcome.kind in ANSWERED:
        return 0
    return before + (outcome.kind == "refused")


def _stopped(plan: ScoringPlan, errors: Sequence[EvaluationError], done: int) -> str:
    last = next(error.message for error in reversed(errors) if error.kind == "refused")
    return (
        f"Stopped: the server refused {plan.max_errors} samples in a row (--max-errors). The last refusal: {last!r}. "
        f"{done - len(errors):,} scores of this run are stored. The same command goes on with the rest; with "
        "--retry-errors it asks for the refused samples again."
    )


def _larger(missing: float | None, outcome: Outcome) -> float | None:
    found = outcome.components.get("missing_bound") if isinstance(outcome, Score) else None
    return missing if not isinstance(found, float) else max(found, missing or 0.0)


def _judged_here(evaluator: Evaluator, plan: ScoringPlan) -> Iterator[Outcome]:
    """Yield the outcomes of a metric of this computer; where they are timed, as many samples at a time as a batch."""
    samples = [unscored.sample for unscored in plan.wanted]
    if not plan.timings:
        yield from evaluator.evaluate(plan.metric, samples, plan.settings)
        return
    for some in batches(samples, plan.settings.batch_size):
        yield from evaluator.evaluate_timed(plan.metric, some, plan.settings)


def _saved(workplace: Workplace, evaluator: Evaluator, plan: ScoringPlan) -> Generator[Outcome]:
    """Yield outcomes that have been saved, those of a server as its answers come."""
    scores, server = workplace.repository.scores, plan.settings.endpoint
    if server is None:
        for unscored, outcome in zip(plan.wanted, _judged_here(evaluator, plan), strict=True):
            scores.save(unscored.id, outcome)
            yield outcome
        return

    def judged(unscored: UnscoredSample) -> tuple[int, Outcome]:
        evaluate = evaluator.evaluate_timed if plan.timings else evaluator.evaluate
        (outcome,) = evaluate(plan.metric, [unscored.sample], plan.settings)
        if outcome.signature != expected:  # another thread has noticed a change, and this one has connected anew
            raise ModelChanged(f"The model has changed: {outcome.signature}.")
        scores.save(unscored.id, outcome)  # by the thread that has the answer: nothing that was answered is lost
        return unscored.id, outcome

    expected = plan.signature
    waiting, changes = {one.id: one for one in plan.wanted}, 0
    while waiting:
        try:
            # Twice as many as are sent at a time: the next requests are ready when the server has answered.
            for sample_id, outcome in side_by_side(
                judged, list(waiting.values()), 2 * server.parallel * len(server.urls)
            ):
                del waiting[sample_id]
                yield outcome
        except ModelChanged as change:
            changes += 1
            if server.on_change != "new-signature" or changes > MOST_CHANGES:
                told = _CHOICE if server.on_change != "new-signature" else _IN_TURN
                raise ModelUnavailable(f"{change} {told}") from change
            expected = evaluator.signature(plan.metric, plan.settings)
            _log.warning("%s This run goes on under the signature %s.", change, expected)


@dataclass(frozen=True, slots=True)
class Verified:
    """How far scores of a server are from those of the model here, on samples drawn at random."""

    samples: int
    largest: float  # difference, as the metric's scale has it
    mean: float  # of the differences' sizes
    key: str  # of the sample with the largest


def verify(workplace: Workplace, evaluator: Evaluator, plan: ScoringPlan, here: ModelSettings, count: int) -> Verified:
    """Judge stored samples again with a model of this computer, always the same ones of a data set.

    Raises ModelUnavailable, BadSetting, BadData where there is nothing to compare.
    """
    stored = workplace.repository.scores.values(plan.dataset, plan.signature)
    drawn = random.Random(0).sample(sorted(stored), min(count, len(stored)))
    differences: list[tuple[float, str]] = []
    for sample_id in drawn:
        sample = workplace.repository.samples.get(sample_id).sample
        outcome = evaluator.evaluate_one(plan.metric, sample, here)
        if isinstance(outcome, Score):
            differences.append((abs(outcome.value - stored[sample_id]), sample.key))
    if not differences:
        raise BadData(f"Expected scores of {plan.signature} to verify, found none that could be made here too.")
    largest, key = max(differences)
    return Verified(len(differences), largest, sum(size for size, _ in differences) / len(differences), key)


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

"""Score one image or a whole data set. The outcomes of a data set are stored during the run."""

import logging
import random
from collections.abc import Generator, Iterator
from contextlib import closing
from dataclasses import dataclass, replace
from itertools import chain
from pathlib import Path

from core.engines.ray_actor import Order
from core.engines.ray_data import Cluster, judged
from core.errors import BadData, BadSetting, ModelChanged, ModelUnavailable
from core.long_work.parallel import side_by_side
from core.long_work.progress import Progress, no_progress
from core.metrics.evaluator import Evaluator
from core.metrics.vlm_judge import batches
from core.models import Endpoint, ModelSettings
from core.types import Outcome, Score
from storage.data.unscored import AT_A_TIME
from storage.types import UnscoredSample
from ui.region_files import save_overlay
from ui.services.scoring.scoring_plan import ScoringPlan
from ui.services.scoring.scoring_report import ScoringReport, Tally
from ui.services.scoring.unsaved_outcomes import Made, kept
from ui.services.workplace import Workplace

MOST_CHANGES = 5  # maximum model changes in a run; with more, the service probably alternates models, so the run stops
_CHOICE = (
    "The run stopped. Each score is stored with the signature of its model. Run the same command again to score the "
    "other samples with the present model. With --on-change new-signature the run continues and gives each model "
    "its own signature. If only system_fingerprint changes, --on-change ignore uses the signature fingerprint:any."
)
_IN_TURN = (
    f"The model changed more than {MOST_CHANGES} times in this run. The service probably uses several models in "
    "turn. The run stopped. Each score is stored with the signature of its model. If only system_fingerprint "
    "changes, --on-change ignore uses the signature fingerprint:any."
)
_log = logging.getLogger("capscope")


def run_scoring(
    workplace: Workplace, evaluator: Evaluator, plan: ScoringPlan, progress: Progress = no_progress
) -> ScoringReport:
    """Score the planned samples. A stopped run can be continued.

    The answers of a server are stored immediately. Other outcomes are stored in groups (see unsaved_outcomes). Raises
    ModelUnavailable.
    """
    server = plan.settings.endpoint
    if server is None:
        made = kept(workplace.repository.scores, _judged_here(evaluator, plan))
    else:
        made = _asked(workplace, evaluator, plan, server)
    report = _reported(plan, made, progress)
    return replace(report, servers=evaluator.servers(plan.metric, plan.settings))


def run_on_cluster(
    workplace: Workplace, plan: ScoringPlan, cluster: Cluster, progress: Progress = no_progress
) -> ScoringReport:
    """Score the planned samples on many machines.

    Only this process stores outcomes, in groups (see unsaved_outcomes). If a model server is used, a worker gets
    samples in batches. A batch has about as many samples as the server accepts parallel requests. Raises
    ModelUnavailable.
    """
    server = plan.settings.endpoint
    settings = plan.settings
    if server is not None:  # all workers share the server's rate limit, so each gets an equal part
        rate, tokens = server.rate and server.rate / cluster.workers, server.tokens_per_min
        each = replace(server, rate=rate, tokens_per_min=tokens and tokens / cluster.workers)
        settings = replace(settings, batch_size=server.parallel * len(server.urls), endpoint=each)
    order = Order(plan.metric, settings, workplace.plugin, plan.timings)

    samples = [(one.id, one.sample) for one in plan.wanted]
    outcomes = judged(order, plan.signature, samples, cluster) if samples else ()
    return _reported(plan, kept(workplace.repository.scores, outcomes), progress)


def _reported(plan: ScoringPlan, made: Generator[Made], progress: Progress) -> ScoringReport:
    what, total, tally = f"{plan.metric} on {plan.dataset}", len(plan.wanted), Tally()
    progress(what, 0, total)
    with closing(made):  # a stopped run drops its unanswered requests
        for done, (_, outcome) in enumerate(made, 1):
            tally.add(outcome)
            if tally.refused >= plan.max_errors:
                raise ModelUnavailable(_stopped(plan, tally))
            progress(what, done, total)
    errors = tally.errors.total()
    report = ScoringReport(plan.metric, plan.dataset, plan.signature, tally.scored, errors, plan.known, plan.left)
    report = replace(report, error_kinds=tally.error_kinds, missing_bound=tally.missing_bound, earlier=plan.earlier)
    seconds = {"load": plan.load_s} | tally.seconds if plan.timings else {}
    return replace(report, signatures=dict(tally.signatures), usage=tally.usage, seconds=seconds)


def _stopped(plan: ScoringPlan, tally: Tally) -> str:
    return (
        f"Stopped, because the server refused {plan.max_errors} samples in a row (--max-errors). The last refusal: "
        f"{tally.last_refusal!r}. {tally.scored:,} scores of this run are stored. Run the same command again to "
        "score the other samples. Add --retry-errors to score the refused samples too."
    )


def _judged_here(evaluator: Evaluator, plan: ScoringPlan) -> Iterator[list[Made]]:
    """Yield a metric's outcomes that are computed on this computer.

    The outcomes come in groups. If timings are wanted, a group has the samples of one batch.
    """
    size = plan.settings.batch_size
    # Each part of the samples has a multiple of the batch size, so the batches are the same as without parts.
    for part in plan.wanted.parts(max(1, AT_A_TIME // size) * size):
        samples = [one.sample for one in part]
        if plan.timings:
            ids = iter([one.id for one in part])
            for some in batches(samples, size):
                timed_outcomes = evaluator.evaluate_timed(plan.metric, some, plan.settings)
                yield [(next(ids), outcome) for outcome in timed_outcomes]
        else:
            outcomes = evaluator.evaluate(plan.metric, samples, plan.settings)
            for one, outcome in zip(part, outcomes, strict=True):
                yield [(one.id, outcome)]


def _asked(workplace: Workplace, evaluator: Evaluator, plan: ScoringPlan, server: Endpoint) -> Generator[Made]:
    """Yield a server's outcomes in order of arrival. The thread that received an outcome has already stored it."""
    scores, waiting = workplace.repository.scores, dict[int, UnscoredSample]()

    def judged(unscored: UnscoredSample) -> Made:
        evaluate = evaluator.evaluate_timed if plan.timings else evaluator.evaluate
        (outcome,) = evaluate(plan.metric, [unscored.sample], plan.settings)
        # The server may have changed its model. If another thread noticed the change first, this thread is already
        # connected to the new model. So the signature of its outcome is compared with the expected signature.
        if outcome.signature != expected:
            raise ModelChanged(f"The model has changed: {outcome.signature}.")
        scores.save(unscored.id, outcome)  # every answer is stored, so that none is lost
        return unscored.id, outcome

    def coming() -> Iterator[UnscoredSample]:
        for one in plan.wanted:
            waiting[one.id] = one
            yield one

    samples, expected, changes = coming(), plan.signature, 0
    while True:
        try:
            # Prepare twice as many requests as run in parallel, so that the next are ready when the server answers.
            again = list(waiting.values())
            for made in side_by_side(judged, chain(again, samples), 2 * server.parallel * len(server.urls)):
                del waiting[made[0]]
                yield made
            return
        except ModelChanged as change:
            changes += 1
            if server.on_change != "new-signature" or changes > MOST_CHANGES:
                advice = _CHOICE if server.on_change != "new-signature" else _IN_TURN
                raise ModelUnavailable(f"{change} {advice}") from change
            expected = evaluator.signature(plan.metric, plan.settings)
            _log.warning("%s This run continues with the signature %s.", change, expected)


@dataclass(frozen=True, slots=True)
class Verified:
    """The difference between a server's scores and a local model's scores, on samples drawn at random."""

    samples: int
    largest: float  # largest absolute difference between a server's and a local score, on the metric's scale
    mean: float  # mean absolute difference between a server's and a local score, on the metric's scale
    key: str  # key of the sample with the largest difference


def verify(workplace: Workplace, evaluator: Evaluator, plan: ScoringPlan, here: ModelSettings, count: int) -> Verified:
    """Score some stored samples again with a model on this computer.

    Return how far the new scores differ from the stored ones. The same samples of a data set are chosen each time.
    Raises ModelUnavailable, BadSetting. Raises BadData if there is nothing to compare.
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
        raise BadData(f"Nothing to compare, because this computer could not compute any score of {plan.signature}.")
    largest, key = max(differences)
    return Verified(len(differences), largest, sum(size for size, _ in differences) / len(differences), key)


def draw_overlay(path: Path, picture: Path, outcome: Outcome) -> None:
    """Draw a score's regions over the picture into a file.

    Nothing is drawn for an outcome without a score. Raises BadSetting if the score has no regions, or if the file does
    not end in .svg or .png.
    """
    if isinstance(outcome, Score):
        if not outcome.explanation.regions:
            raise BadSetting(f"{outcome.metric} does not return regions to draw. Use --overlay with HICE-S.")
        save_overlay(path, picture, outcome.explanation)

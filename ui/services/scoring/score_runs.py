"""Score a whole data set. The outcomes are stored during the run, so that a stopped run can be continued."""

from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import closing
from time import monotonic

from core.engines.ray_workers import judged
from core.errors import ModelChanged, ModelUnavailable
from core.long_work.parallel import side_by_side
from core.long_work.progress import Progress, no_progress
from core.metrics.evaluator import Evaluator
from core.models import Endpoint
from core.types import Outcome, Score
from storage.data.scores import ANSWERED, Scores
from storage.data.stored_samples import AT_A_TIME
from storage.types import StoredSample
from ui.services.scoring.scoring_plan import ScoringPlan
from ui.services.scoring.scoring_report import ScoringReport
from ui.services.workplace import Workplace

MOST_WAITING = 400  # maximum outcomes in one transaction; with more, raters' answers would wait too long
LONGEST_S = 0.5  # maximum seconds of work that a killed process may lose

Made = tuple[int, Outcome]  # (number of a sample, outcome)


def run_scoring(
    workplace: Workplace, evaluator: Evaluator, plan: ScoringPlan, progress: Progress = no_progress
) -> ScoringReport:
    """Score the planned samples.

    The answers of a server are stored immediately. Other outcomes are stored in groups (see `stored_in_groups`). Raises
    ModelUnavailable.
    """
    scores, server = workplace.repository.scores, plan.settings.endpoint
    if plan.cluster is not None:
        samples = [(one.id, one.sample) for one in plan.wanted]
        outcomes = judged(plan.metric, plan.signature, plan.settings, workplace.plugin, samples, plan.cluster)
        return _reported(plan, stored_in_groups(scores, outcomes), progress)
    if server is not None:
        return _reported(plan, _asked(workplace, evaluator, plan, server), progress)
    return _reported(plan, stored_in_groups(scores, _judged_here(evaluator, plan)), progress)


def _reported(plan: ScoringPlan, made: Generator[Made], progress: Progress) -> ScoringReport:
    what, total, refused = f"{plan.metric} on {plan.dataset}", len(plan.wanted), 0
    report = ScoringReport(plan.metric, plan.dataset, plan.signature, known=plan.known, left=plan.left)
    progress(what, 0, total)
    with closing(made):  # a stopped run drops its unanswered requests
        for done, (_, outcome) in enumerate(made, 1):
            report.add(outcome)
            # Errors before a request is sent, such as a missing picture, do not end the series of refused samples.
            if isinstance(outcome, Score) or outcome.kind in ANSWERED:
                refused = 0
            elif outcome.kind == "refused":
                refused += 1
                if refused >= plan.max_errors:
                    raise ModelUnavailable(
                        f"Stopped, because the server refused {refused} samples in a row (--max-errors). The last "
                        f"refusal: {outcome.message!r}. {report.scored:,} scores of this run are stored. Run the same "
                        "command again to score the other samples."
                    )
            progress(what, done, total)
    if report.seconds:
        report.seconds = {"load": plan.load_s, **report.seconds}
    return report


def _judged_here(evaluator: Evaluator, plan: ScoringPlan) -> Iterator[list[Made]]:
    """Yield a metric's outcomes that are computed on this computer, with seconds if the metric has a model."""
    size, has_model = plan.settings.batch_size, bool(evaluator.kind(plan.metric).checkpoints)
    judge = evaluator.evaluate_timed if has_model else evaluator.evaluate
    # Each part of the samples has a multiple of the batch size, so the batches are the same as without parts.
    for part in plan.wanted.parts(max(1, AT_A_TIME // size) * size):
        for start in range(0, len(part), size):
            some = part[start : start + size]
            outcomes = judge(plan.metric, [one.sample for one in some], plan.settings)
            yield [(one.id, outcome) for one, outcome in zip(some, outcomes, strict=True)]


def _asked(workplace: Workplace, evaluator: Evaluator, plan: ScoringPlan, server: Endpoint) -> Generator[Made]:
    """Yield a server's outcomes in order of arrival. The thread that received an outcome has already stored it."""
    scores = workplace.repository.scores

    def one(unscored: StoredSample) -> Made:
        (outcome,) = evaluator.evaluate_timed(plan.metric, [unscored.sample], plan.settings)
        if outcome.signature != plan.signature:  # another thread noticed the change first and has connected again
            raise ModelChanged(f"{server.url} has another model now: {outcome.signature}.")
        scores.save(unscored.id, outcome)  # every answer is stored, so that none is lost
        return unscored.id, outcome

    try:
        # Prepare twice as many requests as run in parallel, so that the next are ready when the server answers.
        yield from side_by_side(one, plan.wanted, 2 * server.parallel)
    except ModelChanged as change:
        raise ModelUnavailable(
            f"{change} The run stopped. Each score is stored with the signature of its model. Run the same command "
            "again to score the other samples with the present model."
        ) from change


def stored_in_groups(
    scores: Scores, made: Iterable[Iterable[Made]], clock: Callable[[], float] = monotonic
) -> Generator[Made]:
    """Yield outcomes (scores and errors) after they are stored in groups.

    Storing one outcome takes as long as storing hundreds. If the last group was stored less than LONGEST_S ago, a new
    outcome waits. So outcomes that arrive slowly are stored one by one, and a killed process loses less than LONGEST_S
    of work. After an error or Ctrl+C, the waiting outcomes are stored too.
    """
    waiting, stored_at = list[Made](), clock()
    try:
        for some in made:
            waiting += some
            if clock() - stored_at >= LONGEST_S or len(waiting) >= MOST_WAITING:
                scores.save_all(waiting)
                stored, waiting, stored_at = waiting, [], clock()
                yield from stored
    finally:
        scores.save_all(waiting)
    yield from waiting

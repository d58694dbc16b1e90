"""Three modes of `score`: one sample, a data set, and an estimate for a data set."""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import typer

from core.costs import Price
from core.engines.ray_data import Cluster
from core.errors import CapscopeError
from core.long_work.progress import Progress, StageClock, reporting
from core.metrics import Metric
from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from core.types import Outcome
from ui.commands.options import progress_bar
from ui.commands.score_output import NO_SCORE, show_estimate, show_report
from ui.services.accounts.invitations import COMMAND_LINE
from ui.services.scoring import score_runs, scoring_plan
from ui.services.scoring.estimate import estimate_asking, estimate_unasked
from ui.services.workplace import Workplace

Opening = AbstractContextManager[Workplace]  # opens the data folder in a `with` block


@dataclass(frozen=True, slots=True)
class DatasetJob:
    """A scoring run over a data set: its samples, metric and output."""

    dataset: str
    metric: str
    kind: type[Metric]
    evaluator: Evaluator
    wanted: ModelSettings
    limit: int | None  # samples
    retry_errors: bool
    renew: bool
    max_errors: int
    timings: bool
    prices: Price | None
    as_json: bool

    def plan(self, opened: Workplace) -> scoring_plan.ScoringPlan:
        """Return the plan of a scoring run. Raises BadSetting and other errors."""
        plan = scoring_plan.plan_scoring(
            opened, self.evaluator, self.metric, self.dataset, self.wanted, self.limit, self.retry_errors, self.renew
        )
        return replace(plan, max_errors=self.max_errors)


@dataclass(frozen=True, slots=True)
class Check:
    """Samples that this process also scores, so that their scores can be compared with a server's scores."""

    evaluator: Evaluator
    here: ModelSettings  # settings for scoring without a server
    samples: int


def score_sample(
    evaluator: Evaluator,
    metric: str,
    wanted: ModelSettings,
    image: Path | None,
    caption: str,
    references: Sequence[str],
    overlay: Path | None,
    timings: bool,
) -> Outcome:
    """Score one caption with or without a picture.

    overlay: the file for the picture with the score's regions drawn over it; None: no such file is written.
    """
    sample = scoring_plan.sample_of(image, caption, tuple(references))
    with _stages(timings):
        (outcome,) = (evaluator.evaluate_timed if timings else evaluator.evaluate)(metric, [sample], wanted)
    if overlay is not None and image is not None:
        score_runs.draw_overlay(overlay, image, outcome)
    return outcome


def estimate_run(job: DatasetJob, opening: Opening, measure: int | None) -> None:
    """Print the estimated cost and time of a scoring run.

    measure: number of samples that are scored now, to measure their cost; None: none are scored.
    """
    with opening as opened:
        if measure is None:
            estimate = estimate_unasked(opened, job.kind, job.dataset, job.wanted, job.limit)
        else:
            deed = f"{measure} of data set {job.dataset} by {job.metric}"
            opened.repository.audit.add(COMMAND_LINE, "scored", deed)
            plan = job.plan(opened)
            with progress_bar() as progress:
                estimate = estimate_asking(opened, job.evaluator, plan, measure, progress)
    show_estimate(estimate, job.prices, job.as_json)


def score_dataset(job: DatasetJob, opening: Opening, cluster: Cluster | None, check: Check | None) -> None:
    """Score those samples of a data set that have no score.

    They are scored in this process, on a server or on a cluster. check: samples that this process scores as well, to
    compare both scores; None: no such comparison.
    """
    if check is not None:
        check.evaluator.metric(job.metric, check.here)  # reports a missing local model before any request to the server
    verified = None
    with opening as opened:
        plan = replace(job.plan(opened), timings=job.timings)
        opened.repository.audit.add(COMMAND_LINE, "scored", f"data set {job.dataset} by {job.metric}")
        with progress_bar() as progress:
            if cluster is None:
                report = score_runs.run_scoring(opened, job.evaluator, plan, progress)
            else:
                report = score_runs.run_on_cluster(opened, plan, cluster, progress)
        if check is not None:
            try:
                verified = score_runs.verify(opened, check.evaluator, plan, check.here, check.samples)
            except CapscopeError:
                show_report(report, None, job.prices, job.as_json)  # although the check failed, the run is stored
                raise
    show_report(report, verified, job.prices, job.as_json)
    if not report.scored and any(errors.kind == "refused" for errors in report.error_kinds):
        raise typer.Exit(NO_SCORE)


@contextmanager
def _stages(timings: bool) -> Iterator[None]:
    """Show a progress bar; if `timings`, also each stage's time."""
    clock = StageClock()
    with progress_bar() as progress, reporting(partial(_tell_both, clock, progress)):
        yield
    for what, seconds in clock.seconds.items() if timings else ():
        typer.echo(f"{seconds:8.2f} s  {what}", err=True)


def _tell_both(clock: StageClock, progress: Progress, what: str, done: int, total: int) -> None:
    clock(what, done, total)
    progress(what, done, total)

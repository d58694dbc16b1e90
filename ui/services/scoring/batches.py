"""Score through batch files: write the requests for a data set, and read the answers."""

import hashlib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from core.costs import Usage, summed
from core.errors import BadSetting
from core.images.pictures import file_of
from core.long_work.progress import Progress, no_progress
from core.metrics import ONLY_SERVED, SERVED, Metric
from core.metrics.evaluator import unjudgeable
from core.metrics.outcome_checks import gated
from core.models import ModelSettings, OnChange
from core.models.vlm.batch import BatchVlm, Request, batch_vlm
from core.models.vlm.batch_answers import Answers, Unused
from core.types import EvaluationError, Outcome
from storage.types import UnscoredSample
from ui.services.scoring.batch_models import check_models, of_any_model, signed
from ui.services.scoring.request_files import FileLimits, Line, Shards, written_requests
from ui.services.scoring.unsaved_outcomes import Keeper
from ui.services.workplace import Workplace

NO_SIGNATURE = ""  # no score has this signature, so every sample counts as unscored


@dataclass(frozen=True, slots=True)
class BatchReport:
    """The result of one round of a batch exchange: writing requests and reading answers."""

    metric: str
    dataset: str
    signature: str
    written: int  # requests written
    files: tuple[str, ...]  # names of the files with the written requests
    scored: int
    errors: dict[str, int]  # number of outcomes without a score, by kind of error
    awaiting: int  # samples without an answer yet
    known: int  # number of samples that already had an outcome with `signature`
    broken: dict[str, int]  # number of unreadable lines by file
    foreign: Unused  # answers whose requests do not come from this data set
    repeated: Unused  # further answers to a request that already has an answer
    models: dict[str, int]  # key: the model's name, as answers state it; value: number of its answers
    too_large: int  # requests that exceed the file size of --limit-mb
    waiting: tuple["Waiting", ...]  # samples without an answer; only with --waiting
    usage: Usage | None  # tokens of the answers that became outcomes, counting each answer once; None: no answers came


@dataclass(frozen=True, slots=True)
class Waiting:
    """A sample with a request that has no answer yet."""

    sample: str  # key of the sample
    request: str
    file: str | None  # name of the file with the request; None: no file in the folder has the request
    line: int | None


@dataclass(frozen=True, slots=True)
class Round:
    """One metric's exchange of batch files for one data set."""

    kind: type[Metric]
    dataset: str
    settings: ModelSettings
    model: str  # the model's name on the server
    on_change: OnChange = "stop"

    def judge(self, unscored: UnscoredSample, answers: Answers) -> tuple[Outcome, list[Request]]:
        """Return a sample's outcome, and the requests that have no answer yet."""
        blank = self.vlm()
        signature = self.signature()
        problem = unjudgeable(self.over(blank), signature, unscored.sample)
        if problem is not None:
            return problem, []
        vlm = BatchVlm(blank.dialect, blank.facts, _sha256(file_of(unscored.sample.image)), answers)
        outcome = next(gated(self.over(vlm), signature, [unscored.sample], None))
        return signed(outcome, self.model, vlm.answered_by, self.on_change), vlm.pending

    def signature(self) -> str:
        """Return the signature of the scores."""
        return str(self.over(self.vlm()).signature())

    def vlm(self) -> BatchVlm:
        """Return a model for batch files that has no answers yet.

        The model is not yet connected with a sample.
        """
        return batch_vlm(self.settings, self.model, issubclass(self.kind, ONLY_SERVED))

    def over(self, vlm: BatchVlm) -> Any:
        """Return the metric, which uses the given model for batch files."""
        return cast(Any, self.kind)(vlm, self.settings)


def _sha256(path: Path) -> str:
    """Return the SHA-256 of a file's current content.

    The result is "" for an unreadable file. The metric reports that error.
    """
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def plan_round(
    kind: type[Metric], dataset: str, settings: ModelSettings, model: str | None, on_change: OnChange = "stop"
) -> Round:
    """Plan a round of batch files for a metric.

    In a round, request files are written for a model server, and files with its responses are read. The metric must be
    able to use a server. Raises BadSetting.
    """
    if not issubclass(kind, SERVED):
        raise BadSetting(
            f"{kind.name} runs on this computer and does not use a server. Remove --to-requests and --from-responses."
        )
    if model is None:
        raise BadSetting("Request files need the name of the model on the server. Add --endpoint-model NAME.")
    return Round(kind, dataset, settings, model, on_change)


def exchange(
    workplace: Workplace,
    plan: Round,
    responses: Sequence[Path] = (),
    to: Path | None = None,
    retry_errors: bool = False,
    limit: int | None = None,
    progress: Progress = no_progress,
    limits: FileLimits | None = None,
    requests: Path | None = None,
) -> BatchReport:
    """Read answers, and write the remaining requests to files.

    responses: files with answers. to: a new folder for the files; None: no files are written. requests: a folder of
    earlier requests. The report then lists the requests without an answer, with their files and lines in this folder.
    Raises AlreadyExists, BadData for answers of several models, BadFile, BadSetting, NotFound.
    """
    scores, signature = workplace.repository.scores, plan.signature()
    lines = {} if requests is None else written_requests(requests)
    answers, waiting = Answers(responses), list[Waiting]()
    stored = of_any_model(signature, plan.model, scores.signatures(plan.dataset, plan.kind.name))
    check_models(signature, plan.model, answers, stored, plan.on_change)
    known_before = scores.count(plan.dataset, signature, retry_errors, stored).known
    wanted = scores.unscored(plan.dataset, signature, retry_errors, limit, stored)
    counts: Counter[str] = Counter()
    usages: list[Usage | None] = []
    with Shards(to, limits or FileLimits()) as shards, Keeper(scores) as keeper:
        for done, unscored in enumerate(wanted, 1):
            outcome, pending = plan.judge(unscored, answers)
            for request in pending:
                shards.write(request)
                waiting += [_waiting(unscored, request, lines)] if requests is not None else []
            if not pending:
                keeper.add([(unscored.id, outcome)])
                usages.append(outcome.usage)
            kind = outcome.kind if isinstance(outcome, EvaluationError) else "scored"
            counts["awaiting" if pending else kind] += 1
            progress(f"{plan.kind.name} on {plan.dataset}", done, len(wanted))
    if answers.unused:  # unused answers may belong to samples scored earlier, which `wanted` does not contain
        _look_up_others(workplace, plan, answers, set(wanted.ids))
    scored, awaiting = counts.pop("scored", 0), counts.pop("awaiting", 0)
    broken = {str(path): count for path, count in answers.broken.items() if count}
    files = tuple(map(str, shards.files))
    return BatchReport(
        plan.kind.name,
        plan.dataset,
        signature,
        shards.written,
        files,
        scored,
        dict(counts),
        awaiting,
        known_before,
        broken,
        answers.foreign,
        answers.repeated,
        {str(one): count for one, count in answers.models.most_common()},
        shards.too_large,
        tuple(waiting),
        summed(usages),
    )


def _waiting(unscored: UnscoredSample, request: Request, lines: Mapping[str, Line]) -> Waiting:
    line = lines.get(request.name)
    return Waiting(unscored.sample.key, request.name, line and line.file, line and line.number)


def _look_up_others(workplace: Workplace, plan: Round, answers: Answers, done: set[int]) -> None:
    """Match the remaining answers with samples that were scored earlier.

    Afterwards, an answer is reported as unused only if it belongs to no sample of the data set.
    """
    for sample in workplace.repository.scores.unscored(plan.dataset, NO_SIGNATURE):
        if sample.id not in done:
            plan.judge(sample, answers)
            if not answers.unused:
                return

"""Judging by files: writing the requests of a data set, taking answers in."""

import hashlib
import json
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, cast

from core.errors import AlreadyExists, BadSetting
from core.images import file_of
from core.metrics import ONLY_SERVED, SERVED, Metric
from core.metrics.evaluator import unjudgeable
from core.metrics.gate import gated
from core.models import ModelSettings
from core.models.vlm.batch import Answers, BatchVlm, Unused, batch_vlm
from core.progress import Progress, no_progress
from core.types import EvaluationError, Outcome
from storage.types import UnscoredSample
from ui.services.workplace import Workplace

NO_SIGNATURE = ""  # of no score: every sample is without it
LINES = 5_000  # requests a file: with pictures 0.2-0.3 MB each, and less than any limit of batch services


@dataclass(frozen=True, slots=True)
class BatchReport:
    """What one round did."""

    metric: str
    dataset: str
    signature: str
    written: int  # requests
    files: tuple[str, ...]  # they were written to
    scored: int
    errors: dict[str, int]  # outcomes without a score, by kind
    awaiting: int  # samples of which an answer is not there yet
    known: int  # samples that had an outcome of this signature before
    broken: dict[str, int]  # lines that could not be read, by file
    foreign: Unused  # answers to requests that this data set does not make
    repeated: Unused  # further answers to a request that has one


@dataclass(frozen=True, slots=True)
class Round:
    """One metric's exchange over one data set."""

    kind: type[Metric]
    dataset: str
    settings: ModelSettings
    model: str  # as the server will name it

    def judge(self, unscored: UnscoredSample, answers: Answers) -> tuple[Outcome, list[dict[str, Any]]]:
        """Return a sample's outcome, and the requests that it still waits for."""
        blank = self.vlm()
        signature = self.signature()
        problem = unjudgeable(self.over(blank), signature, unscored.sample)
        if problem is not None:
            return problem, []
        vlm = BatchVlm(blank.dialect, blank.facts, _sha256(file_of(unscored.sample.image)), answers)
        return next(gated(self.over(vlm), signature, [unscored.sample], None)), vlm.pending

    def signature(self) -> str:
        """Return what the scores carry."""
        return str(self.over(self.vlm()).signature())

    def vlm(self) -> BatchVlm:
        """Return the model without a sample."""
        return batch_vlm(self.settings, self.model, issubclass(self.kind, ONLY_SERVED))

    def over(self, vlm: BatchVlm) -> Any:
        """Return the metric over a model."""
        return cast(Any, self.kind)(vlm, self.settings)


def _sha256(path: Path) -> str:
    """Return the hash of a file as it is now; "" for an unreadable file, which the metric reports."""
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError:
        return ""


def plan_round(kind: type[Metric], dataset: str, settings: ModelSettings, model: str | None) -> Round:
    """Return the exchange of a metric that talks to a model. Raises BadSetting."""
    if not issubclass(kind, SERVED):
        raise BadSetting(f"{kind.name} runs here and asks no server; leave --to-requests and --from-responses out.")
    if model is None:
        raise BadSetting("Give --endpoint-model NAME: what the server that answers will call the model.")
    return Round(kind, dataset, settings, model)


def exchange(
    workplace: Workplace,
    plan: Round,
    responses: Sequence[Path] = (),
    to: Path | None = None,
    retry_errors: bool = False,
    limit: int | None = None,
    progress: Progress = no_progress,
) -> BatchReport:
    """Take in what was answered, and write what is still to be asked to files in a new folder.

    Raises AlreadyExists, BadFile, BadSetting, NotFound.
    """
    scores, signature = workplace.repository.scores, plan.signature()
    answers = Answers(responses)
    known = scores.count(plan.dataset, signature, retry_errors).known
    wanted = scores.unscored(plan.dataset, signature, retry_errors, limit)
    counts: Counter[str] = Counter()
    with Shards(to) as shards:
        for done, unscored in enumerate(wanted, 1):
            outcome, pending = plan.judge(unscored, answers)
            for request in pending if to is not None else ():
                shards.write(request)
            if not pending:
                scores.save(unscored.id, outcome)
            kind = outcome.kind if isinstance(outcome, EvaluationError) else "scored"
            counts["awaiting" if pending else kind] += 1
            progress(f"{plan.kind.name} on {plan.dataset}", done, len(wanted))
    if answers.unused:  # samples scored before may have asked for them
        _look_up_others(workplace, plan, answers, {unscored.id for unscored in wanted})
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
        known,
        broken,
        answers.foreign,
        answers.repeated,
    )


def _look_up_others(workplace: Workplace, plan: Round, answers: Answers, done: set[int]) -> None:
    """Look up the answers of the data set's other samples, so that only foreign answers stay unused."""
    for sample in workplace.repository.scores.unscored(plan.dataset, NO_SIGNATURE):
        if sample.id not in done:
            plan.judge(sample, answers)
            if not answers.unused:
                return


class Shards:
    """Files of requests in a new folder."""

    def __init__(self, folder: Path | None) -> None:
        """folder: None where nothing will be written. Raises AlreadyExists for one that holds something."""
        if folder is not None and folder.exists() and any(folder.iterdir()):
            raise AlreadyExists(f"{folder} holds something already; choose another folder for the requests.")
        self._folder, self._file = folder, cast(Any, None)
        self._ids = set[str]()
        self.files: list[Path] = []
        self.written = 0

    def write(self, request: dict[str, Any]) -> None:
        """Add a request, unless another sample asks the same."""
        assert self._folder is not None
        if request["custom_id"] in self._ids:
            return
        self._ids.add(request["custom_id"])
        if self.written % LINES == 0:
            self._close()
            self._folder.mkdir(parents=True, exist_ok=True)
            self.files.append(self._folder / f"requests-{len(self.files) + 1:05}.jsonl")
            self._file = self.files[-1].open("w", encoding="utf-8")
        self._file.write(json.dumps(request, ensure_ascii=False) + "\n")
        self.written += 1

    def __enter__(self) -> "Shards":
        return self

    def __exit__(self, *_: object) -> None:
        self._close()

    def _close(self) -> None:
        if self._file is not None:
            self._file.close()

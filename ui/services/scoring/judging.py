"""Judging a sample while somebody looks at it: with which settings, with what that is here, in the models' queue."""

import time
from collections.abc import AsyncGenerator, Callable
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

from core.errors import BadSetting
from core.metrics import ONLY_SERVED, SERVED, Metric
from core.metrics.evaluator import Evaluator, metric_named, missing_packages
from core.models import Checkpoint, Endpoint, ModelSettings
from core.models.weights.availability import Availability, cached_folder
from core.types import Outcome, Sample
from storage.types import Search
from ui.services.scoring.model_queue import ModelQueue, Told
from ui.services.scoring.own_regions import may_draw
from ui.services.scoring.score_runs import with_own_regions
from ui.services.workplace import Workplace

RECENT = 64  # outcomes remembered
MOST_WARMED = 25  # samples that are judged before anybody asks
FRESH_SECONDS = 5.0  # how long it is remembered which weights are here


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether a metric can judge a sample here and now."""

    metric: str
    ready: bool
    needs: tuple[str, ...]  # what to do first, each a sentence or a command
    shows_regions: bool


class Shelf:
    """Which weights are here: looked up anew every few seconds, for somebody may be fetching them meanwhile."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._seen: dict[Checkpoint, tuple[float, Path | None]] = {}  # when, and where it was

    def folder(self, checkpoint: Checkpoint) -> Path | None:
        """Return where a checkpoint is kept, or None; see core.models.weights.availability.cached_folder."""
        now = self._clock()
        if checkpoint not in self._seen or now - self._seen[checkpoint][0] >= FRESH_SECONDS:
            self._seen[checkpoint] = (now, cached_folder(checkpoint))
        return self._seen[checkpoint][1]


class Judge:
    """Judges stored samples, and other captions of their pictures."""

    def __init__(
        self,
        workplace: Workplace,
        metrics: tuple[type[Metric], ...] | None = None,
        shelf: Shelf | None = None,
        endpoint: Endpoint | None = None,
    ) -> None:
        """metrics: all that the workplace knows unless said; endpoint: a server for those that can ask one."""
        metrics, self._endpoint = workplace.metrics if metrics is None else metrics, endpoint
        self._workplace, self._metrics, self._shelf = workplace, metrics, shelf or Shelf()
        self._queue = ModelQueue()
        self._recent: dict[tuple[str, Sample], Outcome] = {}  # so that saving what is on show need not make it again
        # those who look at a picture's annotated regions have an evaluator of their own, lest each other picture
        # unload their models; so have those who ask a server for no explanation
        kinds = ((annotated, explained) for annotated in (True, False) for explained in (True, False))
        self._evaluators = {kind: Evaluator(metrics) for kind in kinds}

    def readiness(self, sample_id: int) -> tuple[Readiness, ...]:
        """Return for every metric whether it can judge the sample. Raises NotFound."""
        stored = self._workplace.repository.samples.get(sample_id)
        can_draw = may_draw(stored)
        return tuple(_readiness(one, stored.sample, self._shelf, self._endpoint, can_draw) for one in self._metrics)

    def judge(
        self, sample_id: int, metric: str, caption: str | None, keep: bool, client: str = ""
    ) -> AsyncGenerator[Told[Outcome]]:
        """Judge a sample, or another caption of its picture, when the queue allows; keep: save the outcome.

        client: who asks; they take turns. Raises NotFound, BadSetting at once; while iterating also ModelUnavailable,
        BadImage, Cancelled, QueueFull.
        """
        stored = self._workplace.repository.samples.get(sample_id)
        wanted = metric_named(metric, self._metrics)
        if caption is not None and not caption.strip():
            raise BadSetting("Write a caption to judge.")
        sample = stored.sample if caption is None else replace(stored.sample, candidate=caption)
        if keep and sample.candidate != stored.sample.candidate:
            raise BadSetting("Only a score of the sample's own caption can be kept; make the new caption a sample.")

        def work() -> Outcome:
            shown = self._recent.get((wanted.name, sample)) if keep else None
            outcome = shown or self._outcome(wanted, sample)
            self._remember((wanted.name, sample), outcome)
            if keep:
                self._workplace.repository.scores.save(sample_id, outcome)
            return outcome

        return self._queue.run(work, client)

    def judge_sample(
        self, sample: Sample, metric: str, explain: bool, client: str = ""
    ) -> AsyncGenerator[Told[Outcome]]:
        """Judge a sample that need not be stored, when the queue allows; nothing is kept.

        explain: also where that costs extra. Raises NotFound at once; while iterating as `judge`.
        """
        wanted = metric_named(metric, self._metrics)
        return self._queue.run(partial(self._outcome, wanted, sample, explain), client)

    def metrics(self) -> tuple[type[Metric], ...]:
        """Return every metric that can be asked for."""
        return self._metrics

    def readiness_of(self, sample: Sample) -> tuple[Readiness, ...]:
        """Return for every metric whether it can judge a sample, be it stored or not."""
        return tuple(_readiness(metric, sample, self._shelf, self._endpoint) for metric in self._metrics)

    def _outcome(self, metric: type[Metric], sample: Sample, explain: bool = True) -> Outcome:
        annotated = metric.shows_regions and bool(sample.image.regions)
        settings = self._settings(metric, annotated, explain)
        return self._evaluators[annotated, settings.explain].evaluate_one(metric.name, sample, settings)

    def warm(self, dataset: str) -> None:
        """Load what judges annotated regions, in the models' own thread, and keep what it says of a data set's samples.

        Whoever looks meanwhile waits behind one sample at most. Nothing is done where models or samples are missing.
        """
        metric = next((one for one in self._metrics if one.shows_regions and not one.requires_references), None)
        if metric is None:
            return
        found = self._workplace.repository.samples.search(Search(dataset), 0, MOST_WARMED).samples
        for place, stored in enumerate(found):
            if place == 0 or all(outcome.metric != metric.name for outcome in stored.outcomes):
                self._queue.begin(partial(self._warm, metric, stored.id))

    def _warm(self, metric: type[Metric], sample_id: int) -> None:
        sample = self._workplace.repository.samples.get(sample_id).sample
        if sample.image.regions:
            self._workplace.repository.scores.save(sample_id, self._outcome(metric, sample))

    def waiting(self) -> int:
        """Return how many pieces of work are not done."""
        return self._queue.length()

    def close(self, patience_s: float = 0.0) -> bool:
        """Take no more work; return whether what has begun has ended in time."""
        return self._queue.close(patience_s)

    def _remember(self, judged: tuple[str, Sample], outcome: Outcome) -> None:
        self._recent[judged] = outcome
        while len(self._recent) > RECENT:
            del self._recent[next(iter(self._recent))]

    def _settings(self, metric: type[Metric], annotated: bool, explain: bool) -> ModelSettings:
        endpoint = self._endpoint if issubclass(metric, SERVED) else None
        explain = explain or endpoint is None  # a model here would be loaded again for the sake of it
        cache = self._workplace.data_dir / "image-features"
        settings = ModelSettings(explain=explain, cache_dir=cache, endpoint=endpoint)
        return with_own_regions(metric, settings) if annotated else settings


def _readiness(
    metric: type[Metric], sample: Sample, shelf: Shelf, endpoint: Endpoint | None, can_draw: bool = False
) -> Readiness:
    needs = []
    if metric.requires_references and not sample.references:
        needs.append("references, and this sample has none")
    picture = sample.image.path
    if metric.needs_image and (picture is None or not picture.is_file()):
        needs.append("the picture, which was not found")
    served = endpoint is not None and issubclass(metric, SERVED)
    if not served and issubclass(metric, ONLY_SERVED):
        needs.append("a model server: start Capscope with CAPSCOPE_ENDPOINT")
    wanted = () if served else _checkpoints(metric, sample)
    if wanted and (packages := missing_packages()):
        needs.append(packages)
    states = [Availability(metric.name, one, shelf.folder(one)) for one in wanted]
    needs += dict.fromkeys(state.how for state in states if not state.present)
    if needs and metric.shows_regions and can_draw:
        needs = ["regions: draw some on the picture and name them, or get what finds them:", *needs]
    return Readiness(metric.name, not needs, tuple(needs), metric.shows_regions)


def _checkpoints(metric: type[Metric], sample: Sample) -> tuple[Checkpoint, ...]:
    """Return what must be there for this sample: annotated regions need no picture encoder, others no label encoder."""
    where = "annotated" if sample.image.regions else "found"
    return tuple(checkpoint for checkpoint in metric.checkpoints if checkpoint.needed in ("always", where))

"""Score a sample while a user waits for the result.

This module chooses the settings, checks which weights are installed, and uses the models' queue.
"""

import asyncio
from collections import defaultdict
from dataclasses import dataclass, replace
from functools import partial

from core.errors import BadSetting
from core.metrics import Metric
from core.metrics.evaluator import Evaluator, metric_named, missing_packages
from core.models import Checkpoint, Endpoint, ModelSettings
from core.types import Outcome, Sample
from storage.types import Search
from ui.services.scoring.corpora import Corpora
from ui.services.scoring.model_queue import ModelQueue
from ui.services.scoring.own_regions import may_draw
from ui.services.scoring.scoring_plan import with_own_regions
from ui.services.workplace import Workplace


@dataclass(frozen=True, slots=True)
class Readiness:
    """Whether a metric can score a sample on this installation."""

    metric: str
    ready: bool
    needs: tuple[str, ...]  # missing requirements, each a sentence or a command
    shows_regions: bool
    requires_references: bool
    shows_matches: bool  # whether the metric explains scores by matches with references


class Judge:
    """Scores stored samples, and other captions of their pictures."""

    def __init__(
        self,
        workplace: Workplace,
        metrics: tuple[type[Metric], ...] | None = None,
        endpoint: Endpoint | None = None,
    ) -> None:
        """Score samples of an opened data folder (workplace).

        metrics None: all metrics of the workplace. endpoint: a server for the metrics that can use one.
        """
        metrics, self._endpoint = workplace.metrics if metrics is None else metrics, endpoint
        self._workplace, self._metrics = workplace, metrics
        self._queue, self._corpora = ModelQueue(), Corpora(workplace.repository)
        # A common evaluator would unload models whenever a picture without annotated regions follows one with them.
        # Key: whether regions are annotated, or found by a model.
        self._evaluators: dict[bool, Evaluator] = defaultdict(lambda: Evaluator(metrics))

    def readiness(self, sample_id: int) -> tuple[Readiness, ...]:
        """Return for every metric whether it can score the sample. Raises NotFound."""
        stored = self._workplace.repository.samples.get(sample_id)
        can_draw = may_draw(stored)
        return tuple(_readiness(one, stored.sample, self._endpoint, can_draw) for one in self._metrics)

    async def judge(self, sample_id: int, metric: str, caption: str | None, client: str = "") -> Outcome:
        """Score a sample, or another caption of its picture, through the queue. Nothing is saved.

        caption: the other caption; None: the sample's own. client: identifies the user; clients take turns. Raises
        NotFound, BadSetting, ModelUnavailable, BadImage, Cancelled or QueueFull.
        """
        stored = await asyncio.to_thread(self._workplace.repository.samples.get, sample_id)
        if caption is not None and not caption.strip():
            raise BadSetting("Write a caption to score.")
        sample = stored.sample if caption is None else replace(stored.sample, candidate=caption)
        wanted = metric_named(metric, self._metrics)
        return await self._queue.result(partial(self._outcome, wanted, sample, stored.dataset), client)

    def _outcome(self, metric: type[Metric], sample: Sample, dataset: str) -> Outcome:
        """Score one sample with a metric. Use the annotated regions of the sample's picture if there are any."""
        annotated = metric.shows_regions and bool(sample.image.regions)
        settings = self._corpora.settings(metric, dataset, self._settings(metric, annotated))
        return self._evaluators[annotated].evaluate_one(metric.name, sample, settings)

    def warm(self, dataset: str) -> None:
        """Load the models of the first metric that shows regions and needs no references, before a user asks.

        The models score the data set's first sample. Nothing is saved.
        """
        metric = next((one for one in self._metrics if one.shows_regions and not one.requires_references), None)
        first = self._workplace.repository.samples.search(Search(dataset), 0, 1).samples
        if metric is None or not first:
            return
        stored = self._workplace.repository.samples.get(first[0].id)
        if stored.sample.image.regions:
            self._queue.begin(partial(self._outcome, metric, stored.sample, dataset))

    def waiting(self) -> int:
        """Return the number of unfinished jobs."""
        return self._queue.length()

    def close(self, patience_s: float = 0.0) -> bool:
        """Accept no more work. Return whether running work ended in time.

        patience_s: how long to wait, in seconds.
        """
        return self._queue.close(patience_s)

    def _settings(self, metric: type[Metric], annotated: bool) -> ModelSettings:
        settings = ModelSettings(explain=True, endpoint=self._endpoint if metric.can_use_server else None)
        return with_own_regions(metric, settings) if annotated else settings


def _readiness(metric: type[Metric], sample: Sample, endpoint: Endpoint | None, can_draw: bool) -> Readiness:
    needs = []
    if metric.requires_references and not sample.references:
        needs.append("references, but this sample has none")
    picture = sample.image.path
    if metric.needs_image and (picture is None or not picture.is_file()):
        needs.append("the picture, which was not found")
    served = endpoint is not None and metric.can_use_server
    if not served and metric.needs_server:
        needs.append("a model server; start Capscope with CAPSCOPE_ENDPOINT")
    wanted = () if served else _checkpoints(metric, sample)
    if wanted and (packages := missing_packages()):
        needs.append(packages)
    needs += dict.fromkeys(one.how(metric.name) for one in wanted if one.folder() is None)
    if needs and metric.shows_regions and can_draw:
        needs = ["regions; draw and name some on the picture, or download the models that find regions:", *needs]
    shows = metric.shows_regions, metric.requires_references, metric.shows_matches
    return Readiness(metric.name, not needs, tuple(needs), *shows)


def _checkpoints(metric: type[Metric], sample: Sample) -> tuple[Checkpoint, ...]:
    """Return the checkpoints that a metric needs for this sample.

    A sample with annotated regions needs no picture encoder. Any other sample needs no label encoder.
    """
    where = "annotated" if sample.image.regions else "found"
    return tuple(checkpoint for checkpoint in metric.checkpoints if checkpoint.needed in ("always", where))

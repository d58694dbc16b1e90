"""The plan of a scoring run: which samples a metric scores, and how."""

from array import array
from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter
from typing import Self

from core.engines.ray_workers import Cluster
from core.errors import BadSetting, ModelUnavailable
from core.images.pictures import read_image_facts
from core.installation import COMMAND
from core.metrics import Metric
from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from core.models.hice import OF_SAMPLE
from core.types import ImageRef, Sample
from storage.data.stored_samples import SampleList
from storage.types import Search
from ui.services.scoring.corpora import Corpora
from ui.services.workplace import Workplace

MAX_ERRORS = 20


@dataclass(frozen=True, slots=True)
class Shard:
    """A part of a data set's samples, for jobs of a batch system. A sample is always in the same part."""

    number: int = 1  # from 1 to `of`
    of: int = 1

    @classmethod
    def read(cls, text: str) -> Self:
        """Read a part such as "3/8". Raises BadSetting."""
        number, _, of = text.partition("/")
        if not all(part.isascii() and part.isdigit() for part in (number, of)) or not 1 <= int(number) <= int(of):
            raise BadSetting(f"--shard must be a part such as 3/8, found {text!r}.")
        return cls(int(number), int(of))

    def of_samples(self, wanted: SampleList) -> SampleList:
        """Return the samples of this part."""
        return replace(wanted, ids=array("q", (one for one in wanted.ids if one % self.of == self.number % self.of)))


@dataclass(frozen=True, slots=True)
class ScoringPlan:
    """The plan for scoring a data set."""

    metric: str
    dataset: str
    settings: ModelSettings
    signature: str
    wanted: SampleList
    known: int  # number of samples that already have an outcome with `signature`
    left: int  # number of unscored samples that --limit or --shard excludes from this run
    load_s: float = 0.0  # seconds for loading the metric
    max_errors: int = MAX_ERRORS  # number of refused samples in a row after which the run stops
    cluster: Cluster | None = None  # None: score in this process


def sample_of(image: Path | None, caption: str, references: tuple[str, ...] = ()) -> Sample:
    """Return a sample with one caption, and one image or none.

    image None: the metric needs no picture. Raises BadImage.
    """
    if image is None:
        return Sample("this caption", ImageRef(""), caption, references)
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
    shard: Shard | None = None,
) -> ScoringPlan:
    """Load a metric and find the samples that it must score.

    These are samples without a score of the metric's signature. A sample whose answer had no score is not asked again.
    HICE-S uses the data set's annotated regions, if there are any and the settings name no other regions. Raises
    NotFound, ModelUnavailable, BadSetting.
    """
    metric = evaluator.kind(name)
    annotated = workplace.repository.samples.has_regions(dataset)  # checked first, because loading a model takes long
    settings = dataset_settings(workplace, metric, dataset, settings)
    scores = workplace.repository.scores
    start = perf_counter()
    try:
        signature = evaluator.signature(name, settings)
    except ModelUnavailable as error:
        if annotated or not metric.shows_regions or "regions" in settings.options:
            raise
        raise ModelUnavailable(
            f"{metric.name} needs regions or models. The pictures of {dataset} have no annotated regions. Add them "
            f"with `{COMMAND} annotate {dataset} instances.json`, or download the models: {error}"
        ) from error
    load_s = perf_counter() - start
    unscored = scores.unscored(dataset, signature)
    known = len(workplace.repository.samples.ids(Search(dataset))) - len(unscored)
    wanted = unscored if shard is None else shard.of_samples(unscored)
    wanted = wanted if limit is None else replace(wanted, ids=wanted.ids[:limit])
    left = len(unscored) - len(wanted)
    return ScoringPlan(metric.name, dataset, settings, signature, wanted, known, left, load_s)


def dataset_settings(
    workplace: Workplace, metric: type[Metric], dataset: str, settings: ModelSettings
) -> ModelSettings:
    """Return settings that contain the data set's data for a metric.

    These are the data set's references and annotated regions, if the metric uses them. Raises NotFound.
    """
    settings = Corpora(workplace.repository).settings(metric, dataset, settings)
    annotated = workplace.repository.samples.has_regions(dataset)
    return with_own_regions(metric, settings) if annotated else settings


def with_own_regions(metric: type[Metric], settings: ModelSettings) -> ModelSettings:
    """Return settings by which a metric uses pictures' annotated regions.

    Settings that already name other regions stay unchanged.
    """
    if not metric.shows_regions or "regions" in settings.options:
        return settings
    return replace(settings, options={**settings.options, "regions": OF_SAMPLE})

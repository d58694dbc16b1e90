"""The plan of a scoring run: which samples a metric scores, and how."""

from dataclasses import dataclass, replace
from pathlib import Path
from time import perf_counter

from core.errors import ModelUnavailable
from core.images.pictures import read_image_facts
from core.installation import COMMAND
from core.metrics import Metric
from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from core.models.hice.protocol import OF_SAMPLE
from core.types import ImageRef, Sample
from storage.data.unscored import Unscored
from ui.services.scoring.corpora import Corpora
from ui.services.workplace import Workplace

MAX_ERRORS = 20


@dataclass(frozen=True, slots=True)
class ScoringPlan:
    """The plan for scoring a data set."""

    metric: str
    dataset: str
    settings: ModelSettings
    signature: str
    wanted: Unscored
    known: int  # number of samples that already have an outcome with `signature`
    left: int  # number of unscored samples that --limit excludes from this run
    max_errors: int = MAX_ERRORS  # number of refused samples in a row after which the run stops
    earlier: int = 0  # number of samples in `known` that have an earlier Capscope version's signature
    timings: bool = False  # True: outcomes are stored with the seconds they took
    load_s: float = 0.0  # seconds for loading the metric


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
    retry_errors: bool = False,
    renew: bool = False,
) -> ScoringPlan:
    """Load a metric and find the samples that it must score.

    These are samples without an outcome (score or error) of the metric's signature. Earlier versions wrote the
    signatures of a server's scores in another format. Samples with such scores count as scored, unless `renew` is set.
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
    before = None if renew else evaluator.earlier_signature(name, settings)
    earlier = () if before is None else (before,)
    counts = scores.count(dataset, signature, retry_errors, earlier)
    wanted = scores.unscored(dataset, signature, retry_errors, limit, earlier)
    left = counts.samples - counts.known - len(wanted)
    ours = scores.count(dataset, signature, retry_errors).known if earlier else counts.known
    plan = ScoringPlan(metric.name, dataset, settings, signature, wanted, counts.known, left)
    return replace(plan, earlier=counts.known - ours, load_s=load_s)


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

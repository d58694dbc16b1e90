"""The three models of HICE-S: phrase extractor, region finder, and the encoder that compares both.

ModelSettings.model is the path of an Alpha-CLIP checkpoint. ModelSettings.options may contain these options:

regions   mobile-sam (default), sample for the data set's own regions, or a COCO instances file
encoder   labels, alpha-clip or clip-crops. Default: labels for annotated regions. For other regions the default is
          Alpha-CLIP if its checkpoint is on this computer, otherwise plain CLIP on masked crops
phrases   rules (default) or factual
weights   folder of the files of Alpha-CLIP and MobileSAMv2
w, cut, min_area   see core.metrics.hice.choices
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from core.captions.nouns import TABLE, NounTable, bundled_nouns
from core.captions.phrases import CaptionPhrase, PhraseExtractor
from core.datasets.coco_instances import read_annotations
from core.errors import BadSetting, ModelUnavailable
from core.models import ModelSettings, check_options
from core.models.checkpoints import ALPHA_CLIP
from core.models.weights import WEIGHTS_FOLDER
from core.regions.annotated import AnnotatedRegions, SampleRegions
from core.regions.protocols import RegionEncoder, RegionFinder
from core.types import ImageRef

T = TypeVar("T")
OF_SAMPLE = "sample"  # value of the option "regions": use the regions that the data set stores with each picture
MOBILE = "mobile-sam"  # value of the option "regions": the model that finds regions
OPTIONS = "regions encoder phrases weights w cut min_area".split()
MOST_KEPT = 10_000  # maximum labels in memory, because some data sets describe each region with a new label
# Parsers and label encoders in use, which HICE-S and RefHICE-S share. A parser and a label encoder together take
# 200 MB, and a second to load. Key: the function that loads the parser or encoder.
_IN_USE: WeakValueDictionary[Callable[[], Any], Any] = WeakValueDictionary()


@dataclass(frozen=True, slots=True)
class LabelWords:
    """Data about the labels of regions: noun table, vocabularies and the labels' phrases.

    A picture's vocabulary contains the labels that its annotators searched for.
    """

    nouns: NounTable
    vocabulary: Callable[[ImageRef], tuple[str, ...]]  # labels that a picture's annotators searched for; () if unknown
    said: Callable[[Sequence[str]], Mapping[str, Sequence[CaptionPhrase]]]  # key: label of several words; value: facts


@dataclass(frozen=True, slots=True)
class HiceParts:
    """The three models of HICE-S, and data about labels if the encoder compares labels."""

    phrases: PhraseExtractor
    regions: RegionFinder
    encoder: RegionEncoder
    labels: LabelWords | None = None  # None: the encoder reads the picture, so it needs no labels

    def named(self) -> dict[str, str]:
        """Return the three models' names for the signature."""
        words = {"nouns": self.labels.nouns.name} if self.labels else {}
        return {"phrases": self.phrases.name, "regions": self.regions.name, "encoder": self.encoder.name, **words}


class LabelReader:
    """Extracts the phrases of labels that have several words, and caches them in memory."""

    def __init__(self, phrases: PhraseExtractor) -> None:
        self._phrases = phrases
        self._read: dict[str, tuple[CaptionPhrase, ...]] = {}

    def __call__(self, labels: Sequence[str]) -> Mapping[str, Sequence[CaptionPhrase]]:
        """Return the phrases of each label of several words. A label of one word has no phrases."""
        several = [label for label in labels if len(label.split()) > 1]
        new = [label for label in several if label not in self._read]
        read = self._read | dict(zip(new, self._phrases.phrases(new) if new else (), strict=True))
        self._read = read if len(read) <= MOST_KEPT else {}
        return {label: read[label] for label in several}


def load_parts(settings: ModelSettings) -> HiceParts:
    """Return the three models without a download. Raises ModelUnavailable, BadSetting, BadFile, BadRow."""
    check_options(settings.options, OPTIONS)
    phrases = _phrases(settings)
    regions = settings.options.get("regions", MOBILE)
    annotated = regions != MOBILE
    name, checkpoint = _encoder_name(settings, annotated)
    if not annotated:
        return HiceParts(phrases, _finder(settings), _encoder(name, checkpoint, settings))
    finder, encoder = _annotated(regions), _encoder(name, checkpoint, settings)
    return HiceParts(phrases, finder, encoder, _label_words(finder, phrases) if name == "labels" else None)


def _phrases(settings: ModelSettings) -> PhraseExtractor:
    if _choice(settings.options, "phrases", "rules", "factual") == "rules":
        from core.models.parser import DependencyParser

        return _shared(DependencyParser.load)
    from core.models.factual import FactualParser

    return FactualParser.load(replace(settings, model=None))


def _label_words(finder: AnnotatedRegions | SampleRegions, phrases: PhraseExtractor) -> LabelWords:
    try:
        return LabelWords(bundled_nouns(), finder.vocabulary, LabelReader(phrases))
    except OSError as error:
        raise ModelUnavailable(f"the table of nouns is not at {TABLE}; it comes with the repository") from error


def _annotated(path: str) -> AnnotatedRegions | SampleRegions:
    if path == OF_SAMPLE:
        return SampleRegions()
    return read_annotations(Path(path).expanduser())


def _finder(settings: ModelSettings) -> RegionFinder:
    from core.models.feature_cache import CachedFinder
    from core.models.mobile_sam import load_mobile_sam

    finder = load_mobile_sam(_folder(settings.options), settings.device)
    return CachedFinder(finder, settings.cache_dir / "regions") if settings.cache_dir else finder


def _encoder_name(settings: ModelSettings, annotated: bool) -> tuple[str, Path]:
    """Return the name of the encoder to use, and the path of the Alpha-CLIP checkpoint.

    annotated: whether people annotated the regions; this decides the default encoder.
    """
    options, checkpoint = settings.options, _file(settings.options, settings.model or ALPHA_CLIP.repo)
    usual = "labels" if annotated and not settings.model else "alpha-clip"
    if usual == "alpha-clip" and not settings.model and not checkpoint.is_file():
        usual = "clip-crops"
    return _choice(options, "encoder", usual, "labels", "alpha-clip", "clip-crops"), checkpoint


def _encoder(name: str, checkpoint: Path, settings: ModelSettings) -> RegionEncoder:
    if name == "labels":
        from core.models.minilm import load_label_encoder

        return _shared(load_label_encoder)
    from core.models.alpha_clip import load_alpha_clip, load_crop_clip
    from core.models.feature_cache import CachedEncoder

    alpha = name == "alpha-clip"
    encoder = load_alpha_clip(checkpoint, settings.device) if alpha else load_crop_clip(settings.device)
    return CachedEncoder(encoder, settings.cache_dir / "features") if settings.cache_dir else encoder


def _shared(load: Callable[[], T]) -> T:
    """Return the model that this function loaded before and that is still in use, or load the model now."""
    model: T | None = _IN_USE.get(load)
    if model is None:
        model = _IN_USE[load] = load()
    return model


def _folder(options: Mapping[str, str]) -> Path:
    return Path(options.get("weights", WEIGHTS_FOLDER)).expanduser()


def _file(options: Mapping[str, str], name: str) -> Path:
    """Return the path of a file that an option names. A name without folders means a file in the weights folder."""
    path = Path(name).expanduser()
    return path if path.is_absolute() or path.exists() else _folder(options) / name


def _choice(options: Mapping[str, str], name: str, usual: str, *others: str) -> str:
    value = options.get(name, usual)
    if value not in (usual, *others):
        allowed = ", ".join(dict.fromkeys((usual, *others)))
        raise BadSetting(f"Option {name} must be one of {allowed}, found {value!r}")
    return value

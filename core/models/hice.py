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
from functools import cache, lru_cache
from pathlib import Path

from core.captions.reading.lexicon import NOUNS, lexicon
from core.captions.reading.phrases import CaptionPhrase, PhraseExtractor
from core.datasets.coco_instances import read_annotations
from core.errors import BadSetting, ModelUnavailable
from core.models import ModelSettings, check_options
from core.models.checkpoints import ALPHA_CLIP, WEIGHTS_FOLDER, sam_files
from core.regions.annotated import AnnotatedRegions, SampleRegions
from core.regions.protocols import RegionEncoder, RegionFinder
from core.types import ImageRef

OF_SAMPLE = "sample"  # value of the option "regions": use the regions that the data set stores with each picture
MOBILE = "mobile-sam"  # value of the option "regions": the model that finds regions
OPTIONS = "regions encoder phrases weights w cut min_area".split()
CHOICES = {"encoder": ("labels", "alpha-clip", "clip-crops"), "phrases": ("rules", "factual")}
MOST_KEPT = 10_000  # maximum labels in memory, because some data sets describe each region with a new label


class LabelReader:
    """Extracts the phrases of labels that have several words, and caches them in memory."""

    def __init__(self, phrases: PhraseExtractor, vocabulary: Callable[[ImageRef], tuple[str, ...]]) -> None:
        """Take the phrase extractor. vocabulary: the labels that a picture's annotators searched for; () if unknown."""
        self.vocabulary = vocabulary
        self._read = lru_cache(MOST_KEPT)(lambda label: phrases.phrases([label])[0])

    def said(self, labels: Sequence[str]) -> Mapping[str, Sequence[CaptionPhrase]]:
        """Return the phrases of each label of several words. A label of one word has no phrases."""
        return {label: self._read(label) for label in labels if len(label.split()) > 1}


@dataclass(frozen=True, slots=True)
class HiceParts:
    """The three models of HICE-S, and a reader of labels if the encoder compares labels."""

    phrases: PhraseExtractor
    regions: RegionFinder
    encoder: RegionEncoder
    labels: LabelReader | None = None  # None: the encoder reads the picture, so it needs no labels

    def named(self) -> dict[str, str]:
        """Return the three models' names for the signature."""
        words = {"nouns": lexicon().name} if self.labels else {}
        return {"phrases": self.phrases.name, "regions": self.regions.name, "encoder": self.encoder.name, **words}


def load_parts(settings: ModelSettings) -> HiceParts:
    """Return the three models without a download. Raises ModelUnavailable, BadSetting, BadFile, BadRow."""
    options = settings.options
    check_options(options, OPTIONS)
    for name, allowed in CHOICES.items():
        if options.get(name, allowed[0]) not in allowed:
            raise BadSetting(f"Option {name} must be one of {', '.join(allowed)}, found {options[name]!r}")
    regions, folder = options.get("regions", MOBILE), Path(options.get("weights", WEIGHTS_FOLDER)).expanduser()
    is_annotated, given = regions != MOBILE, Path(settings.model or ALPHA_CLIP.repo).expanduser()
    checkpoint = given if given.is_absolute() or given.exists() else folder / given
    usual = "labels" if is_annotated else "clip-crops"
    if settings.model or (not is_annotated and checkpoint.is_file()):
        usual = "alpha-clip"
    encoder = options.get("encoder", usual)
    if encoder == "labels" and not is_annotated:
        raise BadSetting("The option encoder=labels needs annotated regions. Add --option regions=sample or a file.")
    files = None if is_annotated else sam_files(folder)  # missing weights are reported before torch loads
    phrases = _phrases(settings)
    if files is not None:
        from core.models.mobile_sam import load_mobile_sam

        return HiceParts(phrases, load_mobile_sam(files, settings.device), _encoder(encoder, checkpoint, settings))
    finder = annotated(regions)
    labels = LabelReader(phrases, finder.vocabulary) if encoder == "labels" else None
    return HiceParts(phrases, finder, _encoder(encoder, checkpoint, settings), labels)


def annotated(regions: str) -> AnnotatedRegions | SampleRegions:
    """Return the finder of regions that people drew. Raises BadFile, BadRow."""
    return SampleRegions() if regions == OF_SAMPLE else read_annotations(Path(regions).expanduser())


def _phrases(settings: ModelSettings) -> PhraseExtractor:
    if settings.options.get("phrases") == "factual":
        from core.models.factual import FactualParser

        return FactualParser.load(replace(settings, model=None))
    from core.models.parser import bundled_parser

    return bundled_parser()


def _encoder(name: str, checkpoint: Path, settings: ModelSettings) -> RegionEncoder:
    if name == "labels":
        return _label_encoder()
    from core.models.alpha_clip import load_alpha_clip, load_crop_clip

    is_alpha = name == "alpha-clip"
    return load_alpha_clip(checkpoint, settings.device) if is_alpha else load_crop_clip(settings.device)


@cache  # with its features of texts, the encoder takes 150 MB and half a second to load
def _label_encoder() -> RegionEncoder:
    from core.models.minilm import load_label_encoder

    if not NOUNS.is_file():
        raise ModelUnavailable(f"the table of nouns is not at {NOUNS}; it comes with the repository")
    return load_label_encoder()

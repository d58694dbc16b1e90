"""Load the three models of HICE-S: phrase extractor, region finder, and the encoder that compares both.

ModelSettings.model is the path of an Alpha-CLIP checkpoint. ModelSettings.options may contain these options:

regions       mobile-sam (default), segmenter for the detector's own masks, sample for the data set's own regions,
              or a COCO instances file
encoder       labels, alpha-clip or clip-crops. Default: labels for annotated regions. For other regions the default is
              Alpha-CLIP if its checkpoint is on this computer, otherwise plain CLIP on masked crops
phrases       rules (default) or factual
parser        folder or hub name of the model for phrases=factual. Default: FACTUAL's published model
attributes    literal (default) or prenominal
geometry      pad (default), crop, squash or readme: how picture and masks become square for Alpha-CLIP
minilm        another folder of all-MiniLM-L6-v2, or its name on the hub
weights       folder of the files in the next line
detector, sam, sam_encoder, sam_decoder   names of files
trust_weights yes allows code in these files to run
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar
from weakref import WeakValueDictionary

from core.captions.nouns import TABLE, bundled_nouns
from core.captions.phrases import PhraseExtractor
from core.datasets.coco_instances import read_annotations
from core.errors import BadSetting, ModelUnavailable
from core.models import ModelSettings
from core.models.hice.label_reader import LabelReader
from core.models.hice.protocol import OF_SAMPLE, HiceParts, LabelWords
from core.models.weights.availability import WEIGHTS_FOLDER
from core.models.weights.checkpoints import ALPHA_CLIP, FAST_SAM, MOBILE_SAM
from core.regions.annotated import AnnotatedRegions, SampleRegions
from core.regions.protocols import RegionEncoder, RegionFinder

T = TypeVar("T")
MOBILE, SEGMENTER = "mobile-sam", "segmenter"  # values of the option "regions": models that find regions
OWN = (
    "regions encoder phrases parser attributes geometry minilm weights detector sam sam_encoder sam_decoder "
    "trust_weights"
).split()
METRICS_OWN = "w cut entities references prefix min_area".split()  # options that HiceSettings reads
# Parsers and label encoders in use, which HICE-S and RefHICE-S share. A parser and a label encoder together take
# 200 MB, and a second to load. Key: (function that loads the parser or encoder, argument of this function).
_IN_USE: WeakValueDictionary[tuple[Callable[..., Any], str | None], Any] = WeakValueDictionary()


def load_parts(settings: ModelSettings) -> HiceParts:
    """Return the three models without a download. Raises ModelUnavailable, BadSetting, BadFile, BadRow."""
    options = settings.options
    for name in options:
        if name not in (*OWN, *METRICS_OWN):
            raise BadSetting(f"There is no option {name!r}. The options are {', '.join(sorted((*OWN, *METRICS_OWN)))}.")
    phrases = _phrases(settings)
    regions = options.get("regions", MOBILE)
    annotated = regions not in (MOBILE, SEGMENTER)
    name, checkpoint = _encoder_name(settings, annotated)
    if not annotated:
        return HiceParts(phrases, _finder(regions, settings), _encoder(name, checkpoint, settings))
    finder, encoder = _annotated(regions), _encoder(name, checkpoint, settings)
    return HiceParts(phrases, finder, encoder, _label_words(finder, phrases) if name == "labels" else None)


def _phrases(settings: ModelSettings) -> PhraseExtractor:
    name = _choice(settings.options, "phrases", "rules", "factual")
    style = _choice(settings.options, "attributes", "literal", "prenominal")
    if name == "rules":
        return _shared(_rules, style)
    from core.models.language.parsers import load_scene_graph_parser

    if style != "literal":
        raise BadSetting("Option attributes=prenominal needs phrases=rules.")
    return load_scene_graph_parser(name, replace(settings, model=settings.options.get("parser")))


def _rules(style: str | None) -> PhraseExtractor:
    from core.models.language.dependency_parser import DependencyParser

    return DependencyParser.load(style="prenominal" if style == "prenominal" else "literal")


def _label_words(finder: AnnotatedRegions | SampleRegions, phrases: PhraseExtractor) -> LabelWords:
    try:
        return LabelWords(bundled_nouns(), finder.vocabulary, LabelReader(phrases))
    except OSError as error:
        raise ModelUnavailable(f"the table of nouns is not at {TABLE}; it comes with the repository") from error


def _annotated(path: str) -> AnnotatedRegions | SampleRegions:
    if path == OF_SAMPLE:
        return SampleRegions()
    return read_annotations(Path(path).expanduser())


def _finder(regions: str, settings: ModelSettings) -> RegionFinder:
    from core.models.hice.feature_cache import CachedFinder

    finder = _segmenter(settings) if regions == SEGMENTER else _mobile_sam(settings)
    return CachedFinder(finder, settings.cache_dir / "regions") if settings.cache_dir else finder


def _segmenter(settings: ModelSettings) -> RegionFinder:
    from core.models.sam.segmenter import load_segmenter

    path = _file(settings.options, settings.options.get("detector", FAST_SAM.repo))
    return load_segmenter(path, settings.device, _trusts(settings.options))


def _mobile_sam(settings: ModelSettings) -> RegionFinder:
    from core.models.sam.mobile_sam import SamFiles, load_mobile_sam

    options = settings.options
    files = SamFiles(
        detector=_file(options, options.get("detector", FAST_SAM.repo)),
        sam=_file(options, options.get("sam", MOBILE_SAM.repo)),
        encoder=_file(options, options["sam_encoder"]) if "sam_encoder" in options else None,
        decoder=_file(options, options["sam_decoder"]) if "sam_decoder" in options else None,
        trust=_trusts(options),
    )
    return load_mobile_sam(files, settings.device)


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
        from core.models.language.label_encoder import load_label_encoder

        return _shared(load_label_encoder, settings.options.get("minilm"))
    return _remembered(_image_encoder(name, checkpoint, settings), settings.cache_dir)


def _shared(load: Callable[[str | None], T], argument: str | None) -> T:
    """Return the loaded model for this function and argument, or load the model now."""
    key = load, argument
    model: T | None = _IN_USE.get(key)
    if model is None:
        model = _IN_USE[key] = load(argument)
    return model


def _image_encoder(name: str, checkpoint: Path, settings: ModelSettings) -> RegionEncoder:
    if name == "alpha-clip":
        from core.models.clip.alpha_clip import load_alpha_clip

        geometry, trust = settings.options.get("geometry", "pad"), _trusts(settings.options)
        return load_alpha_clip(checkpoint, settings.device, geometry, trust=trust)
    from core.models.clip.crops import load_crop_clip

    return load_crop_clip(device=settings.device)


def _remembered(encoder: RegionEncoder, cache_dir: Path | None) -> RegionEncoder:
    from core.models.hice.feature_cache import CachedEncoder

    return CachedEncoder(encoder, cache_dir / "features") if cache_dir else encoder


def _file(options: Mapping[str, str], name: str) -> Path:
    """Return the path of a file that an option names. A name without folders means a file in the weights folder."""
    path = Path(name).expanduser()
    return (
        path
        if path.is_absolute() or path.exists()
        else Path(options.get("weights", WEIGHTS_FOLDER)).expanduser() / name
    )


def _trusts(options: Mapping[str, str]) -> bool:
    return _choice(options, "trust_weights", "no", "yes") == "yes"


def _choice(options: Mapping[str, str], name: str, usual: str, *others: str) -> str:
    value = options.get(name, usual)
    if value not in (usual, *others):
        allowed = ", ".join(dict.fromkeys((usual, *others)))
        raise BadSetting(f"Option {name} must be one of {allowed}, found {value!r}")
    return value

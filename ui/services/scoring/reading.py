"""Read texts with the bundled parser, immediately and without model weights.

Pages show a caption's phrases before a model has processed the picture, suggested edits of a caption, and the objects
that an explanation names.
"""

from functools import lru_cache
from importlib.util import find_spec
from typing import TYPE_CHECKING

from core.captions.edits import Trial, trials
from core.captions.hints import Hint, hints, named_in
from core.captions.judging.scene import LabelledScene
from core.captions.reading.lexicon import NOUNS, lexicon
from core.captions.reading.words import sentences
from core.errors import ModelUnavailable
from core.installation import missing_package
from core.types import Sample

if TYPE_CHECKING:
    from core.captions.reading.phrases import CaptionPhrase
    from core.models.parser import DependencyParser

MOST_TEXTS = 10  # maximum number of texts of one client that may wait for the parser
MOST_SENTENCES = 200  # a sentence takes a millisecond
REMEMBERED = 4096  # maximum number of texts in the cache, which stores the objects that each text names


def parser() -> "DependencyParser":
    """Return the bundled parser. Raises ModelUnavailable if its packages are missing."""
    try:
        from core.models.parser import bundled_parser  # imports spaCy

        return bundled_parser()
    except ModuleNotFoundError as error:
        raise ModelUnavailable(missing_package(error.name) or str(error)) from error


def phrases_of(caption: str) -> "tuple[CaptionPhrase, ...]":
    """Return a caption's phrases in order of mention. The first call loads the parser."""
    return parser().phrases([caption])[0]


def trials_of(sample: Sample) -> tuple[Trial, ...]:
    """Return edits of a caption that change its score instructively.

    The result is empty if the picture has no labelled regions or the table of nouns is missing.
    """
    labels = [region.label for region in sample.image.regions if region.label]
    if not labels or not NOUNS.is_file():
        return ()
    return trials(sample.candidate, labels, sample.image.vocabulary, lexicon())


def hints_of_text(text: str, sample: Sample) -> list[tuple[int, int, tuple[Hint, ...]]]:
    """Return an explanation's first sentences with hints on the objects they name.

    Each result has the sentence's start and end in characters, and its hints. A hint states whether an object that the
    sentence names is in the picture. Hints for which this is unknown are omitted. There are no hints without the
    parser's packages, labelled regions or the table of nouns.
    """
    image = sample.image
    has_parser = find_spec("spacy") is not None and find_spec("threadpoolctl") is not None  # not if only for rating
    reads = has_parser and NOUNS.is_file() and any(region.label for region in image.regions)
    # Nouns are not compared by meaning here, because that needs model weights.
    scene = LabelledScene(image.regions, image.vocabulary, lexicon(), lambda *_: False) if reads else None
    found = []
    for start, end in list(sentences(text))[:MOST_SENTENCES]:
        told = hints(named(text[start:end]), (one.text for one in named(sample.candidate)), scene) if scene else ()
        found.append((start, end, tuple(one for one in told if one.where != "unknown")))
    return found


@lru_cache(maxsize=REMEMBERED)
def named(text: str) -> tuple[Hint, ...]:
    """Return the objects that a text names, and what it says about each."""
    return tuple(one for tree in parser().trees(text) for one in named_in(text, tree))

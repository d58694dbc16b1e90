"""Hints for an explanation: the objects that its sentences name, and where the regions' labels show them."""

from functools import lru_cache

from core.captions.hints import Hint, NamedInText, hints, named_in, sentences
from core.captions.labelled_scene import LabelledScene
from core.captions.nouns import TABLE, bundled_nouns
from core.types import Sample
from ui.services.scoring.phrases import can_read, parser

MOST_SENTENCES = 200
REMEMBERED = 4096  # maximum number of texts in the cache, which stores the objects that each text names


def hints_of_text(text: str, sample: Sample) -> list[tuple[int, int, tuple[Hint, ...]]]:
    """Return an explanation's first sentences with hints on the objects they name.

    Each result has the sentence's start and end in characters, and its hints. A hint states whether an object that the
    sentence names is in the picture. Hints for which this is unknown are omitted. At most MOST_SENTENCES sentences are
    returned. This limits the time, since parsing a sentence takes a millisecond. There are no hints without the
    parser's packages, labelled regions or the table of nouns.
    """
    image, found = sample.image, []
    reads = TABLE.is_file() and any(region.label for region in image.regions) and can_read()
    scene = LabelledScene(image.regions, image.vocabulary, bundled_nouns(), _never_alike) if reads else None
    for count, (start, end) in enumerate(sentences(text)):
        if count == MOST_SENTENCES:
            break
        told = hints(named(text[start:end]), (one.text for one in named(sample.candidate)), scene) if scene else ()
        found.append((start, end, tuple(one for one in told if one.where != "unknown")))
    return found


@lru_cache(maxsize=REMEMBERED)
def named(text: str) -> tuple[NamedInText, ...]:
    """Return the objects that a text names, and what it says about each."""
    return tuple(one for tree in parser().trees(text) for one in named_in(text, tree))


def _never_alike(noun: str, label: str) -> bool:
    """Return False, because comparing nouns by meaning needs model weights, which are not used here."""
    return False

"""Hints for a sentence of an explanation.

The bundled parser finds the objects that the sentence names. The regions' labels show where these objects are.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache

from core.captions.explanation_hints import Hint, hints
from core.captions.labelled_scene import LabelledScene
from core.captions.noun_phrases import NounPhrase, noun_phrases
from core.captions.nouns import TABLE, bundled_nouns
from core.captions.sentences import sentences
from core.types import ImageRegion, Sample
from ui.services.scoring.phrases import can_read, parser

MOST_SENTENCES = 200
REMEMBERED = 4096  # maximum number of texts in the cache, which stores the objects that each text names


def sentence_hints(
    text: str, caption: str, regions: Sequence[ImageRegion], vocabulary: Sequence[str]
) -> tuple[Hint, ...]:
    """Return where the objects of a sentence are in the picture.

    A table of nouns matches the objects with the labels of regions. The result is empty without labelled regions or
    without this table. vocabulary: all labels that the annotators looked for in the picture; empty: unknown.
    """
    if not any(region.label for region in regions) or not TABLE.is_file():
        return ()
    scene = LabelledScene(regions, vocabulary, bundled_nouns(), _never_alike)
    return hints(named(text), (one.text for one in named(caption)), scene)


def hints_of_text(text: str, sample: Sample) -> list[tuple[int, int, tuple[Hint, ...]]]:
    """Return an explanation's first sentences with hints on the objects they name.

    Each result has the sentence's start and end in characters, and its hints. A hint states whether an object that the
    sentence names is in the picture. Hints for which this is unknown are omitted. At most MOST_SENTENCES sentences are
    returned. This limits the time, since parsing a sentence takes a millisecond. Without the parser's packages there
    are no hints.
    """
    image, sentences_with_hints, reads = sample.image, [], can_read()
    for sentence in sentences({"": text})[:MOST_SENTENCES]:
        regions = image.regions if reads else ()
        hints = sentence_hints(sentence.text, sample.candidate, regions, image.vocabulary)
        sentences_with_hints.append((sentence.start, sentence.end, _telling(hints)))
    return sentences_with_hints


@lru_cache(maxsize=REMEMBERED)
def named(text: str) -> tuple[NounPhrase, ...]:
    """Return the objects that a text names.

    For each object, state whether the text claims that it is present.
    """
    return tuple(phrase for tree in parser().trees(text) for phrase in noun_phrases(tree))


def _never_alike(noun: str, label: str) -> bool:
    """Return False, because nouns and labels cannot be compared by meaning.

    The bundled table of nouns matches the nouns that it contains with labels. For other nouns, a comparison needs model
    weights, which are not used here.
    """
    return False


def _telling(hints: Iterable[Hint]) -> tuple[Hint, ...]:
    """Return the hints whose position in the picture is known."""
    return tuple(one for one in hints if one.where != "unknown")

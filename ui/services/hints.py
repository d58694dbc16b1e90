"""Hints at a sentence of an explanation: the bundled parser reads it, labels of regions say where its things are."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

from core.captions.hints import Hint, hints
from core.captions.labelled_scene import LabelledScene
from core.captions.noun_phrases import NounPhrase, noun_phrases
from core.captions.nouns import TABLE
from core.studies.sentences import sentences
from core.types import ImageRegion, Sample
from storage import Repository
from storage.rating.hints import SentencePlace
from storage.types import Rater
from ui.services.phrases import parser
from ui.services.trials import nouns

REMEMBERED = 4096  # texts, by what they name


def sentence_hints(
    text: str, caption: str, regions: Sequence[ImageRegion], vocabulary: Sequence[str]
) -> tuple[Hint, ...]:
    """Return where the things are that a sentence names; none without labels, or where the table of nouns is missing.

    vocabulary: labels of all that was looked for when the regions were annotated; empty: not known.
    """
    if not any(region.label for region in regions) or not TABLE.is_file():
        return ()
    scene = LabelledScene(regions, vocabulary, nouns(), _never_alike)
    return hints(named(text), (one.text for one in named(caption)), scene)


def hints_of_text(text: str, sample: Sample) -> Iterator[tuple[int, int, tuple[Hint, ...]]]:
    """Yield each sentence of an explanation of a sample, by its characters, with the hints that say something."""
    image = sample.image
    for sentence in sentences({"": text}):
        found = sentence_hints(sentence.text, sample.candidate, image.regions, image.vocabulary)
        yield sentence.start, sentence.end, tuple(one for one in found if one.where != "unknown")


@lru_cache(maxsize=REMEMBERED)
def named(text: str) -> tuple[NounPhrase, ...]:
    """Return what a text names, and what it says of each thing's being there."""
    return tuple(phrase for tree in parser().trees(text) for phrase in noun_phrases(tree))


def _never_alike(noun: str, label: str) -> bool:
    """Without weights, nouns that the table lacks name nothing."""
    return False


def give_hints(repository: Repository, rater: Rater, at: SentencePlace) -> tuple[Hint, ...]:
    """Return what a rater may see at a sentence that they have judged; where there is anything, store that they do.

    Raises NotYours, InvalidRating before the first whole answer, Veiled.
    """
    of = repository.hints.asked(rater, at)
    found = sentence_hints(of.text, of.caption, of.regions, of.vocabulary)
    told = tuple(one for one in found if one.where != "unknown")
    if told:
        repository.hints.give(rater, at, told)
    return told

"""Hints at a sentence of an explanation: the bundled parser reads it, labels of regions say where its things are."""

import asyncio
from collections.abc import Iterable, Sequence
from functools import lru_cache, partial

from core.captions.hints import Hint, hints
from core.captions.labelled_scene import LabelledScene
from core.captions.noun_phrases import NounPhrase, noun_phrases
from core.captions.nouns import TABLE
from core.studies.asking.sentences import sentences
from core.types import ImageRegion, Sample
from storage import Repository
from storage.rating.desk.hints import SentencePlace
from storage.types import Rater
from ui.services.scoring.caption_trials import nouns
from ui.services.scoring.model_queue import ModelQueue
from ui.services.scoring.phrases import can_read, parser

MOST_SENTENCES = 200
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


def hints_of_text(text: str, sample: Sample) -> list[tuple[int, int, tuple[Hint, ...]]]:
    """Return the first sentences of an explanation of a sample, by their characters, with the hints that say something.

    At most MOST_SENTENCES, since each costs the parser a millisecond. Without the parser's packages there are no hints.
    """
    image, found, reads = sample.image, [], can_read()
    for sentence in sentences({"": text})[:MOST_SENTENCES]:
        regions = image.regions if reads else ()
        hints = sentence_hints(sentence.text, sample.candidate, regions, image.vocabulary)
        found.append((sentence.start, sentence.end, _telling(hints)))
    return found


@lru_cache(maxsize=REMEMBERED)
def named(text: str) -> tuple[NounPhrase, ...]:
    """Return what a text names, and what it says of each thing's being there."""
    return tuple(phrase for tree in parser().trees(text) for phrase in noun_phrases(tree))


def _never_alike(noun: str, label: str) -> bool:
    """Without weights, nouns that the table lacks name nothing."""
    return False


async def give_hints(repository: Repository, reading: ModelQueue, rater: Rater, at: SentencePlace) -> tuple[Hint, ...]:
    """Return what a rater may see at a sentence that they have judged; where there is anything, store that they do.

    reading: where texts wait for the parser; without its packages there are no hints. Raises NotYours, InvalidRating
    before the first whole answer, Veiled, QueueFull.
    """
    of = await asyncio.to_thread(repository.hints.asked, rater, at)
    if not can_read():
        return ()
    read = partial(sentence_hints, of.text, of.caption, of.regions, of.vocabulary)
    told = _telling(await reading.result(read, f"rater {rater.id}"))
    if told:
        await asyncio.to_thread(repository.hints.give, rater, at, told)
    return told


def _telling(hints: Iterable[Hint]) -> tuple[Hint, ...]:
    """Return the hints that say something."""
    return tuple(one for one in hints if one.where != "unknown")

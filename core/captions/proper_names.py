"""Names of people and places in a caption: "Rear Admiral Grace Hopper", "the Eiffel Tower"."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from core.captions.word_splitting import TITLES, Word

MOST_CAPITALS = 0.8  # with a larger share of capitalised long words, as in headings, capitals do not mark names
LONG = 4  # letters
NATIONAL = ("ese", "ish", "ian", "can", "french", "dutch", "greek", "thai", "korean", "german")  # endings
PARTICLES = frozenset("van von de der da di du la le bin ibn".split())  # "van" in "Vincent van Gogh" is a particle
NO_NAMES = frozenset(
    "a an the this that these those his her its their our my your he she it they we i you there here two three four "
    "five six seven eight nine ten some many several both one each every another no neither nobody in on at by with "
    "from to of for under over near behind beside and or but as while when where after before wearing is are".split()
)


def with_names(caption: str, words: Sequence[Word]) -> tuple[Word, ...]:
    """Return the words with each name joined to one word, such as "grace hopper"."""
    if _is_heading(caption, words):
        return tuple(words)
    return tuple(_joined(run) for run in _runs(caption, words))


def _is_heading(caption: str, words: Sequence[Word]) -> bool:
    long = [word for word in words if len(word.text) >= LONG]
    return sum(_is_capital(caption, word) for word in long) > MOST_CAPITALS * len(long) and len(long) > LONG


def _is_capital(caption: str, word: Word) -> bool:
    return caption[word.start].isupper()


def _runs(caption: str, words: Sequence[Word]) -> Iterator[list[Word]]:
    run: list[Word] = []
    for word in words:
        is_part = _is_capital(caption, word) and word.text not in NO_NAMES and word.text.isalpha()
        is_part |= bool(run) and word.text in PARTICLES
        is_title = word.text == "." and len(run) > 0 and f"{run[-1].text}." in TITLES
        if run and not (is_part or is_title):
            yield from _split(run)
            run = []
        if is_part or is_title:
            run.append(word)
        else:
            yield [word]
    yield from _split(run)


def _split(run: list[Word]) -> list[list[Word]]:
    """Split a run of capitalised words, unless the run is one name.

    A run of several words is usually one name. But two words are no name if the second word is a nationality: "Young
    Asian". A particle at the end, such as "van", becomes a separate word.
    """
    if len(run) > 1 and run[-1].text in PARTICLES:
        return [*_split(run[:-1]), run[-1:]]
    is_name = len(run) > 1 and not (len(run) == 2 and run[-1].text.endswith(NATIONAL))
    return [run] if is_name else [[word] for word in run]


def _joined(run: Sequence[Word]) -> Word:
    if len(run) == 1:
        return run[0]
    text = run[0].text + "".join(("" if b.start == a.end else " ") + b.text for a, b in pairwise(run))
    return Word(text, run[0].start, run[-1].end, is_name=True)

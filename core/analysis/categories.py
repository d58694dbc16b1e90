"""Categories of samples: by captioner, level of human judgement, caption length, kinds of words, and error codes."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from core.analysis.caption_words import PHRASE_KINDS, have, lengths
from core.analysis.score_table import Mask, ScoreTable, human_groups

LENGTHS = (1, 7, 10, 13, 17)  # shortest length, in words, of each group of caption lengths; same for every data set
MOST_CAPTIONERS = 50  # maximum number of captioners in tables; more names than this are probably caption ids


@dataclass(frozen=True, slots=True, eq=False)
class Category:
    """A group of samples. Groups by kinds of words or by error codes can overlap."""

    facet: str  # the kind of category
    name: str
    mask: Mask  # (samples,)


def categories(table: ScoreTable, codes: Sequence[Sequence[str]]) -> Iterator[Category]:
    """Yield the categories of a table's samples, one facet after the other. codes: the error codes of each sample."""
    captioner = table.samples["captioner"].cat
    if 2 <= len(captioner.categories) <= MOST_CAPTIONERS:
        written = captioner.codes.to_numpy()
        yield from (Category("captioner", name, written == at) for at, name in enumerate(captioner.categories))
    _, names, group = human_groups(table["human"], table["level"])
    yield from (Category("human level", name, group == place) for place, name in enumerate(names))
    yield from (Category("caption length", name, mask) for name, mask in length_groups(table["caption"]).items())
    kinds = {kind: have(table["caption"], kind) for kind in PHRASE_KINDS}
    yield from (Category("kind of words", kind, mask) for kind, mask in kinds.items())
    yield Category("kind of words", "none of these", ~np.logical_or.reduce([*kinds.values()]))
    for code in sorted({code for given in codes for code in given}):
        yield Category("error code", code, np.array([code in given for given in codes], dtype=bool))


def length_groups(captions: Iterable[str]) -> dict[str, Mask]:
    """Return the groups of caption lengths, shortest first. Groups may be empty."""
    words, groups = lengths(captions), {}
    for low, high in zip(LENGTHS, (*LENGTHS[1:], None), strict=True):
        name = f"{low} or more words" if high is None else f"{low}–{high - 1} words"
        groups[name] = (words >= low) & (words < (high or np.inf))
    return groups

"""Pascal-50S: which of two captions people prefer (Vedantam et al. 2015).

The file is the benchmarks' own JSON: an object with a list of items for each category. An item is {image, captions:
[2], label, references}. The label is the position, 0 or 1, of the preferred caption. The categories say where the two
captions come from. HC: people wrote both captions, and both are correct. HI: people wrote both captions, but one is
about another image. HM: a person wrote one caption, a machine the other. MM: machines wrote both captions.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from core.datasets.base import Format, Record, Source, plain_name
from core.datasets.benchmark import Benchmark
from core.datasets.files import named_lists
from core.datasets.rows import Row, records_of
from core.errors import BadRow
from core.picture_names import file_name
from core.types import Pair

CATEGORIES = ("HC", "HI", "HM", "MM")
_CATEGORY = re.compile(rf"(?<![^_])({'|'.join(CATEGORIES)})(?![^_])", re.IGNORECASE)


def pascal_pair(file: Path, number: int, position: int, preferred: int | None) -> Pair:
    """Return the pair of captions in one item of a result file.

    number: the item's number, counted from 1. position: which caption of the pair the sample has, 0 or 1. preferred:
    which caption people prefer, 0 or 1; None: unknown. The pair's category is taken from the file's name.
    """
    stem = plain_name(file).stem
    category = _CATEGORY.search(stem)
    if category is None:
        return Pair(f"{stem}#{number}", position, preferred)
    return category_pair(category[1].upper(), number, position, preferred)


def category_pair(category: str, number: int, position: int, preferred: int | None) -> Pair:
    """Return the pair of captions in one item of a category.

    number: the item's number in the category, counted from 1. position: which caption of the pair the sample has, 0 or
    1. preferred: which caption people prefer, 0 or 1; None: unknown.
    """
    return Pair(f"{category}#{number}", position, preferred, category)


def pair_key(pair: Pair) -> str:
    """Return the key of a sample in a pair, such as "HC#1/0".

    The key is the same in files with annotations and in result files.
    """
    return f"{pair.key}/{pair.position}"


@dataclass(frozen=True, slots=True)
class Choice:
    """One of the two captions of an item."""

    item: Row
    category: str
    position: int  # position of the caption in its pair, 0 or 1


def read(source: Source) -> Iterator[Record]:
    """Yield two records per item, with keys like "HC#1/0" and "HC#1/1".

    The row number of both records is the item's position in its category.
    """
    return records_of(source, _choices(source), _record)


def _choices(source: Source) -> Iterator[Choice | BadRow]:
    for category, item in named_lists(source, "items"):
        yield from _both(item, category)


def _both(item: Row | BadRow, category: str) -> list[Choice | BadRow]:
    if isinstance(item, BadRow):
        return [item]
    named = Row(item.file, item.number, item.values, f"{category}.")
    try:
        named.whole("label", 0, 1)
        captions = named.texts("captions")
        if len(captions) != 2:
            raise named.bad("captions", "two captions", named.get("captions"))
    except BadRow as bad:
        return [bad]
    return [Choice(named, category, position) for position in (0, 1)]


def _record(choice: Choice) -> Record:
    item = choice.item
    pair = category_pair(choice.category, item.number, choice.position, item.whole("label", 0, 1))
    return Record(
        file=item.file,
        row=item.number,
        key=pair_key(pair),
        image=file_name(item.text("image")),
        candidate=item.texts("captions")[choice.position],
        references=item.texts("references"),
        pair=pair,
    )


PASCAL50S = Format(
    name="pascal50s",
    summary=(
        "Pascal-50S (pascal_50s.json): pairs of captions in four categories, and which caption of each pair "
        "people prefer"
    ),
    suffixes=(".json",),
    reader=read,
    benchmark=Benchmark("pascal50s", counts_pairs=True, categories=CATEGORIES),
)

"""Pascal-50S: which of two captions people prefer (Vedantam et al. 2015).

The file is the benchmarks' own JSON: an object with a list of items for each category. An item is {image, captions:
[2], label, references}. The label is the position, 0 or 1, of the preferred caption. The categories say where the two
captions come from. HC: people wrote both captions, and both are correct. HI: people wrote both captions, but one is
about another image. HM: a person wrote one caption, a machine the other. MM: machines wrote both captions.
"""

import re
from collections.abc import Iterator
from dataclasses import replace
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
    """Return the pair of an item in a result file; the file's name contains the category.

    number: the item's number, counted from 1. position: which caption of the pair the sample has, 0 or 1. preferred:
    which caption people prefer, 0 or 1; None: unknown.
    """
    stem = plain_name(file).stem
    category = _CATEGORY.search(stem)
    name = category[1].upper() if category else None
    return Pair(f"{name or stem}#{number}", position, preferred, name)


def pair_key(pair: Pair) -> str:
    """Return the key of a sample in a pair, such as "HC#1/0", equal in annotations and result files."""
    return f"{pair.key}/{pair.position}"


def read(source: Source) -> Iterator[Record]:
    """Yield two records per item, with keys like "HC#1/0". The row is the item's position in its category."""
    return records_of(source, _items(source), _captions)


def _items(source: Source) -> Iterator[Row | BadRow]:
    for category, item in named_lists(source, "items"):
        yield item if isinstance(item, BadRow) else replace(item, prefix=f"{category}.")


def _captions(item: Row) -> list[Record]:
    preferred, captions, category = item.whole("label", 0, 1), item.texts("captions"), item.prefix.rstrip(".")
    if len(captions) != 2:
        raise item.bad("captions", "two captions", item.get("captions"))
    pairs = [Pair(f"{category}#{item.number}", position, preferred, category) for position in (0, 1)]
    references, image = item.texts("references"), file_name(item.text("image"))
    return [
        item.record(pair_key(pair), image, caption, references=references, pair=pair)
        for pair, caption in zip(pairs, captions, strict=True)
    ]


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

"""Benchmarks of pairs: people prefer one of two captions of a picture. Each reader yields two records per pair."""

import re
from collections.abc import Iterator
from pathlib import Path

from core.datasets.base import Benchmark, Format, Record, Source, plain_name
from core.datasets.coco import annotations
from core.datasets.files import json_lists, json_rows
from core.datasets.rows import Row, records_of
from core.types import Pair

CATEGORIES = ("HC", "HI", "HM", "MM")  # who wrote the two captions of Pascal-50S: H people, M machines; I: wrong image
_CATEGORY = re.compile(rf"(?<![^_])({'|'.join(CATEGORIES)})(?![^_])", re.IGNORECASE)
UNDECIDED = ("equal", "skip", "bad")  # CapArena's words for battles without a winner
UNCOUNTED = ("skip", "bad")  # categories of battles that nobody judged


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


def read_pascal50s(source: Source) -> Iterator[Record]:
    """Yield the records of Pascal-50S (Vedantam et al. 2015), with keys like "HC#1/0".

    The file is an object with a list of items for each category. An item is {image, captions: [2], label, references}.
    The label is the position, 0 or 1, of the preferred caption.
    """

    def records(item: Row) -> list[Record]:
        preferred, captions = item.whole("label", 0, 1), item.texts("captions")
        if len(captions) != 2:
            raise item.bad("captions", "two captions", item.get("captions"))
        pairs = [Pair(f"{item.part}#{item.number}", position, preferred, item.part) for position in (0, 1)]
        references, image = item.texts("references"), item.file_name("image")
        return [
            item.record(pair_key(pair), image, caption, references=references, pair=pair)
            for pair, caption in zip(pairs, captions, strict=True)
        ]

    return records_of(source, json_lists(source, "items"), records)


def read_foil(source: Source) -> Iterator[Record]:
    """Yield the records of FOIL (Shekhar et al. 2017): an original caption, and a foil with one wrong word.

    The file is an object with images [{id, file_name}] and annotations [{id, image_id, caption, foil}]. Annotations
    with the same id are one original caption and its foils. Keys are like "<id>#1/0" (original) and "<id>#1/1" (foil).
    """
    captions: dict[str, list[tuple[Row, str]]] = {}  # key: the id; values: rows with the names of their pictures
    for row, image in annotations(source):
        if isinstance(row.get("foil"), bool):
            captions.setdefault(row.identifier("id"), []).append((row, image))
        else:
            source.on_bad(row.bad("foil", "true or false", row.get("foil")))

    def records(caption: tuple[str, list[tuple[Row, str]]]) -> list[Record]:
        number, rows = caption
        originals, foils = ([row for row, _ in rows if row.get("foil") is foil] for foil in (False, True))
        first, image = rows[0]
        if len(originals) != 1 or not foils:
            found = f"{len(originals)} originals and {len(foils)} foils"
            raise first.bad("id", "one original and at least one foil of the same id", found)
        pairs = [
            (row, Pair(f"{number}#{nth}", position, 0))
            for nth, foil in enumerate(foils, start=1)
            for position, row in enumerate((originals[0], foil))
        ]
        return [row.record(pair_key(pair), image, row.text("caption"), pair=pair) for row, pair in pairs]

    return records_of(source, captions.items(), records)


def read_caparena(source: Source) -> Iterator[Record]:
    """Yield the records of CapArena (Cheng et al. 2025), with keys like "caparena#1/0" from the file's name.

    The file is a JSON list of {img, source1, source2, caption1, caption2, winner, ref, cluster?}. The field winner has
    the value of source1 or source2, or "equal", "skip" or "bad". The field cluster is the authors' level.
    """

    def records(row: Row) -> list[Record]:
        winner, sources = row.text("winner"), (row.text("source1"), row.text("source2"))
        if winner not in UNDECIDED and (winner not in sources or sources[0] == sources[1]):
            raise row.bad("winner", f"{sources[0]!r}, {sources[1]!r} or one of {', '.join(UNDECIDED)}", winner)
        preferred = None if winner in UNDECIDED else sources.index(winner)
        level = winner if winner in UNCOUNTED else None if row.get("cluster") is None else row.text("cluster")
        references = () if row.get("ref") is None else (row.text("ref"),)
        return [
            row.record(
                pair_key(pair),
                row.file_name("img"),
                row.text(f"caption{pair.position + 1}"),
                references=references,
                pair=pair,
                system=row.system(f"source{pair.position + 1}"),
            )
            for pair in (Pair(row.key, position, preferred, level) for position in (0, 1))
        ]

    return records_of(source, json_rows(source), records)


PAIRS = (
    Format(
        name="pascal50s",
        summary="Pascal-50S (pascal_50s.json): pairs of captions in four categories, and which of them people prefer",
        reader=read_pascal50s,
        benchmark=Benchmark("pascal50s", counts_pairs=True, categories=CATEGORIES),
    ),
    Format(
        name="foil",
        summary="FOIL (foilv1.0_test_2017.json): captions, each paired with a copy that has one wrong word",
        reader=read_foil,
        benchmark=Benchmark("foil", counts_pairs=True),
    ),
    Format(
        name="caparena",
        summary="CapArena: battles between two detailed captions of a picture, and the caption that people prefer",
        reader=read_caparena,
    ),
)

"""FOIL: pairs of a caption and the same caption with one wrong word (Shekhar et al. 2017; foilv1.0_test_2017.json).

The file is a JSON object with images [{id, file_name}] and annotations [{id, image_id, caption, foil}]. The annotations
with the same id are one original caption and its foils (captions with a wrong word). The file has no references. The
benchmarks use COCO's captions as references.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from core.datasets.base import Format, Record, Source
from core.datasets.benchmark import Benchmark
from core.datasets.coco import LARGEST_ID, file_names, list_under
from core.datasets.files import as_row, json_object
from core.datasets.pascal50s import pair_key
from core.datasets.rows import Row, records_of
from core.errors import BadRow
from core.types import Pair

ORIGINAL, FOIL = 0, 1  # indices of the original and the FOIL caption in a pair


@dataclass(frozen=True, slots=True)
class Choice:
    """The original caption or a foil, as one of the two captions of a pair."""

    annotation: Row
    image: str  # file name
    pair: Pair


def read(source: Source) -> Iterator[Record]:
    """Yield two records for each foil: the original caption and the foil.

    Their keys are like "<id>#1/0" and "<id>#1/1". The row is the annotation's position in the file.
    """
    return records_of(source, _choices(source), _record)


def _choices(source: Source) -> Iterator[Choice | BadRow]:
    content = json_object(source)
    names = file_names(source, list_under(source, content, "images"))
    captions: dict[int, tuple[list[Row], list[Row]]] = {}  # key: id of a caption; value: (originals, foils)
    for annotation in _annotations(source, list_under(source, content, "annotations")):
        if isinstance(annotation, BadRow):
            yield annotation
        else:
            originals_and_foils = captions.setdefault(annotation.whole("id", 0, LARGEST_ID), ([], []))
            originals_and_foils[FOIL if annotation.get("foil") else ORIGINAL].append(annotation)
    for done, (number, (originals, foils)) in enumerate(captions.items(), start=1):
        yield from _pairs(number, originals, foils, names)
        source.on_progress(done, len(captions))


def _annotations(source: Source, entries: list[object]) -> Iterator[Row | BadRow]:
    for number, entry in enumerate(entries, start=1):
        row = as_row(source.path, number, entry)
        yield row if isinstance(row, BadRow) else _checked(row)


def _checked(row: Row) -> Row | BadRow:
    try:
        row.whole("id", 0, LARGEST_ID), row.whole("image_id", 0, LARGEST_ID), row.text("caption")
        if not isinstance(row.get("foil"), bool):
            raise row.bad("foil", "true or false", row.get("foil"))
    except BadRow as bad:
        return bad
    return row


def _pairs(number: int, originals: list[Row], foils: list[Row], names: dict[str, str]) -> Iterable[Choice | BadRow]:
    if len(originals) != 1 or not foils:
        first = (originals + foils)[0]
        found = f"{len(originals)} originals and {len(foils)} foils"
        return [first.bad("id", "one original and at least one foil of the same id", found)]
    name = names.get(originals[0].identifier("image_id"))
    if name is None:
        return [originals[0].bad("image_id", "the id of one of the file's images", originals[0].get("image_id"))]
    return [
        Choice(member, name, Pair(f"{number}#{nth}", position, ORIGINAL))
        for nth, foil in enumerate(foils, start=1)
        for position, member in enumerate((originals[0], foil))
    ]


def _record(choice: Choice) -> Record:
    return Record(
        file=choice.annotation.file,
        row=choice.annotation.number,
        key=pair_key(choice.pair),
        image=choice.image,
        candidate=choice.annotation.text("caption"),
        pair=choice.pair,
    )


FOIL_TEST = Format(
    name="foil",
    summary="FOIL (foilv1.0_test_2017.json): captions, each paired with a copy that has one wrong word",
    suffixes=(".json",),
    reader=read,
    benchmark=Benchmark("foil", counts_pairs=True),
)

"""FOIL: pairs of a caption and the same caption with one wrong word (Shekhar et al. 2017; foilv1.0_test_2017.json).

The file is a JSON object with images [{id, file_name}] and annotations [{id, image_id, caption, foil}]. The annotations
with the same id are one original caption and its foils (captions with a wrong word). The file has no references. The
benchmarks use COCO's captions as references.
"""

from collections.abc import Iterator
from functools import partial

from core.datasets.base import Format, Record, Source
from core.datasets.benchmark import Benchmark
from core.datasets.coco import file_names, list_under
from core.datasets.files import entry_rows, json_object
from core.datasets.pascal50s import pair_key
from core.datasets.rows import Row, records_of
from core.errors import BadRow
from core.types import Pair

ORIGINAL, FOIL = 0, 1  # positions of the original and the FOIL caption in a pair
Caption = tuple[str, list[Row], list[Row]]  # (id, originals, foils)


def read(source: Source) -> Iterator[Record]:
    """Yield two records for each foil: the original caption and the foil.

    Their keys are like "<id>#1/0" and "<id>#1/1". The row is the annotation's position in the file.
    """
    content = json_object(source)
    names = file_names(source, list_under(source, content, "images"))
    return records_of(source, _grouped(source, content), partial(_pairs, names))


def _grouped(source: Source, content: dict[str, object]) -> Iterator[Caption | BadRow]:
    captions: dict[str, Caption] = {}
    for row in entry_rows(source, list_under(source, content, "annotations")):
        try:
            if isinstance(row, BadRow):
                raise row
            number, _, _ = row.identifier("id"), row.identifier("image_id"), row.text("caption")
            if not isinstance(row.get("foil"), bool):
                raise row.bad("foil", "true or false", row.get("foil"))
            _, originals, foils = captions.setdefault(number, (number, [], []))
            (foils if row.get("foil") else originals).append(row)
        except BadRow as bad:
            yield bad
    yield from captions.values()


def _pairs(names: dict[str, str], caption: Caption) -> list[Record]:
    number, originals, foils = caption
    if len(originals) != 1 or not foils:
        found = f"{len(originals)} originals and {len(foils)} foils"
        raise (originals + foils)[0].bad("id", "one original and at least one foil of the same id", found)
    image = names.get(originals[0].identifier("image_id"))
    if image is None:
        raise originals[0].bad("image_id", "the id of one of the file's images", originals[0].get("image_id"))
    pairs = [
        (row, Pair(f"{number}#{nth}", position, ORIGINAL))
        for nth, foil in enumerate(foils, start=1)
        for position, row in enumerate((originals[0], foil))
    ]
    return [row.record(pair_key(pair), image, row.text("caption"), pair=pair) for row, pair in pairs]


FOIL_TEST = Format(
    name="foil",
    summary="FOIL (foilv1.0_test_2017.json): captions, each paired with a copy that has one wrong word",
    suffixes=(".json",),
    reader=read,
    benchmark=Benchmark("foil", counts_pairs=True),
)

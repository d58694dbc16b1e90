"""COCO's result files: a model's captions, a JSON list of {image_id, caption} for COCO's evaluation.

COCO's rules name such files captions_SET_MODEL_results.json. So the MODEL in the file's name is used as the captioner.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import replace
from pathlib import Path

from core.datasets.base import Exported, Format, Record, Source, is_system, plain_name
from core.datasets.coco import LARGEST_ID
from core.datasets.files import entry_rows, json_list
from core.datasets.own_form_writing import encoded
from core.datasets.rows import Row, records_of
from core.errors import BadData
from core.files import written_whole
from core.types import Score, one_line

_MODEL = re.compile(r"captions_[^_]+_(.+)_results")
_NUMBER = re.compile(r"[0-9]+$", re.ASCII)  # "000000391895", "COCO_val2014_000000391895"


def read(source: Source) -> Iterator[Record]:
    """Yield one record per entry.

    Keys such as "results#391895" consist of the file's name and the picture's number.
    """
    records = records_of(source, entry_rows(source, json_list(source)), _record)
    named = _MODEL.fullmatch(plain_name(source.path).stem)
    if named is None or source.layout.system is not None or not is_system(one_line(named[1])):
        return records
    return (replace(record, system=record.system or one_line(named[1])) for record in records)


def _record(row: Row) -> Record:
    number = row.identifier("image_id")
    image = f"{int(number):012}.jpg" if number.isdecimal() else number  # COCO's names of pictures since 2017
    return row.record(f"{plain_name(row.file).stem}#{number}", image, row.text("caption"), system=row.system("system"))


def write(samples: Iterable[Exported], folder: Path) -> Iterator[Exported | str]:
    """Write results.json, with scores beside the captions.

    A sample is skipped if its picture's name contains no COCO number. Raises BadData for a second caption of a picture,
    because the file can have only one caption per picture.
    """
    written: set[int] = set()  # COCO numbers of the pictures in the file
    with written_whole(folder / "results.json") as unfinished, unfinished.open("w", encoding="utf-8") as file:
        file.write("[")
        for one in samples:
            found = _NUMBER.search(Path(one.sample.image.name).stem)
            if found is None or int(found[0]) > LARGEST_ID:
                yield f"{one.sample.key}: the name {one.sample.image.name} contains no COCO picture id"
                continue
            number = int(found[0])
            if number in written:
                raise BadData(
                    f"COCO results need one caption per picture, but {one.sample.image.name} has several captions."
                )
            row: dict[str, object] = {"image_id": number, "caption": one.sample.candidate}
            row |= {"system": one.sample.system} if one.sample.system else {}
            scores = {outcome.signature: outcome.value for outcome in one.outcomes if isinstance(outcome, Score)}
            file.write((", " if written else "") + encoded(row | ({"scores": scores} if scores else {})))
            written.add(number)
            yield one
        file.write("]")


COCO_RESULTS = Format(
    name="coco-results",
    summary="COCO results (captions_val2017_MODEL_results.json): a model's captions, with the ids of their pictures",
    suffixes=(".json",),
    reader=read,
    writer=write,
    takes_system=True,
)

"""COCO's result files: a model's captions, a JSON list of {image_id, caption}, as COCO's evaluation takes them."""

from collections.abc import Iterator

from core.datasets.base import Format, Record, Source, plain_name
from core.datasets.coco import LARGEST_ID
from core.datasets.files import entry_rows, json_list
from core.datasets.rows import Row, records_of


def read(source: Source) -> Iterator[Record]:
    """Yield one record an entry, with the keys "results#391895" and so on after the file's name and the picture."""
    return records_of(source, entry_rows(source, json_list(source)), _record)


def _record(row: Row) -> Record:
    number = row.whole("image_id", 0, LARGEST_ID)
    return Record(
        file=row.file,
        row=row.number,
        key=f"{plain_name(row.file).stem}#{number}",
        image=f"{number:012}.jpg",  # as COCO names its pictures since 2017
        candidate=row.text("caption"),
    )


COCO_RESULTS = Format(
    name="coco-results",
    summary="COCO results (captions_val2017_MODEL_results.json): a model's captions by the numbers of their pictures",
    suffixes=(".json",),
    reader=read,
)

"""Composite (Aditya et al. 2018) in the benchmarks' own JSON: human judgements from 1 to 5 on three image sets.

The file is a JSON object {"flickr8k": [...], "flickr30k": [...], "coco": [...]}. Each list has entries of the form
{image, caption, human, references?, system?}.
"""

from collections.abc import Iterator
from dataclasses import replace

from core.datasets.base import Format, Record, Source
from core.datasets.benchmark import Benchmark
from core.datasets.files import named_lists
from core.datasets.flickr8k import rescaled
from core.datasets.rows import SYSTEMS, Row, records_of
from core.errors import BadRow
from core.picture_names import file_name

HUMAN_SCALE = (1.0, 5.0)


def read(source: Source) -> Iterator[Record]:
    """Yield one record per entry, with keys like "coco#1". The row is the entry's position in its list."""
    rows = (
        row if isinstance(row, BadRow) else replace(row, prefix=f"{part}.")
        for part, row in named_lists(source, "captions")
    )
    return records_of(source, rows, _record)


def _record(row: Row) -> Record:
    human = row.number_in("human", *HUMAN_SCALE)
    return row.record(
        f"{row.prefix.rstrip('.')}#{row.number}",
        file_name(row.text("image")),
        row.text("caption"),
        references=row.texts("references"),
        human=rescaled((human,), HUMAN_SCALE),
        judgements=(human,),
        system=row.system(*SYSTEMS),
    )


COMPOSITE = Format(
    name="composite",
    summary="Composite (composite.json): captions on Flickr8k, Flickr30k and COCO images with judgements from 1 to 5",
    suffixes=(".json",),
    reader=read,
    benchmark=Benchmark("composite", "c", human_scale=HUMAN_SCALE),  # one tau over all three image sets
)

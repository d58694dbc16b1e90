"""Composite (Aditya et al. 2018) in the benchmarks' own JSON: human judgements from 1 to 5 on three image sets.

The file is a JSON object {"flickr8k": [...], "flickr30k": [...], "coco": [...]}. Each list has entries of the form
{image, caption, human, references?, system?}.
"""

from collections.abc import Iterator
from dataclasses import dataclass

from core.datasets.base import Format, Record, Source
from core.datasets.benchmark import Benchmark
from core.datasets.files import named_lists
from core.datasets.flickr8k import rescaled
from core.datasets.rows import SYSTEMS, Row, records_of
from core.errors import BadRow
from core.picture_names import file_name

HUMAN_SCALE = (1.0, 5.0)


@dataclass(frozen=True, slots=True)
class Entry:
    """One judged caption."""

    key: str  # "<part>#<n>" for the n-th entry of this part of the data set
    row: Row


def read(source: Source) -> Iterator[Record]:
    """Yield one record per entry, with keys like "coco#1". The row is the entry's position in its list."""
    return records_of(source, _entries(source), _record)


def _entries(source: Source) -> Iterator[Entry | BadRow]:
    for part, row in named_lists(source, "captions"):
        named = row if isinstance(row, BadRow) else Row(row.file, row.number, row.values, f"{part}.")
        yield named if isinstance(named, BadRow) else Entry(f"{part}#{named.number}", named)


def _record(entry: Entry) -> Record:
    row = entry.row
    human = row.number_in("human", *HUMAN_SCALE)
    return Record(
        file=row.file,
        row=row.number,
        key=entry.key,
        image=file_name(row.text("image")),
        candidate=row.text("caption"),
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

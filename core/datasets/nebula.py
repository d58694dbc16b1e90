"""Nebula's test set: the file nebula_test.json, as in EXPERT's copy of it.

The file is a JSON list of {imgid, mt, refs, score in [0, 1], system?}. The field system is optional.
"""

from collections.abc import Iterator

from core.datasets.base import Format, Record, Source, plain_name
from core.datasets.benchmark import Benchmark
from core.datasets.files import entry_rows, json_list
from core.datasets.rows import SYSTEMS, Row, records_of
from core.picture_names import file_name


def read(source: Source) -> Iterator[Record]:
    """Yield one record per entry, with keys like "nebula_test#1" from the file's name."""
    return records_of(source, entry_rows(source, json_list(source)), _record)


def _record(row: Row) -> Record:
    return judged_caption(row, row.texts("refs"), row.number_in("score", 0, 1))


def judged_caption(row: Row, references: tuple[str, ...], human: float) -> Record:
    """Return the record for a row whose fields have Nebula's names."""
    return Record(
        file=row.file,
        row=row.number,
        key=f"{plain_name(row.file).stem}#{row.number}",
        image=file_name(row.text("imgid")),
        candidate=row.text("mt"),
        references=references,
        human=human,
        system=row.system(*SYSTEMS),
    )


NEBULA = Format(
    name="nebula",
    summary="Nebula (nebula_test.json, also polaris_test.json): captions with references and human scores",
    suffixes=(".json",),
    reader=read,
    benchmark=Benchmark("nebula", "c", human_scale=(0.0, 1.0)),
)

"""LongCap-Arena (Matsuda et al. 2025, VELA): long captions, judged on one criterion per file.

The files are Parquet files with the columns file_name, image, refs, cand and score, which is in [0, 1]. The name of the
split (part of the data set) contains the criterion: test.desc, dci_val.rel, dci_test.flu ... The benchmark's Test A is
dci_val, and its Test B is dci_test. The criteria are the aspects of EXPERT's explanations.
"""

import re
from collections.abc import Iterator

from core.datasets.base import Format, Record, Source
from core.datasets.benchmark import Benchmark
from core.datasets.parquet import kept_picture, parquet_rows
from core.datasets.rows import SYSTEMS, Row, records_of
from core.errors import BadFile
from core.picture_names import file_name

CRITERIA = {"desc": "descriptiveness", "rel": "relevance", "flu": "fluency"}
_SPLIT = re.compile(r"(?:^|[^a-z])(?:([a-z_]*)\.)?(desc|rel|flu)(?![a-z])")


def read(source: Source) -> Iterator[Record]:
    """Yield one record per row, with keys like "dci_val.desc#1".

    The key contains the criterion. So one data set can have the judgements of several criteria.
    """
    split = _split(source)
    return records_of(source, parquet_rows(source), lambda row: _record(source, row, split))


def _split(source: Source) -> str:
    """Return the split, such as "test.desc", from the name of the file or of its folder.

    In the hub's copies, the folder has the split's name.
    """
    for name in (source.path.name, source.path.parent.name):
        if found := _SPLIT.search(name.lower()):
            return ".".join(filter(None, found.groups()))
    names = ", ".join(CRITERIA)
    raise BadFile(
        source.path, f"the file name contains no criterion ({names}); an example is test.desc-00000-of-00001.parquet"
    )


def _record(source: Source, row: Row, split: str) -> Record:
    return row.record(
        f"{split}#{source.path.stem}#{row.number}",
        kept_picture(source, row, "image", file_name(row.text("file_name"))),
        row.text("cand"),
        references=row.texts("refs"),
        human=row.number_in("score", 0, 1),
        system=row.system(*SYSTEMS),
    )


LONGCAP_ARENA = Format(
    name="longcap-arena",
    summary="LongCap-Arena (VELA): long captions with human scores, one file per criterion: desc, rel or flu",
    suffixes=(".parquet",),
    reader=read,
    benchmark=Benchmark("longcap-arena", "c", human_scale=(0.0, 1.0)),
)

"""THumB 1.0 (Kasai et al. 2022): human precision and recall of captions, a JSON object per line.

Fields: SYS (the captions' source), hyp, image, P and R (1 to 5), Fl, Con, Inc (deductions), human_score (the whole, at
most 5). Precision and recall are kept as scores, for comparison with those of HICE-S.
"""

from collections.abc import Iterator

from core.datasets.base import Format, Record, Source, plain_name
from core.datasets.files import line_rows
from core.datasets.rows import Row, file_name, records_of
from core.signature import BY_PEOPLE, signature
from core.types import Score

SCALE = (1.0, 5.0)
HIGHEST = 5.0  # of human_score; after all deductions it is at least 0
PARTS = {"P": "THumB precision", "R": "THumB recall"}


def read(source: Source) -> Iterator[Record]:
    """Yield one record per line, with keys like "thumb#1" from the file's name."""
    return records_of(source, line_rows(source), _record)


def _record(row: Row) -> Record:
    return Record(
        file=row.file,
        row=row.number,
        key=f"{plain_name(row.file).stem}#{row.number}",
        image=file_name(row.text("image")),
        candidate=row.text("hyp"),
        human=row.number_in("human_score", 0, HIGHEST) / HIGHEST,
        scores=tuple(
            Score(name, row.number_in(field, *SCALE), signature(name, **BY_PEOPLE), SCALE)
            for field, name in PARTS.items()
        ),
    )


THUMB = Format(
    name="thumb",
    summary="THumB 1.0: captions with people's precision and recall, for comparison with HICE-S's own",
    suffixes=(".jsonl", ".json"),
    reader=read,
)

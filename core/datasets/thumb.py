"""THumB 1.0 (Kasai et al. 2022): human precision and recall of captions, a JSON object per line.

Fields: SYS (the captions' source), seg_id, hyp (the caption), image, P and R (precision and recall, 1 to 5). Fl, Con
and Inc are deductions, 0 or less. human_score is the total score, at most 5. Precision and recall are stored as scores,
for comparison with HICE-S's precision and recall. The deductions that a file has are stored too, because the total
score contains them. The file mscoco_references.json in the same folder may contain references by seg_id.
"""

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import partial

from core.datasets.base import Format, Record, Source, ignore_progress, plain_name
from core.datasets.files import line_rows
from core.datasets.rows import Row, records_of
from core.errors import BadRow
from core.picture_names import file_name
from core.signature import BY_PEOPLE, signature
from core.types import Score

REFERENCES = "mscoco_references.json"
SCALE = (1.0, 5.0)
HIGHEST = 5.0  # highest human_score; deductions never make a human_score negative
PARTS = {"P": "THumB precision", "R": "THumB recall"}
DEDUCED = (-HIGHEST, 0.0)
DEDUCTIONS = {"Fl": "THumB fluency", "Con": "THumB conciseness", "Inc": "THumB inclusive language"}


def read(source: Source) -> Iterator[Record]:
    """Yield one record per line, with keys like "thumb#1" from the file's name."""
    return records_of(source, line_rows(source), partial(_record, _references(source)))


def _references(source: Source) -> dict[str, tuple[str, ...]]:
    """Return the references of each seg_id.

    The result is empty if there is no file with references beside the judgements.
    """
    beside = source.path.with_name(f"{REFERENCES}{'.gz' if source.path.suffix == '.gz' else ''}")
    if not beside.is_file():
        return {}
    references: dict[str, tuple[str, ...]] = {}
    for row in line_rows(replace(source, path=beside, on_progress=ignore_progress)):
        try:
            if isinstance(row, BadRow):
                raise row
            references[row.text("seg_id")] = row.texts("refs")
        except BadRow as bad:
            source.on_bad(bad)
    return references


def _record(references: Mapping[str, tuple[str, ...]], row: Row) -> Record:
    return row.record(
        f"{plain_name(row.file).stem}#{row.number}",
        file_name(row.text("image")),
        row.text("hyp"),
        references=references.get(str(row.get("seg_id")), ()),
        human=row.number_in("human_score", 0, HIGHEST) / HIGHEST,
        scores=tuple(_scores(row)),
        system=row.system("SYS"),
    )


def _scores(row: Row) -> Iterator[Score]:
    """Yield precision, recall, and the deductions that the row has."""
    for field, name in PARTS.items():
        yield Score(name, row.number_in(field, *SCALE), signature(name, **BY_PEOPLE), SCALE)
    for field, name in DEDUCTIONS.items():
        if row.get(field) is not None:
            value = row.number_in(field, *DEDUCED) + 0.0  # + 0.0 turns -0.0 into 0.0
            yield Score(name, value, signature(name, **BY_PEOPLE), DEDUCED)


THUMB = Format(
    name="thumb",
    summary="THumB 1.0: captions of five captioners with human precision and recall, as used in the HICE-S paper",
    suffixes=(".jsonl", ".json"),
    reader=read,
)

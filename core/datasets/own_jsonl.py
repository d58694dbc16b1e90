"""JSONL in Capscope's own format: one JSON object per line, one sample per object. See docs/reference."""

from collections.abc import Iterable, Iterator
from pathlib import Path

from core.datasets.base import Exported, Format, Record, Source
from core.datasets.chosen_columns import laid_out
from core.datasets.files import line_rows
from core.datasets.own_form import record_of
from core.datasets.own_form_writing import line_of
from core.datasets.rows import records_of


def read(source: Source) -> Iterator[Record]:
    """Yield one record for each line that is not blank. Lines are read only when needed."""
    return records_of(source, laid_out(source, line_rows(source)), record_of)


def write(samples: Iterable[Exported], folder: Path) -> Iterator[Exported | str]:
    """Write samples.jsonl. The file contains the pictures' names, but pictures are not copied."""
    with (folder / "samples.jsonl").open("w", encoding="utf-8") as file:
        for one in samples:
            file.write(line_of(one.sample, one.key, one.outcomes, one.pair))
            yield one


JSONL = Format(
    name="jsonl",
    summary="our own format, one JSON object per line: image, caption, references, human score, scores",
    suffixes=(".jsonl", ".ndjson"),
    reader=read,
    writer=write,
    takes_metric=True,
    takes_layout=True,
    takes_system=True,
    holds_scores=True,
)

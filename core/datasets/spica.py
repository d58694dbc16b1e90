"""Spica (Hirano et al. 2025, Pearl): human scores, and corrected labels of Nebula's test set.

The files are CSV with the columns imgid, mt, score (in [0, 1]) and often refs. If a caption of a picture is in several
rows, its corrected label is the mean of their scores. A caption that is not in Spica keeps its label from
nebula_test.json.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from core.datasets import nebula
from core.datasets.base import Format, OnBad, Record, Source, drop_picture, ignore_progress
from core.datasets.benchmark import Benchmark
from core.datasets.polaris import label, literal_texts, table_rows
from core.datasets.rows import SYSTEMS, Row, records_of
from core.errors import BadFile
from core.picture_names import file_name
from core.signature import signature
from core.types import Score, sample_identity

COLUMNS = ("imgid", "mt", "score")
PARTS = ("spica_train.csv", "spica_val.csv", "spica_test.csv")
PUBLISHED = "Nebula (published)"  # name of the "metric" that stands for Nebula's uncorrected human judgements


def read(source: Source) -> Iterator[Record]:
    """Yield one record per row, with keys like "spica_test#2" from the file's name and the row."""
    return records_of(source, table_rows(source, COLUMNS, ("refs", *SYSTEMS)), _record)


def _record(row: Row) -> Record:
    return Record(
        file=row.file,
        row=row.number,
        key=f"{row.file.stem}#{row.number}",
        image=file_name(row.text("imgid")),
        candidate=row.text("mt"),
        references=literal_texts(row, "refs") if row.get("refs") else (),
        human=label(row),
        system=row.system(*SYSTEMS),
    )


def read_corrected(source: Source) -> Iterator[Record]:
    """Yield Nebula's records with Spica's labels (human scores).

    The labels that Nebula published are stored as scores of a metric. Raises BadFile if Spica's files are missing.
    """
    corrected = _corrected(source.path, source.on_bad)
    for record in nebula.read(source):
        assert record.human is not None  # true, because Nebula's reader requires a judgement
        corrected_label = corrected.get(sample_identity(record.image, record.candidate), record.human)
        by_people = Score(PUBLISHED, record.human, signature(PUBLISHED, judged="people"))
        yield replace(record, human=corrected_label, scores=(by_people,))


def _corrected(path: Path, on_bad: OnBad) -> dict[tuple[str, str], float]:
    parts = [path.with_name(name) for name in PARTS if path.with_name(name).is_file()]
    if not parts:
        raise BadFile(path, f"Spica's files must be in the same folder: {', '.join(PARTS)}")
    judgements: dict[tuple[str, str], list[float]] = {}
    for part in parts:
        for record in read(Source(part, on_bad, ignore_progress, drop_picture)):
            judgements.setdefault(sample_identity(record.image, record.candidate), []).append(record.human or 0.0)
    return {same: sum(scores) / len(scores) for same, scores in judgements.items()}


SPICA = Format(
    name="spica",
    summary="Spica (spica_train.csv, spica_val.csv, spica_test.csv): captions with human scores",
    suffixes=(".csv",),
    reader=read,
    benchmark=Benchmark("spica", "c", human_scale=(0.0, 1.0)),
)
NEBULA_CORRECTED = Format(
    name="nebula-corrected",
    summary=(
        "Nebula with Spica's corrected labels (nebula_test.json and Spica's files in the same folder); keeps the "
        "published labels too"
    ),
    suffixes=(".json",),
    reader=read_corrected,
    benchmark=Benchmark("nebula-corrected", "c", human_scale=(0.0, 1.0)),
)

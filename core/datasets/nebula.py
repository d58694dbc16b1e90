"""Nebula's and Polaris' judgements: JSON or CSV with the fields imgid, mt, refs, score in [0, 1], and system if known.

Nebula's test set is nebula_test.json, as in EXPERT's copy of it. Polaris are Polos' training judgements (Wada et al.
2024), as CSV in which the column refs has a Python list as text; it is parsed as a literal and never evaluated. Spica
(Hirano et al. 2025, Pearl) has the same columns, and corrects labels of Nebula's test set: if a caption of a picture is
in several rows of Spica, its corrected label is the mean of their scores.
"""

import csv
from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.datasets.base import Format, OnBad, Record, Source, ignore_progress, plain_name
from core.datasets.benchmark import Benchmark
from core.datasets.files import entry_rows, json_list, lines, python_list
from core.datasets.rows import SYSTEMS, Row, parse_number, records_of
from core.errors import BadFile
from core.picture_names import file_name
from core.signature import signature
from core.types import Score, sample_identity

COLUMNS = ("mt", "refs", "score", "imgid")
SPICA_COLUMNS = ("imgid", "mt", "score")
PARTS = ("spica_train.csv", "spica_val.csv", "spica_test.csv")
PUBLISHED = "Nebula (published)"  # name of the "metric" that stands for Nebula's uncorrected human judgements
_UNIT = (0.0, 1.0)


def read(source: Source) -> Iterator[Record]:
    """Yield one record per entry or row, with keys like "nebula_test#1" from the file's name.

    In CSV, row 1 is the header and other columns are ignored. Some captions of an image are in several rows with
    different scores. Each of these rows is a record, because the benchmark counts each row.
    """
    if plain_name(source.path).suffix.lower() == ".json":
        return read_json(source)
    return records_of(source, _table(source, COLUMNS), _from_csv)


def read_json(source: Source) -> Iterator[Record]:
    """Yield one record per entry of a JSON list."""
    return records_of(source, entry_rows(source, json_list(source)), _from_json)


def read_spica(source: Source) -> Iterator[Record]:
    """Yield one record per row, with keys like "spica_test#2". References are optional."""
    return records_of(source, _table(source, SPICA_COLUMNS, ("refs",)), _from_csv)


def read_corrected(source: Source) -> Iterator[Record]:
    """Yield Nebula's records with Spica's labels (human scores).

    The labels that Nebula published are stored as scores of a metric. Raises BadFile if Spica's files are missing.
    """
    corrected = _corrected(source, source.on_bad)
    for record in read_json(source):
        assert record.human is not None  # true, because Nebula's reader requires a judgement
        label = corrected.get(sample_identity(record.image, record.candidate), record.human)
        by_people = Score(PUBLISHED, record.human, signature(PUBLISHED, judged="people"))
        yield replace(record, human=label, scores=(by_people,))


def _corrected(source: Source, on_bad: OnBad) -> dict[tuple[str, str], float]:
    parts = [source.path.with_name(name) for name in PARTS if source.path.with_name(name).is_file()]
    if not parts:
        raise BadFile(source.path, f"Spica's files must be in the same folder: {', '.join(PARTS)}")
    judgements: dict[tuple[str, str], list[float]] = {}
    for part in parts:
        for record in read_spica(Source(part, on_bad, ignore_progress)):
            judgements.setdefault(sample_identity(record.image, record.candidate), []).append(record.human or 0.0)
    return {same: sum(scores) / len(scores) for same, scores in judgements.items()}


def _table(source: Source, columns: Sequence[str], others: Sequence[str] = ()) -> Iterator[Row]:
    """Yield the rows of a CSV file with these columns. Raises BadFile if a column is missing."""
    table = csv.DictReader(lines(source), strict=True, restval=None)
    wanted = (*columns, *others, *SYSTEMS)
    try:
        missing = [name for name in columns if name not in (table.fieldnames or ())]
        if missing:
            problem = f"the file must have the columns {', '.join(columns)}, but {missing[0]!r} is missing"
            raise BadFile(source.path, problem)
        for number, values in enumerate(table, start=2):
            yield Row(source.path, number, {name: values[name] for name in wanted if values.get(name) is not None})
    except csv.Error as error:
        raise BadFile(source.path, f"the file is not CSV ({error}); download the file again") from error


def _from_json(row: Row) -> Record:
    return _record(row, row.texts("refs"), row.number_in("score", *_UNIT))


def _from_csv(row: Row) -> Record:
    score = parse_number(row.text("score", "a number from 0 to 1"))
    if score is None or not 0 <= score <= 1:
        raise row.bad("score", "a number from 0 to 1", row.get("score"))
    return _record(row, literal_texts(row, "refs") if row.get("refs") else (), score)


def _record(row: Row, references: tuple[str, ...], human: float) -> Record:
    key, image = f"{plain_name(row.file).stem}#{row.number}", file_name(row.text("imgid"))
    return row.record(key, image, row.text("mt"), references=references, human=human, system=row.system(*SYSTEMS))


def literal_texts(row: Row, field: str) -> tuple[str, ...]:
    """Return the texts of a Python list literal, without evaluating it. Raises BadRow."""
    expected = "a Python list of texts"
    content = python_list(row.text(field, expected))
    if content is None:
        raise row.bad(field, expected, row.get(field))
    return Row(row.file, row.number, {field: content}).texts(field)


NEBULA = Format(
    name="nebula",
    summary="Nebula (nebula_test.json, also polaris_test.json): captions with references and human scores",
    suffixes=(".json",),
    reader=read_json,
    benchmark=Benchmark("nebula", "c", human_scale=_UNIT),
)
POLARIS = Format(
    name="polaris",
    summary="Polaris (polaris_train.csv, polaris_val.csv, polaris_test.csv or .json): captions with human scores",
    suffixes=(".csv", ".json"),
    reader=read,
    benchmark=Benchmark("polaris", "c", human_scale=_UNIT),
)
SPICA = Format(
    name="spica",
    summary="Spica (spica_train.csv, spica_val.csv, spica_test.csv): captions with human scores",
    suffixes=(".csv",),
    reader=read_spica,
    benchmark=Benchmark("spica", "c", human_scale=_UNIT),
)
NEBULA_CORRECTED = Format(
    name="nebula-corrected",
    summary=(
        "Nebula with Spica's corrected labels (nebula_test.json and Spica's files in the same folder); keeps the "
        "published labels too"
    ),
    suffixes=(".json",),
    reader=read_corrected,
    benchmark=Benchmark("nebula-corrected", "c", human_scale=_UNIT),
)

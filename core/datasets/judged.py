"""Benchmarks of human judgements: each reader yields one record per judged caption."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from core.datasets.base import UNIT, Benchmark, Format, Record, Scale, Source, plain_name, rescaled
from core.datasets.files import csv_cells, json_lists, json_rows, line_rows, lines, python_list, references_beside
from core.datasets.parquet import kept_picture, parquet_rows
from core.datasets.rows import Row, as_number, records_of
from core.errors import BadFile
from core.signature import BY_PEOPLE, signature
from core.types import Explanation, Score, sample_identity

SYSTEMS = ("system", "captioner", "model")  # fields in which published files may name the captioner
ASPECTS = ("fluency", "relevance", "descriptiveness")


@dataclass(frozen=True, slots=True)
class Fields:
    """The names of a published file's fields, and the scale of its judgements."""

    image: str
    caption: str
    references: str
    human: str
    scale: Scale = UNIT
    systems: tuple[str, ...] = SYSTEMS

    def record(self, row: Row, key: str | None = None, image: str | None = None, **more: Any) -> Record:
        """Return the record of a row. key, image: by default from the row's number and field. Raises BadRow."""
        return row.record(
            key or row.key,
            image or row.file_name(self.image),
            row.text(self.caption),
            **{"references": row.texts(self.references)} | more,
            human=rescaled((row.number_in(self.human, *self.scale),), self.scale),
            system=row.system(*self.systems),
        )


COMPOSITE = Fields("image", "caption", "references", "human", (1.0, 5.0))
NEBULA = Fields("imgid", "mt", "refs", "score")
THUMB = Fields("image", "hyp", "", "human_score", (0.0, 5.0), ("SYS",))
LONGCAP_ARENA = Fields("file_name", "cand", "refs", "score")


def read_composite(source: Source) -> Iterator[Record]:
    """Yield one record per entry of Composite (Aditya et al. 2018), with keys like "coco#1".

    The file is an object {"flickr8k": [...], "flickr30k": [...], "coco": [...]} of {image, caption, human, references?,
    system?} with judgements from 1 to 5.
    """

    def record(row: Row) -> Record:
        judgements = (row.number_in("human", *COMPOSITE.scale),)
        return COMPOSITE.record(row, f"{row.part}#{row.number}", judgements=judgements)

    return records_of(source, json_lists(source, "captions"), record)


def read_nebula(source: Source) -> Iterator[Record]:
    """Yield one record per row of Nebula, Polaris (Wada et al. 2024) or Spica (Hirano et al. 2025).

    Fields: imgid, mt (the caption), refs, score from 0 to 1, and system if known. In CSV, row 1 is the header, and refs
    is the text of a Python list. Captions with several scores are several records, because the benchmarks count rows.
    """
    is_json = plain_name(source.path).suffix.lower() == ".json"
    return records_of(source, json_rows(source) if is_json else _csv_rows(source), NEBULA.record)


def _csv_rows(source: Source) -> Iterator[Row]:
    rows = filter(None, csv_cells(source.path, lines(source)))
    header = next(rows, [])
    missing = [name for name in ("imgid", "mt", "score") if name not in header]
    if missing:
        raise BadFile(source.path, f"the file must have the columns imgid, mt and score, but {missing[0]!r} is missing")
    for number, cells in enumerate(rows, start=2):
        values: dict[str, object] = dict(zip(header, cells, strict=False))
        text = str(values.get("refs") or "[]")
        references = python_list(text)
        values["refs"] = text if references is None else references
        values["score"] = as_number(str(values.get("score", "")))
        yield Row(source.path, number, values)


SPICA_FILES = ("spica_train.csv", "spica_val.csv", "spica_test.csv")
PUBLISHED = "Nebula (published)"  # name of the "metric" that stands for Nebula's uncorrected human judgements


def read_corrected(source: Source) -> Iterator[Record]:
    """Yield Nebula's records with Spica's labels: the mean score of a caption in all of Spica's files.

    The labels that Nebula published are stored as scores of a metric. Raises BadFile if Spica's files are missing.
    """
    parts = [part for part in map(source.beside, SPICA_FILES) if part.path.is_file()]
    if not parts:
        raise BadFile(source.path, f"Spica's files must be in the same folder: {', '.join(SPICA_FILES)}")
    corrected: dict[tuple[str, str], list[float]] = {}
    for part in parts:
        for one in read_nebula(part):
            corrected.setdefault(sample_identity(one.image, one.candidate), []).append(one.human or 0.0)
    for record in read_nebula(source):
        assert record.human is not None  # true, because Nebula's reader requires a judgement
        labels = corrected.get(sample_identity(record.image, record.candidate), [record.human])
        by_people = Score(PUBLISHED, record.human, signature(PUBLISHED, **BY_PEOPLE))
        yield replace(record, human=sum(labels) / len(labels), scores=(by_people,))


def read_explained(source: Source, name: str) -> Iterator[Record]:
    """Yield one record per entry of Polaris-exp or Nebula-exp (EXPERT, Section 3): human scores explained by GPT-4o.

    Fields: id, imgid, mt, score, count (of judgements, only in Polaris-exp), explanation. The record's only score is
    the human score with its explanation.
    """
    metric = source.layout.metric or name.capitalize()

    def record(row: Row) -> Record:
        explained = row.nested("explanation", "an object with fluency, relevance and descriptiveness")
        explanation = Explanation({aspect: explained.text(aspect) for aspect in ASPECTS})
        counted = {} if row.get("count") is None else {"count": float(row.whole("count", 1, 1_000_000))}
        value, made_by = row.number_in("score", 0, 1), signature(metric, source=name)
        score = Score(metric, value, made_by, components=counted, explanation=explanation)
        return NEBULA.record(row, row.text("id"), row.text("imgid"), scores=(score,))

    return records_of(source, json_rows(source), record)


THUMB_REFERENCES = "mscoco_references.json"
THUMB_PARTS: Mapping[str, tuple[str, Scale]] = {
    "P": ("THumB precision", (1.0, 5.0)),
    "R": ("THumB recall", (1.0, 5.0)),
    "Fl": ("THumB fluency", (-5.0, 0.0)),
    "Con": ("THumB conciseness", (-5.0, 0.0)),
    "Inc": ("THumB inclusive language", (-5.0, 0.0)),
}


def read_thumb(source: Source) -> Iterator[Record]:
    """Yield one record per line of THumB 1.0 (Kasai et al. 2022).

    Fields: SYS, seg_id, hyp (the caption), image, P and R (precision and recall, 1 to 5), deductions Fl, Con and Inc (0
    or less), human_score (at most 5). Precision, recall and deductions become scores. mscoco_references.json in the
    same folder may contain references by seg_id.
    """
    beside = f"{THUMB_REFERENCES}{'.gz' if source.path.suffix == '.gz' else ''}"
    references = references_beside(source, beside, lambda row: (row.text("seg_id"), row.texts("refs")))

    def record(row: Row) -> Record:
        scores = tuple(
            # + 0.0 turns -0.0 into 0.0
            Score(name, row.number_in(field, *scale) + 0.0, signature(name, **BY_PEOPLE), scale)
            for field, (name, scale) in THUMB_PARTS.items()
            if field in ("P", "R") or row.get(field) is not None
        )
        return THUMB.record(row, scores=scores, references=references.get(str(row.get("seg_id")), ()))

    return records_of(source, line_rows(source), record)


_CRITERION = re.compile(r"(?:^|[^a-z])(?:([a-z_]*)\.)?(desc|rel|flu)(?![a-z])")


def read_longcap_arena(source: Source) -> Iterator[Record]:
    """Yield one record per row of LongCap-Arena (Matsuda et al. 2025), with keys like "dci_val.desc#1".

    Parquet files with the columns file_name, image, refs, cand, score. The name of the file or of its folder contains
    the split and the criterion: test.desc, dci_val.rel, dci_test.flu.
    """
    named = filter(None, (_CRITERION.search(name.lower()) for name in (source.path.name, source.path.parent.name)))
    found = next(named, None)
    if found is None:
        problem = "the file name contains no criterion (desc, rel, flu); an example is test.desc-00000-of-00001.parquet"
        raise BadFile(source.path, problem)
    split = ".".join(filter(None, found.groups()))

    def record(row: Row) -> Record:
        image = kept_picture(source, row, "image", row.file_name("file_name"))
        return LONGCAP_ARENA.record(row, f"{split}#{source.path.stem}#{row.number}", image)

    return records_of(source, parquet_rows(source), record)


def _benchmark(
    name: str, summary: str, reader: Any, suffixes: tuple[str, ...] = (".json",), scale: Scale = UNIT
) -> Format:
    return Format(name, summary, reader, suffixes, benchmark=Benchmark(name, "c", human_scale=scale))


JUDGED = (
    *(
        Format(
            name=name,
            summary=f"{title} (JSON): captions with their mean human score and its explanation in three aspects",
            reader=partial(read_explained, name=name),
            takes_metric=True,
        )
        for name, title in (("polaris-exp", "Polaris-exp"), ("nebula-exp", "Nebula-exp"))
    ),
    _benchmark(
        "composite",  # one tau over all three image sets
        "Composite (composite.json): captions on Flickr8k, Flickr30k and COCO images, judged from 1 to 5",
        read_composite,
        scale=COMPOSITE.scale,
    ),
    Format(
        name="thumb",
        summary="THumB 1.0: captions of five captioners with human precision and recall, as used in the HICE-S paper",
        suffixes=(".jsonl", ".json"),
        reader=read_thumb,
    ),
    _benchmark("polaris", "Polaris (polaris_train.csv …): captions with human scores", read_nebula, (".csv", ".json")),
    _benchmark(
        "nebula",
        "Nebula (nebula_test.json, also polaris_test.json): captions with references and human scores",
        read_nebula,
    ),
    _benchmark(
        "nebula-corrected",
        "Nebula with Spica's corrected labels (needs Spica's files in its folder); keeps the published labels",
        read_corrected,
    ),
    _benchmark("spica", "Spica (spica_train.csv …): captions with human scores", read_nebula, (".csv",)),
    _benchmark(
        "longcap-arena",
        "LongCap-Arena (VELA): long captions with human scores, one file per criterion: desc, rel or flu",
        read_longcap_arena,
        (".parquet",),
    ),
)

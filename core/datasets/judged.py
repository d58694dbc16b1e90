"""Benchmarks of human judgements: each reader yields one record per judged caption."""

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import groupby

from core.datasets.base import Format, Record, Scale, Source, plain_name
from core.datasets.benchmark import Benchmark
from core.datasets.crowdflower import is_table, read_table
from core.datasets.files import (
    csv_cells,
    json_lists,
    json_members,
    json_rows,
    line_rows,
    lines,
    python_list,
    references_beside,
)
from core.datasets.parquet import kept_picture, parquet_rows
from core.datasets.rows import SYSTEMS, Row, records_of
from core.errors import BadFile, BadRow
from core.signature import BY_PEOPLE, signature
from core.types import Explanation, Score, sample_identity

UNIT: Scale = (0.0, 1.0)
EXPERT_SCALE: Scale = (1.0, 4.0)
COMPOSITE_SCALE: Scale = (1.0, 5.0)


def rescaled(judgements: Sequence[float], scale: Scale) -> float | None:
    """Return the judgements' mean, rescaled from `scale` to [0, 1]; None if there are no judgements."""
    low, high = scale
    return (math.fsum(judgements) / len(judgements) - low) / (high - low) if judgements else None


def read_flickr8k(source: Source, scale: Scale) -> Iterator[Record]:
    """Yield one record per judged caption of Flickr8k-Expert or Flickr8k-CF (Hodosh et al. 2013).

    The benchmarks' JSON is an object whose keys are image ids. Each value is {image_path, ground_truth: [references],
    human_judgement: [{caption, rating}]}. Flickr8k-Expert has ratings from 1 to 4; the judgements of a caption are
    consecutive. Flickr8k-CF has the share of yes answers, one entry per caption. The authors' own tables are read too.
    """
    experts = scale == EXPERT_SCALE
    return read_table(source, experts) if is_table(source.path) else _flickr8k(source, scale, experts)


def _flickr8k(source: Source, scale: Scale, experts: bool) -> Iterator[Record]:
    def judged() -> Iterator[tuple[Row, str, list[Row]]]:
        for image_id, image in json_members(source):
            try:
                judgements = image.nested_list("human_judgement")
            except BadRow as bad:
                source.on_bad(bad)
                continue
            groups = groupby(judgements, lambda one: one.get("caption") if experts else id(one))
            for nth, (_, group) in enumerate(groups, start=1):
                yield image, f"{image_id}#{nth}", list(group)

    def record(caption: tuple[Row, str, list[Row]]) -> Record:
        image, key, judgements = caption
        # As in the benchmarks' own scripts, ratings that are NaN do not count
        ratings = tuple(one.number_in("rating", *scale) for one in judgements if one.get("rating") == one.get("rating"))
        references = image.texts("ground_truth")
        text, human = judgements[0].text("caption"), rescaled(ratings, scale)
        given = ratings if experts else ()
        name = image.file_name("image_path")
        return image.record(key, name, text, references=references, human=human, judgements=given)

    return records_of(source, judged(), record)


def read_composite(source: Source) -> Iterator[Record]:
    """Yield one record per entry of Composite (Aditya et al. 2018), with keys like "coco#1".

    The file is an object {"flickr8k": [...], "flickr30k": [...], "coco": [...]} of {image, caption, human, references?,
    system?} with judgements from 1 to 5.
    """

    def record(entry: tuple[str, Row]) -> Record:
        part, row = entry
        human = row.number_in("human", *COMPOSITE_SCALE)
        return row.record(
            f"{part}#{row.number}",
            row.file_name("image"),
            row.text("caption"),
            references=row.texts("references"),
            human=rescaled((human,), COMPOSITE_SCALE),
            judgements=(human,),
            system=row.system(*SYSTEMS),
        )

    return records_of(source, json_lists(source, "captions"), record)


def read_nebula(source: Source) -> Iterator[Record]:
    """Yield one record per row of Nebula, Polaris (Wada et al. 2024) or Spica (Hirano et al. 2025).

    Fields: imgid, mt (the caption), refs, score from 0 to 1, and system if known. In CSV, row 1 is the header, and refs
    is the text of a Python list. Captions with several scores are several records, because the benchmarks count rows.
    """
    if plain_name(source.path).suffix.lower() == ".json":
        return records_of(
            source, json_rows(source), lambda row: _nebula(row, row.texts("refs"), row.number_in("score", 0, 1))
        )
    return records_of(
        source, _csv_rows(source), lambda row: _nebula(row, _literal(row), row.text_number("score", 0, 1))
    )


def _nebula(row: Row, references: tuple[str, ...], human: float) -> Record:
    image, system = row.file_name("imgid"), row.system(*SYSTEMS)
    return row.record(row.key, image, row.text("mt"), references=references, human=human, system=system)


def _csv_rows(source: Source) -> Iterator[Row]:
    rows = filter(None, csv_cells(source.path, lines(source)))
    header = next(rows, [])
    missing = [name for name in ("imgid", "mt", "score") if name not in header]
    if missing:
        raise BadFile(source.path, f"the file must have the columns imgid, mt and score, but {missing[0]!r} is missing")
    for number, cells in enumerate(rows, start=2):
        yield Row(source.path, number, dict(zip(header, cells, strict=False)))


def _literal(row: Row) -> tuple[str, ...]:
    """Return the references in a Python list literal, which is never evaluated."""
    if not row.get("refs"):
        return ()
    content = python_list(row.text("refs"))
    if content is None:
        raise row.bad("refs", "a Python list of texts", row.get("refs"))
    return Row(row.file, row.number, {"refs": content}).texts("refs")


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
    metric = source.metric or name.capitalize()

    def record(row: Row) -> Record:
        human = row.number_in("score", 0, 1)
        explained = row.nested("explanation", "an object with fluency, relevance and descriptiveness")
        score = Score(
            metric=metric,
            value=human,
            signature=signature(metric, source=name),
            components={} if row.get("count") is None else {"count": float(row.whole("count", 1, 1_000_000))},
            explanation=Explanation(
                {part: explained.text(part) for part in ("fluency", "relevance", "descriptiveness")}
            ),
        )
        key, image, system = row.text("id"), row.text("imgid"), row.system(*SYSTEMS)
        return row.record(key, image, row.text("mt"), human=human, scores=(score,), system=system)

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

    def scores(row: Row) -> Iterator[Score]:
        for field, (name, scale) in THUMB_PARTS.items():
            if field in ("P", "R") or row.get(field) is not None:
                value = row.number_in(field, *scale) + 0.0  # + 0.0 turns -0.0 into 0.0
                yield Score(name, value, signature(name, **BY_PEOPLE), scale)

    def record(row: Row) -> Record:
        return row.record(
            row.key,
            row.file_name("image"),
            row.text("hyp"),
            references=references.get(str(row.get("seg_id")), ()),
            human=row.number_in("human_score", 0, 5) / 5,
            scores=tuple(scores(row)),
            system=row.system("SYS"),
        )

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
        return row.record(
            f"{split}#{source.path.stem}#{row.number}",
            kept_picture(source, row, "image", row.file_name("file_name")),
            row.text("cand"),
            references=row.texts("refs"),
            human=row.number_in("score", 0, 1),
            system=row.system(*SYSTEMS),
        )

    return records_of(source, parquet_rows(source), record)


JUDGED = (
    *(
        Format(
            name=name,
            summary=f"{title} (JSON): captions with their mean human score and its explanation in three aspects",
            suffixes=(".json",),
            reader=partial(read_explained, name=name),
            takes_metric=True,
        )
        for name, title in (("polaris-exp", "Polaris-exp"), ("nebula-exp", "Nebula-exp"))
    ),
    Format(
        name="flickr8k-expert",
        summary="Flickr8k-Expert (flickr8k.json): image-caption pairs with three experts' ratings from 1 to 4",
        suffixes=(".json", ".txt"),
        reader=partial(read_flickr8k, scale=EXPERT_SCALE),
        # CLIPScore, section 4.1: three experts judge each pair, and their judgements are not averaged
        benchmark=Benchmark("flickr8k-expert", "c", True, human_scale=EXPERT_SCALE, files_named="flickr8k"),
    ),
    Format(
        name="flickr8k-cf",
        summary="Flickr8k-CF (crowdflower_flickr8k.json, CrowdFlowerAnnotations.txt): pairs with the share of yes",
        suffixes=(".json", ".txt"),
        reader=partial(read_flickr8k, scale=UNIT),
        benchmark=Benchmark("flickr8k-cf", "b", human_scale=UNIT, files_named="crowdflower_flickr8k"),
    ),
    Format(
        name="composite",
        summary="Composite (composite.json): captions on Flickr8k, Flickr30k and COCO images, judged from 1 to 5",
        suffixes=(".json",),
        reader=read_composite,
        benchmark=Benchmark("composite", "c", human_scale=COMPOSITE_SCALE),  # one tau over all three image sets
    ),
    Format(
        name="thumb",
        summary="THumB 1.0: captions of five captioners with human precision and recall, as used in the HICE-S paper",
        suffixes=(".jsonl", ".json"),
        reader=read_thumb,
    ),
    *(
        Format(name, summary, suffixes, reader, benchmark=Benchmark(name, "c", human_scale=UNIT))
        for name, suffixes, reader, summary in (
            ("polaris", (".csv", ".json"), read_nebula, "Polaris (polaris_train.csv …): captions with human scores"),
            (
                "nebula",
                (".json",),
                read_nebula,
                "Nebula (nebula_test.json, also polaris_test.json): captions with references and human scores",
            ),
            (
                "nebula-corrected",
                (".json",),
                read_corrected,
                "Nebula with Spica's corrected labels (needs Spica's files in its folder); keeps the published labels",
            ),
            ("spica", (".csv",), read_nebula, "Spica (spica_train.csv …): captions with human scores"),
            (
                "longcap-arena",
                (".parquet",),
                read_longcap_arena,
                "LongCap-Arena (VELA): long captions with human scores, one file per criterion: desc, rel or flu",
            ),
        )
    ),
)

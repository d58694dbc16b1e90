"""Read the samples that a study can select, with their explained scores."""

from collections import defaultdict
from collections.abc import Iterable
from typing import Any

from sqlalchemy import Connection, and_, or_, select

from core.studies.planning.choices import Candidate, ExplainedScore
from storage.tables import ImageRow, SampleRow, ScoreRow, as_text

InWords = dict[int, list[ExplainedScore]]  # key: sample; value: its scores with an explanation in words, oldest first
ByRegions = dict[int, list[str]]  # key: sample; value: metrics that explained it by regions, the oldest score first


def candidates(connection: Connection, dataset_id: int) -> tuple[Candidate, ...]:
    """Return every sample of a data set, in order of import.

    A sample's scores without an explanation are omitted.
    """
    has_picture = ImageRow.path.is_not(None)
    samples = select(SampleRow.id, SampleRow.judgements, has_picture, SampleRow.image_id)
    samples = samples.join(ImageRow, ImageRow.id == SampleRow.image_id)
    samples = samples.where(SampleRow.dataset_id == dataset_id)
    rows = connection.execute(samples.order_by(SampleRow.id)).all()
    in_words, by_regions = _explanations(connection, dataset_id)
    return tuple(
        Candidate(
            sample, tuple(judgements), tuple(in_words.get(sample, ())), tuple(by_regions.get(sample, ())), there, image
        )
        for sample, judgements, there, image in rows
    )


def _explanations(connection: Connection, dataset_id: int) -> tuple[InWords, ByRegions]:
    """Return scores explained in words, and metrics that explain by regions.

    Both are grouped by sample. A metric explains by regions if its score refers to regions of the picture. One query
    reads both, because reading the scores takes most of the time. The query does not read the regions themselves,
    because they are long.
    """
    shows_regions = and_(ScoreRow.value.is_not(None), as_text(ScoreRow.regions) != "[]")
    ends = (ScoreRow.scale_low, ScoreRow.scale_high)
    cells: tuple[Any, ...] = (ScoreRow.sample_id, ScoreRow.id, ScoreRow.metric, ScoreRow.value, *ends)
    query = select(*cells, ScoreRow.explained, shows_regions).join(SampleRow, SampleRow.id == ScoreRow.sample_id)
    query = query.where(SampleRow.dataset_id == dataset_id, or_(ScoreRow.explained, shows_regions))
    rows: Iterable[Any] = connection.execute(query.order_by(ScoreRow.id))
    in_words: InWords = defaultdict(list)
    by_regions: ByRegions = defaultdict(list)
    for sample, score, metric, value, low, high, explained, has_regions in rows:
        if explained:
            in_words[sample].append(ExplainedScore(score, metric, (value - low) / (high - low)))
        if has_regions:
            by_regions[sample].append(metric)
    return in_words, by_regions

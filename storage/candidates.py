"""What a study can be drawn from: a data set's samples with the scores that explain themselves."""

from sqlalchemy import Connection, String, select, type_coerce

from core.study import Candidate, ExplainedScore
from storage.tables import SampleRow, ScoreRow


def candidates(connection: Connection, dataset_id: int) -> tuple[Candidate, ...]:
    """Return every sample of a data set with its explained scores, in order of import."""
    samples = select(SampleRow.id, SampleRow.judgements).where(SampleRow.dataset_id == dataset_id)
    rows = connection.execute(samples.order_by(SampleRow.id)).all()
    scores = _explained_by(connection, dataset_id)
    regions = _regions_by(connection, dataset_id)
    return tuple(
        Candidate(row.id, tuple(row.judgements), tuple(scores.get(row.id, ())), regions.get(row.id, ())) for row in rows
    )


def _explained_by(connection: Connection, dataset_id: int) -> dict[int, list[ExplainedScore]]:
    """Return by sample the scores with an explanation in words, oldest first."""
    query = select(
        ScoreRow.id,
        ScoreRow.sample_id,
        ScoreRow.metric,
        ScoreRow.value,
        ScoreRow.scale_low,
        ScoreRow.scale_high,
    ).join(SampleRow, SampleRow.id == ScoreRow.sample_id)
    query = query.where(SampleRow.dataset_id == dataset_id, ScoreRow.explained).order_by(ScoreRow.id)
    found: dict[int, list[ExplainedScore]] = {}
    for row in connection.execute(query):
        position = (row.value - row.scale_low) / (row.scale_high - row.scale_low)
        found.setdefault(row.sample_id, []).append(ExplainedScore(row.id, row.metric, position))
    return found


def _regions_by(connection: Connection, dataset_id: int) -> dict[int, tuple[str, ...]]:
    """Return by sample which metrics have explained it by regions; samples without such a metric are left out."""
    query = select(ScoreRow.sample_id, ScoreRow.metric).join(SampleRow, SampleRow.id == ScoreRow.sample_id)
    with_regions = (ScoreRow.value.is_not(None), type_coerce(ScoreRow.regions, String) != "[]")
    found: dict[int, tuple[str, ...]] = {}
    for sample, metric in connection.execute(query.where(SampleRow.dataset_id == dataset_id, *with_regions)):
        found[sample] = (*found.get(sample, ()), metric)
    return found

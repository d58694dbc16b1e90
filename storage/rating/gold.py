"""Store gold items (with known answers), approved and retired ones.

The `place` of a gold item is negative. Items that count in results have places from 0. So code that counts or gives out
these items ignores gold items.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from sqlalchemy import Connection, bindparam, func, insert, select, update

from core.errors import NotFound
from core.json_types import Rationales, UtcTime
from core.studies.planning.gold import Making, Proposal, Source, expected
from storage.data.samples import candidates
from storage.engine.database import Operations, utc_now
from storage.tables import (
    AssignmentRow,
    GoldRow,
    ItemRow,
    ItemScoreRow,
    SampleRow,
    ScoreRow,
    StudyRow,
)


@dataclass(frozen=True, slots=True)
class GoldItem:
    """A gold item (with known answers)."""

    item: int
    making: Making
    sample: int
    scores: tuple[int, ...]
    retired_at: UtcTime | None  # when the item was taken out of use; None: raters may still get it
    given: int  # number of raters who got the item so far


@dataclass(frozen=True, slots=True)
class ShownScore:
    """A score with its explanation as raters see it on an item."""

    value: float
    rationales: Rationales


class GoldItems(Operations):
    """Operations on a study's gold items."""

    def sources(self, study_id: int) -> tuple[Source, ...]:
        """Return the samples from which gold items can be made.

        Gold items have known answers. The samples have explanations and are in the study's data set. Raises NotFound.
        """
        with self._database.read() as connection:
            return _sources(connection, study_id)

    def approve(self, study_id: int, proposals: Sequence[tuple[Proposal, int]], by: str) -> None:
        """Add gold items to a study, each made from a proposal.

        proposals: pairs of a proposal and a point on the rating scale. An answer to the proposed item is right if it is
        not higher than this point. Raises NotFound for a sample or score that the study cannot use.
        """
        with self._database.write() as connection:
            sources = {source.sample: source for source in _sources(connection, study_id)}
            score_ids = {score.id for source in sources.values() for score in source.scores}
            for proposal, low in proposals:
                if proposal.sample not in sources or not proposal.scores or not score_ids.issuperset(proposal.scores):
                    raise NotFound("The study cannot use this sample or score. Ask for new proposals of gold items.")
                item = _new_item(connection, study_id, proposal.sample, proposal.scores)
                made = insert(GoldRow).values(item_id=item, study_id=study_id, approved_by=by)
                made = made.values(turned=proposal.making == "turned", expected=expected(proposal.making, low))
                connection.execute(made.values(approved_at=utc_now()))

    def all(self, study_id: int) -> tuple[GoldItem, ...]:
        """Return a study's gold items, the newest last. Retired items are included."""
        with self._database.read() as connection:
            return _gold_items(connection, study_id)

    def shown(self, scores: Sequence[int], turned: bool) -> tuple[ShownScore, ...]:
        """Return scores as raters see them on an item, sorted by id.

        turned: True: the values are mirrored within their scales.
        """
        with self._database.read() as connection:
            rows = {row.id: row for row in connection.execute(_SHOWN.where(ScoreRow.id.in_(scores)))}
        found = [rows[score] for score in scores]
        ends = [(one.value, one.scale_low, one.scale_high) for one in found]
        return tuple(ShownScore(shown_value(*of, turned), one.rationales) for of, one in zip(ends, found, strict=True))

    def retire(self, study_id: int, item: int) -> None:
        """Retire a gold item. Raises NotFound.

        Raters no longer get the item. A retired item has no expected answers.
        """
        this = (GoldRow.study_id == study_id, GoldRow.item_id == item)
        with self._database.write() as connection:
            if not connection.execute(update(GoldRow).where(*this).values(retired_at=utc_now())).rowcount:
                raise NotFound(f"The study has no gold item with the number {item}.")


def shown_value(value: float, low: float, high: float, turned: bool) -> float:
    """Return the value of a score that raters see.

    turned: True: the value is mirrored within its scale, from `low` to `high`.
    """
    return low + high - value if turned else value


def _new_item(connection: Connection, study_id: int, sample: int, scores: Sequence[int]) -> int:
    """Add a gold item to a study's items.

    Its place is negative, and lower than the places of all other items of the study.
    """
    item = (connection.scalar(select(func.max(ItemRow.id))) or 0) + 1
    lowest = connection.scalar(select(func.min(ItemRow.place)).where(ItemRow.study_id == study_id)) or 0
    place = min(lowest, 0) - 1
    row = {"id": item, "study_id": study_id, "place": place, "sample_id": sample, "stratum": "", "role": "gold"}
    connection.execute(insert(ItemRow).values(row))
    rows = [{"item_id": item, "place": place, **rated_columns(score)} for place, score in enumerate(scores)]
    connection.execute(insert(ItemScoreRow), rows)
    return item


def rated_columns(number: int) -> dict[str, int | None]:
    """Return ItemScoreRow's columns for something that raters rate.

    Raters rate a score with its explanation, or a caption. number: the id of the score. For a caption without a score,
    the number is minus the id of its sample.
    """
    return {"score_id": number, "score": number if number > 0 else None, "caption": -number if number < 0 else None}


def _sources(connection: Connection, study_id: int) -> tuple[Source, ...]:
    dataset = connection.scalar(select(StudyRow.dataset_id).where(StudyRow.id == study_id))
    if dataset is None:
        raise NotFound(f"There is no study number {study_id}.")
    of_study = select(ItemRow.id).where(ItemRow.study_id == study_id)
    rated = select(ItemScoreRow.score).where(ItemScoreRow.item_id.in_(of_study))
    metrics = set(connection.scalars(select(ScoreRow.metric).where(ScoreRow.id.in_(rated)).distinct()))
    shown = select(SampleRow.image_id).join(ItemRow, ItemRow.sample_id == SampleRow.id)
    shown = shown.where(ItemRow.study_id == study_id)
    used = set(connection.scalars(shown))
    in_use = shown.join(GoldRow, GoldRow.item_id == ItemRow.id).where(GoldRow.retired_at.is_(None))
    taken = set(connection.scalars(in_use))
    captions = select(SampleRow.id, SampleRow.candidate).where(SampleRow.dataset_id == dataset)
    caption_of = {row.id: row.candidate for row in connection.execute(captions)}
    sources = []
    for one in candidates(connection, dataset):
        # of each metric, only the sample's first score is used
        first = {score.metric: score for score in reversed(one.scores) if score.metric in metrics}
        if scores := tuple(first[metric] for metric in sorted(first)):
            of_image = (one.image in used, one.image in taken)
            sources.append(Source(one.sample, one.image, one.has_picture, caption_of[one.sample], scores, *of_image))
    return tuple(sources)


def _gold_items(connection: Connection, study_id: int) -> tuple[GoldItem, ...]:
    given = select(func.count()).where(AssignmentRow.item_id == GoldRow.item_id).scalar_subquery()
    query = (
        select(*GoldRow.__table__.columns, ItemRow.sample_id, given.label("given"))
        .join(ItemRow, ItemRow.id == GoldRow.item_id)
        .where(GoldRow.study_id == study_id)
        .order_by(GoldRow.item_id)
    )
    return tuple(
        GoldItem(
            item=row.item_id,
            making="turned" if row.turned else "swapped",
            sample=row.sample_id,
            scores=tuple(connection.scalars(_SCORES_OF, {"item": row.item_id})),
            retired_at=row.retired_at,
            given=row.given,
        )
        for row in connection.execute(query).all()
    )


_SHOWN = select(ScoreRow.id, ScoreRow.value, ScoreRow.scale_low, ScoreRow.scale_high, ScoreRow.rationales)
_SCORES_OF = select(ItemScoreRow.score_id).where(ItemScoreRow.item_id == bindparam("item")).order_by(ItemScoreRow.place)

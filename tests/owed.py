"""Amounts for each rater, computed row by row: slow, plain, and apart from Capscope's own computation."""

from decimal import ROUND_CEILING, Decimal

from sqlalchemy import select

from storage.tables import AssignmentRow, RaterRow, RatingRow, VisitRow
from ui.services.workplace import Workplace


def owed_pounds(workplace: Workplace, rate: int) -> dict[str, Decimal]:
    """Return what each rater who finished an item of the only study is owed, by code. rate: pounds an hour."""
    owed = {}
    with workplace.repository.database.read() as connection:
        for rater, code in connection.execute(select(RaterRow.id, RaterRow.code)).all():
            given = [
                time
                for (time,) in connection.execute(select(AssignmentRow.given_at).where(AssignmentRow.rater_id == rater))
                if time
            ]
            finished = connection.execute(
                select(AssignmentRow.finished_at).where(AssignmentRow.rater_id == rater)
            ).all()
            if not any(time for (time,) in finished):
                continue
            came = connection.scalar(select(VisitRow.came_at).where(VisitRow.rater_id == rater))
            total = Decimal(0)
            if came is not None:
                total += min(Decimal(round((min(given) - came).total_seconds() * 1000)), Decimal(120_000))
            by_item: dict[int, list[int]] = {}
            for item, ms in connection.execute(
                select(RatingRow.item_id, RatingRow.duration_ms).where(RatingRow.rater_id == rater)
            ):
                by_item.setdefault(item, []).append(ms)
            for times in by_item.values():
                last = 0
                for ms in sorted(times):
                    total += min(ms - last, 120_000)
                    last = ms
            seconds = (total / 1000).to_integral_value(ROUND_CEILING)
            owed[code] = (seconds * rate / 3600).quantize(Decimal("0.01"), ROUND_CEILING)
    return owed

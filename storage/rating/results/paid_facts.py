"""Read the facts that determine raters' pay.

These facts are times of the rater's work, and the rater's id at the recruitment platform. They also include whether
failed gold items (with known answers) stopped the rater.
"""

import json
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, func, select

from core.json_types import UtcTime
from core.studies.results.owed_pay import StoredMoments
from storage.tables import (
    AssignmentRow,
    CheckAnswerRow,
    EventRow,
    ExclusionRow,
    PlatformPersonRow,
    RaterRow,
    RatingRow,
    VisitRow,
)


@dataclass(frozen=True, slots=True)
class PaidFacts:
    """The facts that determine one rater's pay."""

    moments: StoredMoments
    failed_gold: bool = False  # True: the server stopped the rater after too many failed gold items
    person: str = ""  # the rater's id at the recruitment platform; empty: the rater came without a platform


def paid_facts(connection: Connection, study_id: int) -> dict[str, PaidFacts]:
    """Return the facts that determine the pay of a study's raters.

    All raters who came to the study are included. key: the rater's code.
    """
    before, items, after = _times(connection, study_id), _marks(connection, study_id), _ends(connection, study_id)
    stopped = set(
        connection.scalars(
            select(ExclusionRow.rater_id).where(ExclusionRow.study_id == study_id, ExclusionRow.failed_gold)
        )
    )
    people = {
        row.rater_id: row.person
        for row in connection.execute(
            select(PlatformPersonRow.rater_id, PlatformPersonRow.person).where(PlatformPersonRow.study_id == study_id)
        )
    }
    came = {*before, *items, *after, *stopped, *people}
    codes = connection.execute(select(RaterRow.id, RaterRow.code).where(RaterRow.id.in_(came)))
    return {
        row.code: PaidFacts(
            StoredMoments(tuple(sorted(before[row.id])), tuple(items[row.id].values()), tuple(sorted(after[row.id]))),
            row.id in stopped,
            people.get(row.id, ""),
        )
        for row in codes
    }


def _times(connection: Connection, study_id: int) -> defaultdict[int, set[UtcTime]]:
    """Return each rater's stored times from arrival to the first item."""
    times: defaultdict[int, set[UtcTime]] = defaultdict(set)
    columns = (
        VisitRow.came_at, VisitRow.consented_at, VisitRow.answered_at, VisitRow.screened_out_at,
        VisitRow.check_passed_at, VisitRow.check_failed_at,
    )  # fmt: skip
    queries: tuple[Any, ...] = (
        select(VisitRow.rater_id, *columns).where(VisitRow.study_id == study_id),
        select(CheckAnswerRow.rater_id, CheckAnswerRow.at).where(CheckAnswerRow.study_id == study_id).distinct(),
        select(AssignmentRow.rater_id, func.min(AssignmentRow.given_at))
        .where(AssignmentRow.study_id == study_id)
        .group_by(AssignmentRow.rater_id),
    )
    for query in queries:
        for rater, *found in connection.execute(query):
            times[rater].update(time for time in found if time is not None)
    return times


def _marks(connection: Connection, study_id: int) -> defaultdict[int, dict[int, tuple[int, ...]]]:
    """Return how long items were in view before answers and reports.

    The times are milliseconds, in rising order. The keys are nested: rater -> item.
    """
    marks: defaultdict[tuple[int, int], set[int]] = defaultdict(set)
    query: Any = select(RatingRow.rater_id, RatingRow.item_id, RatingRow.duration_ms)
    for rater, item, lasted in connection.execute(query.where(RatingRow.study_id == study_id)):
        marks[rater, item].add(lasted)
    reports = (
        select(EventRow.rater_id, AssignmentRow.item_id, EventRow.text)
        .join(AssignmentRow, AssignmentRow.id == EventRow.assignment_id)
        .where(AssignmentRow.study_id == study_id, EventRow.kind == "report")
    )
    for rater, item, text in connection.execute(reports):
        if lasted := _seen_ms(text):
            marks[rater, item].add(lasted)
    items: defaultdict[int, dict[int, tuple[int, ...]]] = defaultdict(dict)
    for (rater, item), found in marks.items():
        items[rater][item] = tuple(sorted(found))
    return items


def _seen_ms(text: str | None) -> int:
    """Return how many milliseconds an item was in view before a report.

    0: the time is unknown, as in older and erased reports.
    """
    report = json.loads(text) if text else None
    return int(report.get("in_sight_ms", 0)) if isinstance(report, dict) else 0


def _ends(connection: Connection, study_id: int) -> defaultdict[int, set[UtcTime]]:
    """Return the times at which each rater's work ended.

    They are when the rater finished the last item, and when the rater answered the questions after the items.
    """
    times: defaultdict[int, set[UtcTime]] = defaultdict(set)
    last = select(AssignmentRow.rater_id, func.max(AssignmentRow.finished_at)).group_by(AssignmentRow.rater_id)
    ended = select(VisitRow.rater_id, VisitRow.answered_after_at).where(VisitRow.study_id == study_id)
    queries: tuple[Any, ...] = (last.where(AssignmentRow.study_id == study_id), ended)
    for query in queries:
        for rater, time in connection.execute(query):
            if time is not None:
                times[rater].add(time)
    return times

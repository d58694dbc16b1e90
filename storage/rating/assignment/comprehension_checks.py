"""Store raters' attempts at a study's comprehension check, and whether they passed."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from sqlalchemy import Connection, func, insert, select

from core.errors import BadSetting
from core.studies.asking.comprehension import ATTEMPTS, CheckQuestion, graded
from core.studies.asking.form_file import read_form
from core.studies.results.check_export import CheckRecord, Outcome
from storage.engine.database import Database, utc_now
from storage.rating.content.study_forms import study_form
from storage.study_types import Rater
from storage.tables import CheckAnswerRow, RaterRow, StudyFormRow, StudyRow, VisitRow

OTHER_ATTEMPT = "These answers were sent before, or belong to another attempt. Nothing was stored. Please look again."


@dataclass(frozen=True, slots=True)
class CheckAttempt:
    """A rater's next attempt at a comprehension check."""

    questions: tuple[CheckQuestion, ...]
    number: int  # from 1
    given: tuple[str, ...]  # answers of the previous attempt, in the order of the questions; empty: none


@dataclass(frozen=True, slots=True)
class CheckOutcomes:
    """How many raters passed and failed a study's comprehension check."""

    passed: int
    failed: int


class ComprehensionChecks:
    """Reads the results of studies' comprehension checks. Attempts are stored by storage.rating.assignment.visits."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def outcomes(self, study_id: int) -> CheckOutcomes:
        """Return how many raters passed and failed a study's check."""
        counts = func.count(VisitRow.check_passed_at), func.count(VisitRow.check_failed_at)
        with self._database.read() as connection:
            passed, failed = connection.execute(select(*counts).where(VisitRow.study_id == study_id)).one()
        return CheckOutcomes(passed, failed)

    def records(self, study_id: int) -> Iterator[CheckRecord]:
        """Yield every answer to the check, sorted by rater, attempt and question."""
        columns = select(*CheckAnswerRow.__table__.columns, RaterRow.code, StudyRow.name, VisitRow.check_passed_at)
        query = (
            columns.add_columns(VisitRow.check_failed_at)
            .join(VisitRow, _same(VisitRow))
            .join(RaterRow, RaterRow.id == CheckAnswerRow.rater_id)
            .join(StudyRow, StudyRow.id == CheckAnswerRow.study_id)
            .where(CheckAnswerRow.study_id == study_id)
            .order_by(CheckAnswerRow.rater_id, CheckAnswerRow.attempt, CheckAnswerRow.place)
        )
        with self._database.read() as connection:
            rows = connection.execute(query).all()
        for row in rows:
            outcome: Outcome = "passed" if row.check_passed_at else "failed" if row.check_failed_at else "open"
            yield CheckRecord(row.name, row.code, row.attempt, row.question, row.answer, row.is_right, outcome)


def _same(of: type[VisitRow]) -> Any:
    return (of.study_id == CheckAnswerRow.study_id) & (of.rater_id == CheckAnswerRow.rater_id)


def has_check(connection: Connection, study_id: int) -> bool:
    """Return whether a study has a comprehension check.

    The check is a part of the study's form (a file with its questions). False for an unknown study.
    """
    text = connection.scalar(select(StudyFormRow.text).where(StudyFormRow.study_id == study_id))
    return text is not None and bool(read_form(text, is_new=False).check)


def next_attempt(connection: Connection, study_id: int, rater: Rater) -> CheckAttempt:
    """Return a rater's next attempt, with the answers of the previous attempt."""
    mine = (CheckAnswerRow.study_id == study_id, CheckAnswerRow.rater_id == rater.id)
    last = connection.scalar(select(func.max(CheckAnswerRow.attempt)).where(*mine)) or 0
    query = select(CheckAnswerRow.answer).where(*mine, CheckAnswerRow.attempt == last).order_by(CheckAnswerRow.place)
    given = tuple(connection.scalars(query)) if last else ()
    return CheckAttempt(study_form(connection, study_id).check, last + 1, given)


def store_attempt(
    connection: Connection, study_id: int, rater: Rater, number: int, answers: Sequence[str]
) -> dict[str, datetime]:
    """Store a rater's attempt at the comprehension check.

    Return the change that the caller must store in the rater's VisitRow. The dict maps a column's name to the time when
    the rater passed or finally failed. The dict is empty if the rater has neither passed nor finally failed yet. The
    VisitRow must exist. number: the number of the attempt that the rater saw. An attempt is never stored twice, so a
    repeated request cannot use up the second attempt. Raises BadSetting.
    """
    attempt = next_attempt(connection, study_id, rater)
    if number != attempt.number or number > ATTEMPTS:
        raise BadSetting(OTHER_ATTEMPT)
    results, now = graded(attempt.questions, answers), utc_now()
    whose = {"study_id": study_id, "rater_id": rater.id, "attempt": number, "at": now}
    for place, (asked, answer, is_right) in enumerate(zip(attempt.questions, answers, results, strict=True)):
        row = {"place": place, "question": asked.question, "answer": answer, "is_right": is_right}
        connection.execute(insert(CheckAnswerRow).values(**whose, **row))
    if all(results):
        return {"check_passed_at": now}
    return {"check_failed_at": now} if number == ATTEMPTS else {}

"""Store what raters do besides rating items: give consent, answer questions before and after the items, and leave."""

import hashlib
from collections.abc import Sequence
from typing import Any, Literal

from sqlalchemy import Connection, insert, select, update

from core.errors import BadSetting, NotYours
from core.studies.asking.questionnaire import Questionnaire, check_answers, is_screened_out
from storage.engine.database import Operations, utc_now
from storage.rating.desk import check_may_enter, check_not_excluded
from storage.rating.raters import come
from storage.rating.releasing import leave
from storage.rating.rules import Rules, rules
from storage.study_types import Queue, Rater
from storage.tables import EntryAnswerRow, RaterRow, VisitRow

Stage = Literal["consent", "before", "screened_out", "returned", "rate", "after", "done", "full"]
_CHANGED = "The text was changed after you opened it, so nothing was stored. Please read it again."
_WHY: dict[Stage, str] = {  # stages in which a rater gets no items
    "consent": "Agree to take part first.",
    "before": "Answer the questions first.",
    "screened_out": "This study is for others.",
    "returned": "You have left this study.",
}


class Visits(Operations):
    """Operations on raters' consent, and on questions before and after a study's items."""

    def opened_entry(self, study_id: int) -> tuple[Questionnaire, str]:
        """Return a study's consent text and questions, with a stamp that changes with them. Raises NotFound."""
        with self._database.read() as connection:
            of = rules(connection, study_id)
            return of.design.entry, _stamp(of)

    def answers(self, study_id: int) -> dict[str, dict[str, dict[str, str]]]:
        """Return raters' answers to questions before and after the items.

        The keys are nested: the rater's code -> "before" or "after" -> question -> answer. Questions are in the order
        in which they were asked.
        """
        by_rater: dict[str, dict[str, dict[str, str]]] = {}
        query = (
            select(RaterRow.code, EntryAnswerRow.phase, EntryAnswerRow.question, EntryAnswerRow.answer)
            .join(RaterRow, RaterRow.id == EntryAnswerRow.rater_id)
            .where(EntryAnswerRow.study_id == study_id)
            .order_by(EntryAnswerRow.rater_id, EntryAnswerRow.phase, EntryAnswerRow.place)
        )
        with self._database.read() as connection:
            for code, phase, question, answer in connection.execute(query):
                by_rater.setdefault(code, {}).setdefault(phase, {})[question] = answer
        return by_rater

    def stage(self, study_id: int, rater: Rater, queue: Queue | None = None) -> Stage:
        """Return the rater's next step. queue: the rater's progress with the items. Raises NotFound."""
        with self._database.read() as connection:
            return _stage(rules(connection, study_id), _visit(connection, study_id, rater), queue)

    def check_may_rate(self, study_id: int, rater: Rater) -> None:
        """Raise NotYours if the rater must not get items now. Raises NotFound."""
        check_may_enter(study_id, rater)
        stage = self.stage(study_id, rater)
        if stage in _WHY:
            raise NotYours(_WHY[stage])

    def agree(self, study_id: int, rater: Rater, shown: str | None = None) -> None:
        """Store a rater's consent.

        shown: the consent text that the rater saw; None: unknown. Raises BadSetting if the text has changed since then.
        Raises NotFound, NotYours.
        """
        with self._database.write() as connection:
            of = _entered(connection, study_id, rater)
            if shown is not None and shown != of.design.consent:
                raise BadSetting(_CHANGED)
            come(connection, study_id, rater.id)
            agreed = update(VisitRow).where(*_of(study_id, rater)).values(consented_at=utc_now())
            connection.execute(agreed)

    def answer(
        self,
        study_id: int,
        rater: Rater,
        queue: Queue | None,
        answers: Sequence[str],
        stamp: str | None = None,
    ) -> None:
        """Store answers to the rater's current questions, in their order.

        stamp: the stamp of the questions that the rater saw; None: unknown. Raises BadSetting, for example if this
        stamp is no longer the current one. The stamp also changes with the conditions for taking part, which the page
        does not show. Raises NotFound, NotYours.
        """
        with self._database.write() as connection:
            of, visit = _entered(connection, study_id, rater), _visit(connection, study_id, rater)
            stage = _stage(of, visit, queue)
            if stage not in ("before", "after"):
                raise BadSetting("There are no questions now. Load the page again.")
            questions = of.design.entry.before if stage == "before" else of.design.entry.after
            if stamp is not None and stamp != _stamp(of):
                raise BadSetting(_CHANGED)
            given, now = check_answers(questions, answers), utc_now()
            come(connection, study_id, rater.id)
            whose = {"study_id": study_id, "rater_id": rater.id, "phase": stage}
            for place, (question, answer) in enumerate(zip(questions, given, strict=True)):
                row = {**whose, "question": question.text, "place": place, "answer": answer}
                connection.execute(insert(EntryAnswerRow).values(row))
            done: dict[str, Any] = {"answered_at" if stage == "before" else "answered_after_at": now}
            if stage == "before" and is_screened_out(questions, given):
                done["screened_out_at"] = now
            connection.execute(update(VisitRow).where(*_of(study_id, rater)).values(done))

    def leave(self, study_id: int, rater: Rater, queue: Queue | None = None) -> int:
        """Let a rater leave the study, and release the rater's open items.

        Return the number of these items. queue: the rater's progress with the items. If the rater's part in the study
        has already ended, for example after the last item, nothing changes. So the rater keeps the completion code that
        belongs to this end. Raises NotFound, NotYours.
        """
        with self._database.write() as connection:
            of = _entered(connection, study_id, rater)
            if _stage(of, _visit(connection, study_id, rater), queue) in ("after", "done"):
                return 0
            return leave(connection, of, rater.id, utc_now())


def _entered(connection: Connection, study_id: int, rater: Rater) -> Rules:
    """Return the rules of a study that is open to the rater. Raises NotFound, NotYours."""
    check_may_enter(study_id, rater)
    check_not_excluded(connection, study_id, rater)
    return rules(connection, study_id)


def _stage(of: Rules, visit: Any, queue: Queue | None) -> Stage:
    entry = of.design.entry
    if visit is not None and visit.screened_out_at is not None:
        return "screened_out"
    if visit is not None and visit.returned_at is not None:
        return "returned"
    if entry.consent and (visit is None or visit.consented_at is None):
        return "consent"
    if entry.before and (visit is None or visit.answered_at is None):
        return "before"
    if queue is None:
        return "rate"
    if queue.stopped == "full":
        return "full"
    if not queue.total or queue.done < queue.total or queue.free:
        return "rate"
    return "after" if entry.after and (visit is None or visit.answered_after_at is None) else "done"


def _stamp(of: Rules) -> str:
    """Return a text that changes with the consent and the questions.

    The creation time, which raters do not know, keeps them from computing which answers screen them out.
    """
    return hashlib.sha256(f"{of.created_at.isoformat()} {of.design.entry}".encode()).hexdigest()[:24]


def _visit(connection: Connection, study_id: int, rater: Rater) -> Any:
    return connection.execute(select(*VisitRow.__table__.columns).where(*_of(study_id, rater))).first()


def _of(study_id: int, rater: Rater) -> Any:
    return (VisitRow.study_id == study_id, VisitRow.rater_id == rater.id)

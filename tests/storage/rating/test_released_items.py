"""Items that come back and go to others: by hand, by those who leave, by the clock."""

from collections import Counter
from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test
from sqlalchemy import bindparam, select, text, update

from core.errors import NotFound
from core.studies.design import State
from storage import Repository
from storage.engine.database import utc_now
from storage.rating import assignment
from storage.rating.releasing import release_expired
from storage.rating.rules import rules
from storage.study_types import AssignedItem, Rater, Study
from storage.tables import AssignmentRow, EventRow, ParticipationRow
from tests.making import CRITERIA, answer_all, make_study, rating
from ui.services.workplace import Workplace


def finish(repository: Repository, rater: Rater, item: AssignedItem) -> None:
    repository.save(rater, [rating(item, c, panel=p.place) for p in item.panels for c in CRITERIA])


def holding(workplace: Workplace) -> Counter[int]:
    """Return how many raters hold each item, counted by hand."""
    query = "SELECT item_id FROM assignments WHERE released_at IS NULL"
    with workplace.repository.database.read() as connection:
        return Counter(connection.scalars(text(query)))


def hours_pass(workplace: Workplace, hours: float) -> None:
    """Let what was noted of raters lie further back."""
    back = update(ParticipationRow).where(ParticipationRow.study_id == bindparam("s"))
    back = back.where(ParticipationRow.rater_id == bindparam("r")).values(seen_at=bindparam("at"))
    with workplace.repository.database.write() as connection:
        for row in connection.execute(select(*ParticipationRow.__table__.columns)).all():
            earlier = row.seen_at - timedelta(hours=hours)
            connection.execute(back, {"s": row.study_id, "r": row.rater_id, "at": earlier})


def past(workplace: Workplace) -> None:
    """Let everything that raters did lie years back, against the log's own guard."""
    long_ago = datetime(2020, 1, 1)
    with workplace.repository.database.write() as connection:
        if connection.dialect.name == "sqlite":
            guards = "SELECT name FROM sqlite_master WHERE type = 'trigger' AND tbl_name = 'events'"
            for (name,) in connection.execute(text(guards)).all():
                connection.execute(text(f"DROP TRIGGER {name}"))
        else:
            connection.execute(text("SET LOCAL session_replication_role = replica"))
        connection.execute(update(ParticipationRow).values(seen_at=long_ago))
        connection.execute(update(EventRow).values(received_at=long_ago))


def shared(
    workplace: Workplace,
    size: int = 6,
    raters: int = 1,
    name: str = "shared",
    metrics: tuple[str, ...] = (),
    **course: Any,
) -> Study:
    study = make_study(workplace, name, size=size, metrics=metrics, raters_per_item=raters)
    workplace.repository.studies.settle(study.id, **course)
    return study


def test_what_a_rater_left_open_goes_to_the_next_one_and_what_was_finished_stays(birds: Workplace) -> None:
    study, desk = shared(birds, items_per_rater=6), birds.repository.desk
    first, second = (birds.repository.raters.add(code) for code in ("K7", "K8"))
    items = desk.queue(study.id, first, None, 3).items
    for item in items[:2]:
        finish(birds.repository, first, item)
    assert desk.queue(study.id, second).stopped == "full"
    assert birds.repository.managing.release(study.id, "K7") == 4
    given = desk.queue(study.id, second, None, 20)
    assert (given.total, len(given.items), given.stopped) == (4, 4, None)
    assert {(i.caption, i.panels[0].value) for i in given.items}.isdisjoint(
        (i.caption, i.panels[0].value) for i in items[:2]
    )
    answer_all(birds.repository, study, second)
    assert set(holding(birds).values()) == {1}
    assert Counter(r.rater for r in birds.repository.studies.records(study.id)) == {"K7": 6, "K8": 12}
    queue = desk.queue(study.id, first)
    assert (queue.done, queue.total, queue.stopped) == (2, 6, "full")


@pytest.mark.parametrize("state", ["paused", "closed"])
def test_only_a_rater_with_the_whole_share_is_done_while_the_study_gives_no_items(
    birds: Workplace, state: State
) -> None:
    study, desk, studies = shared(birds, raters=2, items_per_rater=4), birds.repository.desk, birds.repository.studies
    left, finished = (birds.repository.raters.add(code) for code in ("K7", "K8"))
    for item in desk.queue(study.id, left, None, 3).items:
        finish(birds.repository, left, item)
    birds.repository.managing.release(study.id, "K7")
    answer_all(birds.repository, study, finished)
    stages = birds.repository.visits.stage
    studies.step(study.id, state)
    assert stages(study.id, left, desk.look(study.id, left)) == "rate"
    assert stages(study.id, finished, desk.look(study.id, finished)) == "done"
    studies.step(study.id, "running")
    again = desk.queue(study.id, left)
    assert (again.done, again.total, again.stopped) == (3, 4, None)
    finish(birds.repository, left, again.items[0])
    studies.step(study.id, state)
    assert stages(study.id, left, desk.look(study.id, left)) == "done"


def test_items_go_to_others_when_their_rater_gave_no_sign_of_life_for_a_day(birds: Workplace) -> None:
    study, desk = shared(birds, items_per_rater=6), birds.repository.desk
    first, second = (birds.repository.raters.add(code) for code in ("K7", "K8"))
    (item, *_) = desk.queue(study.id, first).items
    birds.repository.save(first, [rating(item)])
    hours_pass(birds, 25)
    assert desk.queue(study.id, second).stopped == "full"  # the answer is a sign of life
    past(birds)
    assert desk.queue(study.id, second).total == 6


def test_who_has_answered_nothing_gives_the_items_back_after_ten_minutes(birds: Workplace) -> None:
    study, desk = shared(birds, items_per_rater=6), birds.repository.desk
    first, second = (birds.repository.raters.add(code) for code in ("K7", "K8"))
    items = desk.queue(study.id, first, None, 6).items
    hours_pass(birds, 9 / 60)
    assert desk.queue(study.id, second).stopped == "full"
    hours_pass(birds, 2 / 60)
    assert desk.queue(study.id, second).total == 6
    assert birds.repository.save(first, [rating(items[0])]) == (None,)  # a late answer is kept


def test_an_answer_to_another_study_does_not_hold_items_of_this_one(birds: Workplace) -> None:
    study, desk = shared(birds, items_per_rater=6), birds.repository.desk
    other = shared(birds, name="other")
    first, second = (birds.repository.raters.add(code) for code in ("K7", "K8"))
    birds.repository.save(first, [rating(desk.queue(other.id, first, None, 1).items[0])])
    desk.queue(study.id, first)
    hours_pass(birds, 11 / 60)
    assert desk.queue(study.id, second).total == 6


def test_items_of_who_has_answered_are_held_as_long_as_the_study_says(birds: Workplace) -> None:
    study, rater = shared(birds, items_per_rater=6, hold_hours=0.5), birds.repository.raters.add("K7")
    birds.repository.save(rater, [rating(birds.repository.desk.queue(study.id, rater, None, 1).items[0])])
    with birds.repository.database.write() as connection:
        of = rules(connection, study.id)
        released = [release_expired(connection, of, utc_now() + timedelta(hours=hours)) for hours in (0.4, 0.6)]
    assert released == [0, 6]


def test_who_comes_back_gets_their_own_items_again_with_their_answers(birds: Workplace) -> None:
    study, desk = shared(birds, items_per_rater=6), birds.repository.desk
    rater = birds.repository.raters.add("K7")
    items = desk.queue(study.id, rater, None, 20).items
    birds.repository.save(rater, [rating(items[1], point=2)])
    birds.repository.visits.leave(study.id, rater)
    again = desk.queue(study.id, rater, None, 20).items
    assert {item.id for item in again} == {item.id for item in items}
    assert {i.id: i.panels[0].answers for i in again}[items[1].id] == {"consistency": 2}
    assert [item.place for item in again] == list(range(1, 7))


def test_an_answer_that_comes_late_is_kept_and_counts_only_where_there_is_still_room(birds: Workplace) -> None:
    study, desk = shared(birds, size=2, items_per_rater=2), birds.repository.desk
    late, other = (birds.repository.raters.add(code) for code in ("K7", "K8"))
    taken, free = desk.queue(study.id, late, None, 2).items
    birds.repository.managing.release(study.id, "K7")
    birds.repository.studies.settle(study.id, items_per_rater=1)
    (got,) = desk.queue(study.id, other, None, 2).items
    if got.caption != taken.caption or got.panels[0].value != taken.panels[0].value:
        taken, free = free, taken
    finish(birds.repository, late, taken)  # the other one has it by now
    finish(birds.repository, late, free)
    finish(birds.repository, other, got)
    assert set(holding(birds).values()) == {1}
    assert desk.queue(study.id, late).done == 2  # they did the work
    why = {(r.rater, r.left_out) for r in birds.repository.studies.records(study.id)}
    assert why == {("K7", "item released"), ("K7", ""), ("K8", "")}


def test_panels_stay_balanced_on_every_item_when_items_change_hands(birds: Workplace) -> None:
    study = make_study(birds, form="expert-side-by-side", raters_per_item=3)
    raters = [birds.repository.raters.add(f"K{n}") for n in range(7)]
    for number, rater in enumerate(raters):
        while birds.repository.desk.queue(study.id, rater).free:
            birds.repository.desk.queue(study.id, rater, birds.repository.desk.queue(study.id, rater).total + 1, 2)
        if number in (0, 2, 3):
            birds.repository.managing.release(study.id, rater.code)
    with birds.repository.database.read() as connection:
        rows = connection.execute(
            select(AssignmentRow.item_id, AssignmentRow.panels).where(AssignmentRow.released_at.is_(None))
        ).all()
    places = Counter((item, place, score) for item, panels in rows for place, score in enumerate(panels))
    assert len(rows) == 3 * study.items
    assert set(places.values()) == {1}  # every explanation once at every place


class Raters(RuleBasedStateMachine):
    """Whatever raters do, no item is held by more than its k, and in the end each has its k finished ratings."""

    birds: Workplace
    studies = 0

    @initialize(
        size=st.integers(1, 6),
        raters=st.integers(1, 3),
        quota=st.none() | st.integers(1, 6),
    )
    def begin(self, size: int, raters: int, quota: int | None) -> None:
        type(self).studies += 1
        self.k, self.people = raters, dict[str, Rater]()
        self.study = shared(self.birds, size, raters, f"s{self.studies}", items_per_rater=quota)
        self.seen, self.promised = dict[str, AssignedItem](), dict[str, int]()

    def person(self, number: int) -> Rater:
        code = f"R{self.studies}-{number}"
        if code not in self.people:
            self.people[code] = self.birds.repository.raters.add(code)
        return self.people[code]

    def look(self, rater: Rater, start: int | None = None, count: int = 3) -> None:
        queue = self.birds.repository.desk.queue(self.study.id, rater, start, count)
        assert queue.total >= self.promised.get(rater.code, 0)
        assert queue.total or queue.stopped in ("full", "excluded")  # never "0 of 0, you are done"
        self.promised[rater.code] = queue.total
        self.seen |= {f"{rater.code}/{item.id}": item for item in queue.items}

    @rule(number=st.integers(0, 5), start=st.none() | st.integers(1, 7), count=st.integers(1, 4))
    def arrive_or_come_again(self, number: int, start: int | None, count: int) -> None:
        self.look(self.person(number), start, count)

    @rule(data=st.data(), whole=st.booleans())
    def answer(self, data: st.DataObject, whole: bool) -> None:
        """Answer anything that was ever on a screen, also long after it was taken away."""
        if self.seen:
            name = data.draw(st.sampled_from(sorted(self.seen)))
            rater, item = self.people[name.partition("/")[0]], self.seen[name]
            criteria = CRITERIA if whole else CRITERIA[:1]
            results = self.birds.repository.save(rater, [rating(item, criterion) for criterion in criteria])
            assert results == (None,) * len(criteria)  # no click is ever refused

    @rule(number=st.integers(0, 5))
    def leave(self, number: int) -> None:
        if f"R{self.studies}-{number}" in self.promised:
            self.birds.repository.visits.leave(self.study.id, self.person(number))
            self.promised[self.person(number).code] = 0

    @rule(number=st.integers(0, 5), out=st.booleans())
    def exclude_or_include(self, number: int, out: bool) -> None:
        code, managing = f"R{self.studies}-{number}", self.birds.repository.managing
        if code in self.promised:
            try:
                if out:
                    managing.exclude(self.study.id, code, "too fast")
                else:
                    managing.include(self.study.id, code)
            except NotFound:  # the study was full when they came
                return
            self.promised[code] = 0

    @rule()
    def a_day_passes(self) -> None:
        past(self.birds)
        self.promised = dict.fromkeys(self.promised, 0)

    @invariant()
    def no_item_is_held_by_more_than_k(self) -> None:
        if hasattr(self, "study"):
            assert all(count <= self.k for count in self.held().values())

    @invariant()
    def kept_counts_are_those_of_counting_anew(self) -> None:
        if hasattr(self, "study"):
            with self.birds.repository.database.read() as connection:
                kept = connection.execute(text(f"SELECT id, takers FROM items WHERE study_id = {self.study.id}")).all()
            assert {item: takers for item, takers in kept if takers} == self.held()

    def held(self, where: str = "") -> Counter[int]:
        excluded = f"SELECT rater_id FROM exclusions WHERE study_id = {self.study.id}"
        query = f"SELECT item_id FROM assignments WHERE study_id = {self.study.id} AND released_at IS NULL"
        query += f" AND rater_id NOT IN ({excluded}) {where}"
        with self.birds.repository.database.read() as connection:
            return Counter(connection.scalars(text(query)))

    def teardown(self) -> None:
        if not hasattr(self, "study"):
            return
        for rater in [*self.people.values()]:
            if rater.code in self.promised:
                try:
                    self.birds.repository.managing.release(self.study.id, rater.code)
                except NotFound:
                    continue
        for number in range(100, 100 + 6 * self.k):  # fresh people do the rest
            if sum(self.held().values()) == self.k * self.study.items:
                break
            rater = self.birds.repository.raters.add(f"R{self.studies}-{number}")
            answer_all(self.birds.repository, self.study, rater)
        finished = self.held("AND finished_at IS NOT NULL")
        assert finished == self.held() and set(finished.values()) == {self.k}
        assert len(finished) == self.study.items


QUICK = settings(  # a database of its own for each smaller example would take minutes
    max_examples=15, stateful_step_count=20, deadline=None, database=None, phases=[Phase.generate]
)


@pytest.mark.slow
def test_whatever_raters_do_every_item_gets_its_ratings_and_never_more(
    birds: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(assignment, "STEP", 1)  # as in a study of many more items, which are looked for in steps
    Raters.birds = birds
    run_state_machine_as_test(Raters, settings=QUICK)

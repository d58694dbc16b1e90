from datetime import timedelta
from typing import Any

import pytest
from sqlalchemy import text, update

from core.errors import NotYours
from storage.engine.database import utc_now
from storage.study_types import LONGEST_MS, AssignedItem, Rater, Save
from storage.tables import AssignmentRow
from tests.making import CRITERIA, make_study, note, rating, reveal
from ui.services.workplace import Workplace


class Table:
    """A rater at an item."""

    def __init__(self, workplace: Workplace, **request: Any) -> None:
        self.repository = workplace.repository
        self.study = make_study(workplace, **request)
        self.rater: Rater = self.repository.raters.add("K7")
        self.item, self.next = self.repository.desk.queue(self.study.id, self.rater, None, 2).items
        self.given_at = utc_now() - timedelta(days=1)  # answers can be hours old
        with self.repository.database.write() as connection:
            connection.execute(update(AssignmentRow).values(given_at=self.given_at))

    def save(self, *saves: Save) -> tuple[str | None, ...]:
        """Save, and return each refusal in words."""
        return tuple(problem and str(problem) for problem in self.repository.save(self.rater, saves))

    def again(self) -> AssignedItem:
        (item,) = self.repository.desk.queue(self.study.id, self.rater, self.item.place, 1).items
        return item

    def answers(self) -> dict[str, int]:
        return dict(self.again().panels[0].answers)

    def rows(self, query: str) -> list[tuple]:
        with self.repository.database.read() as connection:
            return [tuple(row) for row in connection.execute(text(query))]

    def events(self) -> list[tuple]:
        return self.rows("SELECT kind, criterion, old_point, new_point, text FROM events ORDER BY id")


@pytest.fixture
def table(birds: Workplace) -> Table:
    return Table(birds, veil=False)


def test_a_changed_answer_is_one_row_and_two_events_with_old_and_new_value(table: Table) -> None:
    table.save(rating(table.item, point=4))
    table.save(rating(table.item, point=1))
    assert table.answers() == {"consistency": 1}
    assert table.rows("SELECT count(*) FROM ratings") == [(1,)]
    assert [event[2:4] for event in table.events()] == [(None, 4), (4, 1)]


def test_a_save_that_comes_again_however_late_changes_nothing(table: Table) -> None:
    first = rating(table.item, point=4)
    table.save(first)
    table.save(rating(table.item, point=1))
    assert table.save(first) == (None,)
    assert table.answers() == {"consistency": 1}
    assert len(table.events()) == 2


def test_two_raters_may_use_the_same_key(table: Table) -> None:
    other = table.repository.raters.add("K8")
    (theirs,) = table.repository.desk.queue(table.study.id, other, None, 1).items
    table.save(rating(table.item, key="same-key"))
    assert table.repository.save(other, [rating(theirs, key="same-key")]) == (None,)
    assert len(table.events()) == 2


@pytest.mark.parametrize(("age", "held"), [(-1, 0), (10**30, LONGEST_MS)])
def test_a_span_that_only_a_wrong_clock_can_tell_is_held_within_what_can_be(table: Table, age: int, held: int) -> None:
    wrong = rating(table.item, age_ms=age, in_sight_ms=age, shown_ms=age)
    assert (wrong.age_ms, wrong.in_sight_ms, wrong.shown_ms) == (held, held, held)
    assert table.save(wrong) == (None,)
    assert table.answers() == {"consistency": 3}


def test_a_criterion_that_does_not_exist_or_is_not_asked_for_is_refused(birds: Workplace) -> None:
    table = Table(birds, criteria=("factuality",))
    refusals = table.save(rating(table.item, "beauty"), rating(table.item, None), rating(table.item, "consistency"))
    assert "no criterion 'beauty'" in refusals[0]
    assert "no criterion 'None'" in refusals[1]
    assert "no criterion 'consistency'. Criteria: factuality." in refusals[2]
    assert table.events() == []


def test_a_refused_save_holds_up_no_other(table: Table) -> None:
    other = table.repository.raters.add("K8")
    (theirs,) = table.repository.desk.queue(table.study.id, other, None, 1).items
    results = table.save(
        rating(table.item, "consistency", 2),
        rating(table.item, "factuality", 9),
        rating(theirs, "factuality", 1),
        note(table.item, "x" * 4_001),
        rating(table.item, "informativeness", 0),
    )
    assert [result is None for result in results] == [True, False, False, False, True]
    assert table.answers() == {"consistency": 2, "informativeness": 0}
    assert len(table.events()) == 2


def test_saves_about_other_raters_items_only_are_refused_as_a_whole(table: Table) -> None:
    other = table.repository.raters.add("K8")
    with pytest.raises(NotYours):
        table.repository.save(other, [rating(table.item), reveal(table.item), note(table.item, "mine")])
    assert table.answers() == {}
    assert table.events() == []
    assert (table.again().revealed, table.again().note) == (False, "")


def test_an_item_is_finished_with_its_last_missing_answer_and_stays_so(table: Table) -> None:
    for criterion in CRITERIA:
        assert not table.again().finished
        table.save(rating(table.item, criterion, 0 if criterion == "informativeness" else 2))
    assert table.again().finished
    finished = table.rows("SELECT finished_at FROM assignments WHERE finished_at IS NOT NULL")
    table.save(rating(table.item, "consistency", 4))
    assert table.rows("SELECT finished_at FROM assignments WHERE finished_at IS NOT NULL") == finished


def test_the_first_lifting_of_the_veil_counts(table: Table) -> None:
    table.save(reveal(table.item, age_ms=60_000))
    (first,) = table.rows("SELECT revealed_at FROM assignments WHERE revealed_at IS NOT NULL")
    table.save(reveal(table.item))
    assert table.again().revealed
    assert table.rows("SELECT revealed_at FROM assignments WHERE revealed_at IS NOT NULL") == [first]
    assert [event[0] for event in table.events()] == ["reveal", "reveal"]


def test_an_answer_changed_after_the_veil_was_lifted_is_marked_in_the_export(table: Table) -> None:
    table.save(rating(table.item, "consistency", 2, age_ms=9_000), rating(table.item, "factuality", 1, age_ms=8_500))
    table.save(rating(table.item, "factuality", 2, age_ms=8_000), reveal(table.item, age_ms=7_000))
    table.save(rating(table.item, "consistency", 3, age_ms=6_000), rating(table.item, "factuality", 2, age_ms=5_000))
    table.save(rating(table.item, "informativeness", 2, age_ms=4_000))
    changed = {r.criterion: r.changed_after_image for r in table.repository.studies.records(table.study.id)}
    assert changed == {"consistency": True, "factuality": False, "informativeness": False}
    assert all(r.image_shown_at is not None for r in table.repository.studies.records(table.study.id))


def test_a_change_counts_as_after_the_picture_though_its_way_to_the_server_was_the_shorter(table: Table) -> None:
    table.save(rating(table.item, "consistency", 2, age_ms=9_000))
    table.save(reveal(table.item, age_ms=7_000))  # it was on its way for a while: its time comes out too late
    table.save(rating(table.item, "consistency", 3, age_ms=7_200))
    assert [r.changed_after_image for r in table.repository.studies.records(table.study.id)] == [True]


def test_times_say_when_it_happened_and_not_when_it_arrived(table: Table) -> None:
    before = utc_now()
    table.save(rating(table.item, age_ms=3_600_000, shown_ms=30_000, in_sight_ms=12_345))
    (record,) = table.repository.studies.records(table.study.id)
    assert timedelta(0) <= record.submitted_at - (before - timedelta(hours=1)) < timedelta(minutes=1)
    assert record.submitted_at - record.started_at == timedelta(seconds=30)
    assert record.duration_ms == 12_345


def test_a_changed_answer_keeps_when_the_item_was_first_shown(table: Table) -> None:
    table.save(rating(table.item, point=1, age_ms=60_000, shown_ms=30_000, in_sight_ms=1_000))
    (first,) = table.repository.studies.records(table.study.id)
    table.save(rating(table.item, point=2, in_sight_ms=5_000))
    (second,) = table.repository.studies.records(table.study.id)
    assert second.started_at == first.started_at
    assert second.submitted_at > first.submitted_at
    assert second.duration_ms == 5_000


def test_an_answer_is_never_dated_before_its_item_was_given_out(table: Table) -> None:
    seven_years = 7 * 365 * 24 * 3_600_000  # a browser's clock was corrected while the answer waited
    table.save(rating(table.item, age_ms=seven_years, shown_ms=30_000))
    (record,) = table.repository.studies.records(table.study.id)
    assert (record.started_at, record.submitted_at) == (table.given_at, table.given_at)
    assert table.rows("SELECT count(*) FROM events WHERE at < (SELECT min(given_at) FROM assignments)") == [(0,)]


def test_a_changed_answer_is_never_dated_before_the_item_was_first_shown(table: Table) -> None:
    table.save(rating(table.item, point=1, age_ms=60_000, shown_ms=30_000))
    table.save(rating(table.item, point=2, age_ms=3_600_000))  # by a clock that was corrected meanwhile
    (record,) = table.repository.studies.records(table.study.id)
    assert record.rating == 2
    assert record.submitted_at == record.started_at

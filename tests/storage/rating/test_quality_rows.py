"""What is known of raters at work, followed: always what reading all of it anew says."""

from dataclasses import asdict, fields

import numpy as np
from hypothesis import Phase, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule, run_state_machine_as_test

from core.studies.rater_quality.measures import study_quality
from storage.rating.rater_quality.columns import StudyColumns
from storage.rating.rater_quality.quality_settings import RaterQualitySettings
from storage.study_types import AssignedItem, Rater
from tests.making import CRITERIA, make_study, note, rating
from tests.statements import statements
from ui.services.studies import controls
from ui.services.workplace import Workplace

PEOPLE = st.integers(0, 2)


class Watching(RuleBasedStateMachine):
    """Whatever raters and managers do, what is followed is what is read anew, and so is what is measured of it."""

    birds: Workplace
    studies = 0

    @initialize(raters=st.none() | st.integers(1, 2))
    def begin(self, raters: int | None) -> None:
        type(self).studies += 1
        self.study = make_study(self.birds, f"s{self.studies}", metrics=("ZorkScore",), raters_per_item=raters)
        self.birds.repository.quality.set_watch(self.study.id, RaterQualitySettings(gold_every=3, repeat_every=3))
        self.people = [self.birds.repository.raters.add(f"R{self.studies}-{n}") for n in range(3)]
        self.had: list[tuple[Rater, AssignedItem]] = []
        self.known: StudyColumns | None = None
        for who in range(3):
            self.goes_on(who, 3, [who + 1, 3, 1 + who % 2])

    def takes_part(self, who: int) -> bool:
        codes = {one.code for one in self.birds.repository.studies.progress(self.study.id)}
        return self.people[who].code in codes

    @rule(who=PEOPLE, number=st.integers(1, 4), points=st.lists(st.integers(1, 4), min_size=3, max_size=3))
    def goes_on(self, who: int, number: int, points: list[int]) -> None:
        rater, desk = self.people[who], self.birds.repository.desk
        items = desk.queue(self.study.id, rater, None, 5).items[:number]
        for nth, item in enumerate(items):
            asked = CRITERIA if nth + 1 < len(items) or sum(points) % 2 else CRITERIA[:1]  # the last one left open
            saves = [rating(item, key, one, in_sight_ms=100 * one) for key, one in zip(asked, points, strict=False)]
            self.birds.repository.save(rater, saves)
        self.had += [(rater, item) for item in items]

    @rule(which=st.integers(0, 99), point=st.integers(1, 4), said=st.booleans())
    def comes_back_to(self, which: int, point: int, said: bool) -> None:
        """Change or give an answer, also to an item that has been taken away."""
        if self.had:
            rater, item = self.had[which % len(self.had)]
            save = note(item, "hm") if said else rating(item, CRITERIA[which % 3], point)
            self.birds.repository.save(rater, [save])

    @rule(who=PEOPLE)
    def leaves(self, who: int) -> None:
        if self.takes_part(who):
            self.birds.repository.life.release(self.study.id, self.people[who].code)

    @rule(who=PEOPLE, out=st.booleans())
    def is_excluded_or_counts_again(self, who: int, out: bool) -> None:
        if not self.takes_part(who):
            return
        code, life = self.people[who].code, self.birds.repository.life
        if out:
            life.exclude(self.study.id, code, "hasty")
        else:
            life.include(self.study.id, code)

    @rule(who=PEOPLE, keep=st.booleans(), chance=st.integers(0, 3))
    def is_erased(self, who: int, keep: bool, chance: int) -> None:
        if chance:
            return
        rater = self.people[who]
        self.birds.repository.erasures.erase_rater(rater.code, keep)
        self.had = [(by, item) for by, item in self.had if by != rater]
        self.people[who] = self.birds.repository.raters.add(f"{rater.code}X")

    @rule(retire=st.booleans())
    def gold_changes(self, retire: bool) -> None:
        there = [one for one in self.birds.repository.controls.all(self.study.id) if not one.retired_at]
        if retire and there:
            self.birds.repository.controls.retire(self.study.id, there[0].item)
        elif not retire:
            made = controls.proposed(self.birds, self.study, "turned", 1, self.studies)
            controls.approve(self.birds, self.study, "gold", made, "ada")

    @rule()
    def nothing_happens(self) -> None:
        pass

    @invariant()
    def what_is_followed_is_what_is_read_anew(self) -> None:
        quality = self.birds.repository.quality
        self.known = quality.columns(self.study.id, self.known)
        same(self.known, quality.columns(self.study.id))


def same(followed: StudyColumns, anew: StudyColumns) -> None:
    assert (followed.codes, followed.excluded, followed.criteria) == (anew.codes, anew.excluded, anew.criteria)
    for one, other in ((followed.given, anew.given), (followed.answers, anew.answers)):
        for field in fields(one):
            np.testing.assert_array_equal(getattr(one, field.name), getattr(other, field.name), field.name)
    measured = [
        asdict(study_quality(columns.given, columns.answers, [4, 4, 4], len(columns.codes)))
        for columns in (followed, anew)
    ]
    assert measured[0] == measured[1]


def test_what_is_followed_of_a_study_is_always_what_reading_it_anew_says(birds: Workplace) -> None:
    class Here(Watching):
        pass

    Here.birds = birds
    some = settings(max_examples=5, stateful_step_count=14, phases=[Phase.generate], derandomize=True, deadline=None)
    run_state_machine_as_test(Here, settings=some)  # type: ignore[no-untyped-call]


def finish(birds: Workplace, rater: Rater, item: AssignedItem, criteria: tuple[str, ...] = CRITERIA) -> None:
    assert not any(birds.repository.save(rater, [rating(item, key) for key in criteria]))


def test_whatever_no_event_tells_of_is_followed_too(birds: Workplace) -> None:
    study, desk, life = make_study(birds, raters_per_item=1), birds.repository.desk, birds.repository.life
    first, second = (birds.repository.raters.add(code) for code in ("A1", "B2"))
    known: list[StudyColumns] = []

    def followed() -> StudyColumns:
        known.append(birds.repository.quality.columns(study.id, known[-1] if known else None))
        same(known[-1], birds.repository.quality.columns(study.id))
        return known[-1]

    items = desk.queue(study.id, first, None, 4).items
    finish(birds, first, items[0])
    finish(birds, first, items[1], CRITERIA[:1])
    finish(birds, first, items[2])
    assert followed().given.counts.tolist() == [True, True, True]
    life.release(study.id, "A1")
    assert followed().given.counts.tolist() == [True, False, True]  # the second was given back
    assert len(followed().given.rater) == 3  # the first item and the one given back are two, whatever their places
    desk.queue(study.id, first, None, 4)  # and is taken up again, which neither event nor release tells of
    assert followed().given.counts.all()

    life.release(study.id, "A1")
    followed()
    finish(birds, first, items[1])  # late: as many lie below place 0 as will after the next release
    again = desk.queue(study.id, first, 4, 1).items
    finish(birds, first, again[0], CRITERIA[:1])
    before = followed()
    life.exclude(study.id, "A1", "hasty")
    assert not followed().given.counts.any() and followed().excluded == {"A1"}
    for item in desk.queue(study.id, second, None, 9).items[:2]:
        finish(birds, second, item)
    followed()
    life.include(study.id, "A1")  # where others have taken an item meanwhile, theirs counts
    counted = followed().given
    assert sorted(counted.counts[counted.rater == 1].tolist()) == [True, True]
    assert not counted.counts[counted.rater == 0].all() and followed().excluded == frozenset()
    assert len(before.given.rater) < len(counted.rater)


def test_a_look_with_nothing_new_reads_no_answer(birds: Workplace) -> None:
    study, rater = make_study(birds), birds.repository.raters.add("A1")
    finish(birds, rater, birds.repository.desk.queue(study.id, rater).items[0])
    known = birds.repository.quality.columns(study.id)
    with statements(birds.repository.database) as asked:
        again = birds.repository.quality.columns(study.id, known)
    assert again.answers is known.answers
    assert not any("FROM ratings" in sql for sql in asked)
    other = make_study(birds, "other")
    finish(birds, rater, birds.repository.desk.queue(other.id, rater).items[0])
    with statements(birds.repository.database) as asked:
        assert birds.repository.quality.columns(study.id, known).answers is known.answers
    assert not any("FROM ratings" in sql for sql in asked)  # of another study

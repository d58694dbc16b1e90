"""Which item a rater gets next: the same as by reading the whole study, at a cost that does not grow with the study."""

import random
import secrets
from datetime import timedelta
from pathlib import Path
from unittest import mock

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from sqlalchemy import Connection, func, insert, select, text

from core.errors import UserError
from core.studies.design import State
from core.studies.planning.orders import rater_order
from storage.engine.database import utc_now
from storage.rating import assignment
from storage.rating.releasing import release_expired
from storage.rating.rules import rules
from storage.study_types import Rater, Study
from storage.tables import AssignmentRow, ItemRow, ItemScoreRow
from tests.making import CRITERIA, import_rows, make_study, rating, rows
from ui.services.studies import gold
from ui.services.workplace import Workplace

RECOUNTED = """
    SELECT i.study_id, i.place, i.takers, s.raters_per_item AS most, (
        SELECT count(*) FROM assignments a
        LEFT JOIN exclusions e ON e.study_id = a.study_id AND e.rater_id = a.rater_id
        WHERE a.item_id = i.id AND a.released_at IS NULL AND e.at IS NULL) AS holders
    FROM items i JOIN studies s ON s.id = i.study_id WHERE i.place >= 0
"""
OF_STUDY = RECOUNTED + "AND i.study_id = :study ORDER BY i.place"
HELD = "SELECT i.place, a.place AS nth FROM assignments a JOIN items i ON i.id = a.item_id WHERE a.study_id = :study"
HELD += " AND a.rater_id = :rater AND i.place >= 0 ORDER BY a.place"


def check_counts(connection: Connection, study: Study | None = None) -> None:
    """Compare the kept counts of every item, of one study or of all, with the assignments."""
    rows = connection.execute(text(OF_STUDY), {"study": study.id}) if study else connection.execute(text(RECOUNTED))
    for row in rows:
        assert row.takers == (row.holders if row.most else 0), row


def expected(connection: Connection, study: Study, rater: Rater) -> list[int]:
    """Return the places of the items that the rater gets next, from all assignments, as the first version did."""
    of = {"study": study.id, "rater": rater.id}
    number = connection.scalar(
        text("SELECT number FROM participations WHERE study_id = :study AND rater_id = :rater"), of
    )
    found = connection.execute(text(OF_STUDY), {"study": study.id}).all()
    holders = {row.place: row.holders for row in found}
    held = connection.execute(text(HELD), of).all()
    mine, had = {row.place for row in held if row.nth > 0}, {row.place for row in held if row.nth < 0}
    free = {row.place for row in found if holders[row.place] < (row.most or 2**31)} - mine
    order = [place for place in rater_order(study.design.seed, number or 0, len(found)) if place in free]
    return sorted(order, key=lambda place: place not in had)


def held_by(connection: Connection, study: Study, rater: Rater) -> list[int]:
    held = connection.execute(text(HELD), {"study": study.id, "rater": rater.id}).all()
    return [row.place for row in held if row.nth > 0]


class Play:
    """Raters and a manager who do things at random."""

    def __init__(self, birds: Workplace, study: Study, chance: random.Random) -> None:
        self.birds, self.study, self.chance = birds, study, chance
        self.quota: int | None = None
        self.raters = [birds.repository.raters.add(f"S{study.id}R{number}") for number in range(5)]

    def take(self, rater: Rater) -> None:
        """Ask for items, and compare what comes with what every item's assignments say."""
        database, desk = self.birds.repository.database, self.birds.repository.desk
        joined = desk.look(self.study.id, rater).is_known
        with database.read() as connection:
            wanted, before = expected(connection, self.study, rater), held_by(connection, self.study, rater)
        queue = desk.queue(self.study.id, rater, len(before) + 1, self.chance.randint(1, 4))
        with database.read() as connection:
            new = held_by(connection, self.study, rater)[len(before) :]
        if joined:  # else the number is not known before
            assert new == wanted[: len(new)]
            has_all = self.quota is not None and len(before) >= self.quota
            assert new or not wanted or has_all or queue.stopped or queue.total > len(before)

    def answer(self, rater: Rater) -> None:
        items = self.birds.repository.desk.look(self.study.id, rater).items
        self.birds.repository.save(rater, [rating(item, criterion) for item in items for criterion in CRITERIA])

    def give_back(self, rater: Rater) -> None:
        self.birds.repository.managing.release(self.study.id, rater.code, "returned")

    def exclude(self, rater: Rater) -> None:
        self.birds.repository.managing.exclude(self.study.id, rater.code, "too fast")

    def include(self, rater: Rater) -> None:
        self.birds.repository.managing.include(self.study.id, rater.code)

    def fall_silent(self, _: Rater) -> None:
        """Let all unfinished items go to others, as after a month without a sign of life."""
        with self.birds.repository.database.write() as connection:
            release_expired(connection, rules(connection, self.study.id), utc_now() + timedelta(days=30))

    def limit(self, _: Rater) -> None:
        self.quota = self.chance.choice([None, 4, 12])
        self.birds.repository.studies.settle(self.study.id, items_per_rater=self.quota)

    def step(self, _: Rater) -> None:
        state = self.birds.repository.studies.get(self.study.id).state
        then: dict[State, State] = {"running": "paused", "paused": "running"}
        self.birds.repository.studies.step(self.study.id, then[state])

    def erase(self, rater: Rater) -> None:
        self.birds.repository.managing.erase_rater(rater.code, keep_ratings=self.chance.random() < 0.5)
        self.raters.remove(rater)
        self.raters.append(self.birds.repository.raters.add(f"N{secrets.token_hex(4)}".upper()))

    def bring(self, rater: Rater) -> None:
        """Add an item that the rater had, as storage.rating.reassigning does."""
        with self.birds.repository.database.write() as connection:
            held = select(AssignmentRow.item_id).where(AssignmentRow.rater_id == rater.id)
            items = select(ItemRow.id).where(
                ItemRow.study_id == self.study.id, ItemRow.place >= 0, ItemRow.id.not_in(held)
            )
            others = connection.scalars(items.order_by(ItemRow.id)).all()
            mine = (AssignmentRow.study_id == self.study.id, AssignmentRow.rater_id == rater.id)
            lowest = connection.scalar(select(func.min(AssignmentRow.place)).where(*mine))
            if not others or lowest is None:
                return
            item = self.chance.choice(others)
            scores = select(ItemScoreRow.score_id).where(ItemScoreRow.item_id == item)
            row = {"item_id": item, "panels": list(connection.scalars(scores)), "place": min(lowest, 0) - 1, "note": ""}
            row |= {"id": secrets.token_hex(6), "study_id": self.study.id, "rater_id": rater.id}
            connection.execute(insert(AssignmentRow).values(row | {"released_at": utc_now()}))

    def do_anything(self) -> None:
        deeds = [self.take] * 12 + [self.answer] * 6 + [self.give_back, self.exclude, self.include, self.include]
        deeds += [self.bring, self.fall_silent, self.limit, self.step]
        deeds += [self.erase] * (self.chance.random() < 0.3)
        try:
            self.chance.choice(deeds)(self.chance.choice(self.raters))
        except UserError:
            pass  # a rater who has not joined can be neither excluded nor released
        with self.birds.repository.database.read() as connection:
            check_counts(connection, self.study)


@settings(max_examples=8, phases=[Phase.generate], suppress_health_check=list(HealthCheck))
@given(st.randoms(use_true_random=False), st.booleans(), st.sampled_from([1, 2, 3]))
def test_whatever_raters_and_managers_do_kept_counts_are_right_and_the_next_item_is_the_first_free_one(
    workplace: Workplace, tmp_path: Path, chance: random.Random, has_gold: bool, most: int
) -> None:
    if not workplace.repository.studies.has_any():
        import_rows(workplace, tmp_path / "files", rows(40, ("ZorkScore",)))
    study = make_study(workplace, secrets.token_hex(4), size=30, raters_per_item=most)
    if has_gold:
        proposed = gold.proposed(workplace, study, "swapped", 3, 1)
        gold.approve(workplace, study, proposed, "ada")
        workplace.repository.studies.settle(study.id, gold_every=4)
    play = Play(workplace, study, chance)
    with mock.patch.object(assignment, "STEP", 3):
        for _ in range(90):
            play.do_anything()
    with workplace.repository.database.read() as connection:
        check_counts(connection)  # also of the studies of earlier examples

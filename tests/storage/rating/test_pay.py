"""Amounts for each rater, compared with a plain computation from the stored rows, and the lists for platforms."""

import random
from datetime import timedelta
from decimal import Decimal
from pathlib import Path

import pytest
from sqlalchemy import select, update

from core.studies.pay.terms import Terms
from core.studies.planning.recruitment import PRESETS, Arrival
from storage.study_types import Study
from storage.tables import VisitRow
from tests.making import CRITERIA, METRICS, import_rows, make_study, rating, rows
from tests.owed import owed_pounds
from ui.services.studies.pay import pay_list, study_pay
from ui.services.workplace import Workplace

RATE = Terms(currency="GBP", hourly_rate=900, reward=25)


@pytest.fixture
def played(workplace: Workplace, tmp_path: Path) -> Study:
    """A study with twenty raters of a platform: some finish, some leave, some only come."""
    import_rows(workplace, tmp_path / "files", rows(8))
    study = make_study(workplace, metrics=METRICS[:1], raters_per_item=None)
    link, _ = workplace.repository.panel_links.make(study.id, PRESETS[0], None)
    draws = random.Random(7)
    for number in range(20):
        rater = workplace.repository.panel_links.arrive(link, Arrival(f"pid{number:02}", "s", "1"), "Firefox")[0]
        if number % 5 == 4:
            continue
        items = workplace.repository.desk.queue(study.id, rater, 1, 20).items
        for item in items[: 3 if number % 5 == 3 else len(items)]:
            steps = sorted(draws.sample(range(2_000, 400_000), len(CRITERIA)))
            saves = [rating(item, key, 3, in_sight_ms=ms) for key, ms in zip(CRITERIA, steps, strict=True)]
            assert set(workplace.repository.save(rater, saves)) <= {None}
        if number % 5 == 3:
            workplace.repository.visits.leave(study.id, rater)
    _shift(workplace, study)
    return study


def _shift(workplace: Workplace, study: Study) -> None:
    """Move arrivals apart from the first items by one to six minutes."""
    with workplace.repository.database.write() as connection:
        for number, (rater, came) in enumerate(connection.execute(select(VisitRow.rater_id, VisitRow.came_at)).all()):
            here = (VisitRow.rater_id == rater, VisitRow.study_id == study.id)
            connection.execute(update(VisitRow).where(*here).values(came_at=came - timedelta(seconds=60 + 17 * number)))


def test_the_bonus_list_is_right_to_the_penny(workplace: Workplace, played: Study) -> None:
    found = study_pay(workplace, played, RATE)
    wanted = owed_pounds(workplace, 9)
    assert len(wanted) == 16
    by_code = {one.code: one for one in found.raters}
    for code, owed in wanted.items():
        one = by_code[code]
        base = Decimal("0.25") if one.decision == "approve" else Decimal(0)
        assert Decimal(one.owed) / 100 == max(owed, base) and Decimal(one.bonus) / 100 == max(owed, base) - base
    listed = dict(line.split(",") for line in pay_list(workplace, played, found, "bonus").splitlines())
    people = dict(line.split(",") for line in pay_list(workplace, played, found, "ids").splitlines()[1:])
    amounts = {people[one.code]: f"{Decimal(one.bonus) / 100:.2f}" for one in found.raters if one.bonus}
    assert listed == amounts and sum(map(Decimal, listed.values())) == Decimal(found.bonuses) / 100


def test_each_rater_is_on_one_list(workplace: Workplace, played: Study) -> None:
    found = study_pay(workplace, played, RATE)
    lists = {which: pay_list(workplace, played, found, which).split() for which in ("approve", "reject", "return")}
    assert {which: len(ids) for which, ids in lists.items()} == {"approve": 12, "reject": 0, "return": 4}
    waiting = sum(one.decision == "wait" for one in found.raters)
    assert waiting == 4 and len({person for ids in lists.values() for person in ids}) == 16


def test_ids_are_gone_with_the_rater(workplace: Workplace, played: Study) -> None:
    facts = workplace.repository.participants.paid_facts(played.id)
    (code,) = (code for code, one in facts.items() if one.person == "pid00")
    found = study_pay(workplace, played, RATE)
    assert "pid00" in pay_list(workplace, played, found, "ids")
    workplace.repository.erasures.erase_rater(code, keep_ratings=True)
    found = study_pay(workplace, played, RATE)
    ids = pay_list(workplace, played, found, "ids")
    assert "pid00" not in ids and "pid01" in ids

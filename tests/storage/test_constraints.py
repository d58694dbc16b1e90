"""What the database itself refuses, whoever writes to it."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import UniqueConstraint, text
from sqlalchemy.exc import DataError, IntegrityError

from storage.tables import Table
from tests.conftest import copied
from tests.making import make_study, rating
from ui.services.workplace import Workplace

Do = Callable[..., None]


class Kept(Exception):
    """The statement was not refused; raised so that the next test finds the database as it was."""


@pytest.fixture(scope="module")
def rated(birds_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Workplace]:
    """A study with one answer to consistency and one to informativeness; no test changes it for good."""
    with copied(birds_folder, tmp_path_factory.mktemp("rated") / "data") as workplace:
        _rate(workplace)
        yield workplace


def _rate(workplace: Workplace) -> None:
    study = make_study(workplace)
    rater = workplace.repository.raters.add("K7")
    (item,) = workplace.repository.desk.queue(study.id, rater, None, 1).items
    workplace.repository.save(rater, [rating(item, "consistency", 2), rating(item, "informativeness", 2)])
    workplace.repository.links.enter(workplace.repository.links.make(study.id, "K7", 2)[0], "")
    workplace.repository.accounts.add("ada", "admin")
    workplace.repository.audit.add("ada", "study made", "study 1")


@pytest.fixture
def do(rated: Workplace) -> Do:
    """Run one statement past all our own checks; always rolled back, with Kept where nothing refused it."""

    def run(statement: str, **values: Any) -> None:
        with rated.repository.database.write() as connection:
            done = connection.execute(text(statement), values)
            assert done.rowcount != 0, "the statement touched no row: it shows nothing"
            raise Kept

    return run


@pytest.mark.parametrize("point", [0, 5, -1, None, "two", 99])
def test_a_rating_of_consistency_can_only_be_one_to_four(do: Do, point: object) -> None:
    with pytest.raises((IntegrityError, DataError)):
        do("UPDATE ratings SET point = :point WHERE criterion = 'consistency'", point=point)


def test_nought_is_stored_for_the_criterion_that_has_an_abstain_option(do: Do) -> None:
    with pytest.raises(Kept):
        do("UPDATE ratings SET point = 0 WHERE criterion = 'informativeness'")


EVENT = "(request_key, at, received_at, rater_id, assignment_id, kind, score_id, criterion, old_point, new_point, text)"
GIVEN = "(id, study_id, item_id, rater_id, place, panels, note)"
REFUSED = {
    "a rating of an item the rater was not given": "UPDATE ratings SET item_id = (SELECT max(id) FROM items)",
    "a rating of a score the item does not show": (
        "UPDATE ratings SET score_id = (SELECT max(id) FROM scores WHERE id NOT IN (SELECT score_id FROM ratings))"
    ),
    "a second rating of one question": (
        "INSERT INTO ratings SELECT item_id, score_id, rater_id, criterion, study_id, lowest, highest, 4, started_at, "
        "submitted_at, duration_ms, regions_shown, picture_shown, late FROM ratings WHERE criterion = 'consistency'"
    ),
    "an item given to one rater twice": (
        f"INSERT INTO assignments {GIVEN} SELECT 'other', study_id, item_id, rater_id, place + 1, panels, note "
        "FROM assignments"
    ),
    "an assignment of another study's item": "UPDATE assignments SET study_id = 999",
    "a rater's code that is taken": "INSERT INTO raters (code, created_at) SELECT code, created_at FROM raters",
    "two samples of one key": "UPDATE samples SET key = 'same'",
    "a score outside its scale": "UPDATE scores SET value = 1.5",
    "a score that is neither a value nor an error": "UPDATE scores SET value = NULL",
    "an event with a key that was used": f"INSERT INTO events {EVENT} SELECT request_key, at, at, rater_id, "
    "assignment_id, kind, score_id, criterion, old_point, new_point, text FROM events LIMIT 1",
    "taking away a score that was rated": "DELETE FROM scores",
    "taking away a rater who has rated": "DELETE FROM raters",
    "changing an event": "UPDATE events SET new_point = 4",
    "changing the log": "UPDATE audit SET actor = 'eve'",
    "taking away from the log": "DELETE FROM audit",
    "two accounts of one name": "INSERT INTO accounts (name, role, created_at) SELECT name, role, at "
    "FROM accounts, audit",
    "a session of two people": "UPDATE sessions SET account_id = (SELECT id FROM accounts)",
    "a link used more often than it may be": "UPDATE study_links SET used = 9",
}
REASONS = {  # what is refused, and for what reason; None: any
    **dict.fromkeys(REFUSED.values()),
    "DELETE FROM events": "events can only be added",
    "REPLACE INTO events SELECT * FROM events": "events can only be added",
    "REPLACE INTO audit SELECT * FROM audit": "the log can only be added to",
    "UPDATE ratings SET point = 0 WHERE criterion = 'consistency'": "ck_ratings_point",
    "UPDATE ratings SET rater_id = 999": "FOREIGN KEY",
}


@pytest.mark.parametrize(("statement", "reason"), REASONS.items(), ids=[*REFUSED, *[*REASONS][len(REFUSED) :]])
def test_the_database_refuses(do: Do, statement: str, reason: str | None) -> None:
    with pytest.raises(IntegrityError, match=reason):
        do(statement)


def test_rows_that_refer_to_a_score_a_sample_or_a_picture_are_found_by_index() -> None:
    """Deleting 10,000 scores on PostgreSQL read all events 10,000 times; 20 killed copies were never cleared."""
    aimed = {"scores", "samples", "images"}
    for table in Table.metadata.sorted_tables:
        uniques = [one for one in table.constraints if isinstance(one, UniqueConstraint)]
        first = {next(iter(one.columns)).name for one in (*table.indexes, *uniques, table.primary_key)}
        for key in table.foreign_key_constraints:
            if key.referred_table.name in aimed:
                assert first & set(key.column_keys), f"{table.name}: {key.column_keys}"

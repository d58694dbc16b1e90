"""What a study's manager does, and what it does to raters and results."""

from collections import Counter
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import text
from sqlalchemy.exc import IntegrityError

from core.errors import AlreadyExists, BadSetting, NotFound
from storage import Repository
from storage.engine.database import utc_now
from storage.study_types import Rater
from storage.tables import Table
from tests.making import CRITERIA, answer_all, dumped, make_study, note, rating, sound
from ui.services.studies import gold
from ui.services.studies import study_actions as services
from ui.services.workplace import Workplace


def raters(repository: Repository, *codes: str) -> list[Rater]:
    return [repository.raters.add(code) for code in codes]


def rows(workplace: Workplace, table: str) -> int:
    with workplace.repository.database.read() as connection:
        return connection.scalar(text(f"SELECT count(*) FROM {table}")) or 0


def test_a_study_that_does_not_run_gives_out_nothing_and_still_takes_answers(birds: Workplace) -> None:
    repository = birds.repository
    study, (rater, new) = make_study(birds), raters(repository, "K7", "K8")
    (item, *_) = repository.desk.queue(study.id, rater).items
    stops = []
    for state in ("paused", "closed"):
        repository.studies.step(study.id, state)
        queues = [repository.desk.queue(study.id, who) for who in (rater, new)]
        stops.append([(queue.stopped, queue.items, queue.total) for queue in queues])
    assert stops == [[(name, (), 18)] * 2 for name in ("paused", "closed")]
    assert repository.save(rater, [rating(item)]) == (None,)
    repository.studies.step(study.id, "running")
    assert repository.desk.queue(study.id, rater).stopped is None


def test_after_the_dead_line_nothing_is_given_out(birds: Workplace) -> None:
    study, (rater,) = make_study(birds), raters(birds.repository, "K7")
    birds.repository.studies.settle(study.id, deadline=utc_now() + timedelta(hours=1))
    assert birds.repository.desk.queue(study.id, rater).stopped is None
    birds.repository.studies.settle(study.id, deadline=utc_now() - timedelta(seconds=1))
    assert birds.repository.desk.queue(study.id, rater).stopped == "closed"


def test_a_copy_has_the_same_items_and_settings_and_is_a_draft(birds: Workplace) -> None:
    study = make_study(birds, form="expert-side-by-side", size=4, raters_per_item=2, veil=False, uniform=True)
    birds.repository.studies.settle(study.id, items_per_rater=3, hold_hours=2.0)
    copy = birds.repository.studies.get(birds.repository.studies.duplicate(study.id, "again"))
    kept = ("form", "strata", "metrics", "items")
    assert [getattr(copy, name) for name in kept] == [getattr(study, name) for name in kept]
    assert copy.design == replace(study.design, name="again", items_per_rater=3, hold_hours=2.0)
    assert copy.state == "draft"
    birds.repository.studies.step(copy.id, "running")
    captions = []
    for one in (study, copy):
        birds.repository.studies.settle(one.id, items_per_rater=None)
        rater = birds.repository.raters.add(f"R{one.id}")
        answer_all(birds.repository, one, rater)
        captions.append({(r.item, r.sample, r.metric) for r in birds.repository.studies.records(one.id)})
    assert captions[0] == captions[1]
    with pytest.raises(AlreadyExists, match="A study named 'again' already exists"):
        birds.repository.studies.duplicate(study.id, "again")


def test_a_copy_has_gold_practice_and_how_often_gold_comes(birds: Workplace) -> None:
    repository = birds.repository
    study = make_study(birds, metrics=("ZorkScore",), size=5, practice=1, gold_every=2)
    gold.approve(birds, study, gold.proposed(birds, study, "swapped", 2, 1), "ada")
    retired = repository.gold.all(study.id)[0]
    repository.gold.retire(study.id, retired.item)
    copy = repository.studies.get(repository.studies.duplicate(study.id, "again"))
    assert copy.items == 4 and copy.design.gold_every == 2
    kept = [
        [(one.sample, one.scores, one.given) for one in found]
        for found in (repository.gold.all(study.id)[1:], repository.gold.all(copy.id))
    ]
    assert kept[0] == kept[1] and len(kept[1]) == 1
    repository.studies.step(copy.id, "running")
    rater = repository.raters.add("R1")
    assert repository.desk.queue(copy.id, rater).items[0].practice
    answer_all(repository, copy, rater)
    ratings = repository.studies.ratings(copy.id)
    assert set(ratings["role"]) == {"item", "gold", "practice"}
    assert ratings["right"].notna().any()  # the right answers are copied too


def test_who_is_excluded_counts_nowhere_is_kept_and_may_count_again(birds: Workplace) -> None:
    repository = birds.repository
    study, (cheat, honest) = make_study(birds, size=3, raters_per_item=1), raters(repository, "K7", "K8")
    answer_all(repository, study, cheat, point=1)
    repository.managing.exclude(study.id, "K7", "100 items in 0.2 minutes")
    assert repository.desk.queue(study.id, cheat).stopped == repository.desk.standing(study.id, cheat) == "excluded"
    assert {r.left_out for r in repository.studies.records(study.id)} == {"rater excluded: 100 items in 0.2 minutes"}
    assert services.study_report(birds, study).rows == ()
    ids = repository.analysis.table("birds")["id"]
    assert not (repository.analysis.mean_points("birds", "factuality", ids) > 0).any()
    (one, *_) = repository.desk.queue(study.id, honest).items  # others get the items
    repository.save(honest, [rating(one, c, 4) for c in CRITERIA])
    assert {row.mean for row in services.study_report(birds, study).rows} == {4.0}
    repository.managing.include(study.id, "K7")
    assert {r.rater for r in repository.studies.records(study.id) if not r.left_out} == {"K8"}  # K8 has all three
    repository.managing.release(study.id, "K8")
    repository.managing.exclude(study.id, "K7", "once more")
    repository.managing.include(study.id, "K7")
    counted = Counter((r.rater, r.rating) for r in birds.repository.studies.records(study.id) if not r.left_out)
    assert counted == {("K7", 1): 6, ("K8", 4): 3}
    for wrong in ("", " ", "x" * 301):
        with pytest.raises(BadSetting, match="for excluding the rater"):
            repository.managing.exclude(study.id, "K7", wrong)


def test_a_study_is_deleted_whole_by_its_name_and_nothing_else_is(birds: Workplace) -> None:
    repository = birds.repository
    kept, gone = make_study(birds, "kept", size=2), make_study(birds, "gone", size=2, raters_per_item=2)
    (rater,) = raters(repository, "K7")
    for study in (kept, gone):
        answer_all(repository, study, rater)
        repository.links.enter(repository.links.make(study.id, "K7")[0], "")
    repository.desk.queue(gone.id, repository.raters.add("K8"))
    repository.managing.release(gone.id, "K8")
    repository.managing.exclude(gone.id, "K8", "left")
    with pytest.raises(BadSetting, match="enter its exact name, 'gone'. Found: 'Gone'"):
        repository.managing.delete_study(gone.id, "Gone")
    assert repository.managing.delete_study(gone.id, "gone") == 6
    with pytest.raises(NotFound):
        repository.studies.get(gone.id)
    assert sound(repository)
    with repository.database.read() as connection:
        for table in Table.metadata.sorted_tables:
            if "study_id" in table.columns:
                found = connection.scalar(text(f"SELECT count(*) FROM {table.name} WHERE study_id = {gone.id}"))
                assert (table.name, found) == (table.name, 0)
        erased = connection.execute(text("SELECT study, ratings_kept, events_gone, open FROM erasures")).all()
    assert erased == [(gone.id, 0, 6, 0)]
    assert (rows(birds, "events"), rows(birds, "sessions"), rows(birds, "ratings")) == (6, 1, 6)


def test_an_erased_rater_leaves_ratings_without_a_name_or_nothing_as_asked(birds: Workplace) -> None:
    repository = birds.repository
    study, people = make_study(birds, size=2, raters_per_item=3), raters(repository, "K7", "K8")
    for rater in people:
        answer_all(repository, study, rater)
        (item,) = repository.desk.queue(study.id, rater, 1, 1).items
        repository.save(rater, [note(item, f"I am {rater.code} of Elm Street")])
        repository.sessions.start_rater(rater)
        repository.links.make(study.id, rater.code)
    stays, goes = people
    assert repository.managing.erase_rater("K7", keep_ratings=True) == stays.id
    assert repository.managing.erase_rater("K8", keep_ratings=False) == goes.id
    records = list(repository.studies.records(study.id))
    assert {(r.rater, r.note) for r in records} == {(f"erased {stays.id}", "")}
    assert len(records) == 6
    dump = dumped(repository)
    with repository.database.read() as connection:
        said = connection.execute(text("SELECT rater_id, ratings_kept, events_gone, open FROM erasures")).all()
    assert sound(repository)
    assert "Elm Street" not in dump and "'K7'" not in dump and "'K8'" not in dump
    assert said == [(stays.id, 1, 1, 0), (goes.id, 0, 7, 0)]
    assert (rows(birds, "sessions"), rows(birds, "study_links"), rows(birds, "participations")) == (0, 0, 1)
    newcomer = repository.raters.add("K7")  # the code is free, the number is not
    assert newcomer.id not in (stays.id, goes.id)
    answer_all(repository, study, newcomer)  # and so are the items of who is gone without ratings
    assert repository.desk.queue(study.id, newcomer).done == 2
    with pytest.raises(NotFound):
        repository.managing.erase_rater("K9", keep_ratings=True)


def test_events_go_by_an_erasure_and_by_nothing_else(birds: Workplace) -> None:
    study, (rater,) = make_study(birds, size=1), raters(birds.repository, "K7")
    answer_all(birds.repository, study, rater)
    birds.repository.managing.erase_rater("K7", keep_ratings=True)
    for statement in ("DELETE FROM events", "UPDATE events SET old_point = 1", "DELETE FROM erasures"):
        with pytest.raises(IntegrityError), birds.repository.database.write() as connection:
            connection.execute(text(statement))
    with pytest.raises(IntegrityError), birds.repository.database.write() as connection:
        connection.execute(text("UPDATE erasures SET open = true"))

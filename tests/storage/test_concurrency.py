"""Many writers at once: nobody is turned away, nothing is lost, nothing is done twice."""

import multiprocessing
from collections import Counter
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from sqlalchemy import text

from storage import open_repository
from tests.making import CRITERIA, address, answer_all, make_study, opened_again, rating
from ui.services.workplace import Workplace

THREADS = 8


def take_and_give_back(place: str, study: int, number: int, start: Any, taken: Any) -> None:
    """A rater in a process of their own: takes items, leaves now and then, comes back, and answers what there is."""
    repository = open_repository(place)
    rater = repository.raters.add(f"P{number}")
    start.wait()
    for turn in range(3):
        repository.desk.queue(study, rater, None, 2)
        if (number + turn) % 3 == 0 and repository.desk.queue(study, rater).is_known:
            repository.visits.leave(study, rater)
    done = 0
    while items := repository.desk.queue(study, rater).items:
        if items[0].finished:
            break
        repository.save(rater, [rating(items[0], criterion) for criterion in CRITERIA])
        done += 1
    taken.put(done)  # asking the queue once more could take items that somebody has just given back
    repository.close()


def test_twenty_processes_that_take_and_give_back_items_finish_the_study_and_nobody_does_too_much(
    birds: Workplace,
) -> None:
    study, fork = (
        make_study(birds, size=6, metrics=("BlimpCap", "ZorkScore"), raters_per_item=3),
        multiprocessing.get_context("fork"),
    )
    start, taken = fork.Barrier(20), fork.Queue()
    of = (address(birds), study.id)
    birds.repository.close()  # no connection is shared with a child
    people = [fork.Process(target=take_and_give_back, args=(*of, n, start, taken)) for n in range(20)]
    for person in people:
        person.start()
    done = [taken.get(timeout=180) for _ in people]
    for person in people:
        person.join(timeout=60)
    assert [person.exitcode for person in people] == [0] * 20
    repository = opened_again(birds)
    answer_all(repository, study, repository.raters.add("LAST"))  # what the last to leave gave back
    with repository.database.read() as connection:
        held = "SELECT item_id FROM assignments WHERE released_at IS NULL AND finished_at IS NOT NULL"
        counts = Counter(connection.scalars(text(held)))
        open_ones = connection.scalar(text("SELECT count(*) FROM assignments WHERE place > 0 AND finished_at IS NULL"))
    repository.close()
    assert (len(counts), set(counts.values()), open_ones) == (study.items, {3}, 0)
    assert sum(done) <= 36


def test_two_tabs_that_answer_one_question_at_once_leave_one_answer_and_both_events(birds: Workplace) -> None:
    study, rater = make_study(birds), birds.repository.raters.add("K7")
    (item,) = birds.repository.desk.queue(study.id, rater, None, 1).items
    saves = [rating(item, criterion, point) for criterion in CRITERIA for point in (1, 2, 3, 4)]
    with ThreadPoolExecutor(THREADS) as pool:
        list(pool.map(lambda save: birds.repository.save(rater, [save]), saves))
    with birds.repository.database.read() as connection:
        events = connection.execute(text("SELECT criterion, old_point, new_point FROM events ORDER BY id")).all()
        stored = dict(connection.execute(text("SELECT criterion, point FROM ratings")).all())
    assert len(events) == len(saves)
    for criterion in CRITERIA:  # every event starts from what the one before it left
        points = [(old, new) for name, old, new in events if name == criterion]
        assert [old for old, _ in points] == [None, *(new for _, new in points[:-1])]
        assert stored[criterion] == points[-1][1]

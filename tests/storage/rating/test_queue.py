import itertools
from collections import Counter

from sqlalchemy import text

from storage import Repository
from storage.study_types import AssignedItem, Rater, Study
from tests.making import METRICS, import_rows, make_study, opened_again, rating, rows
from ui.services.workplace import Workplace


def all_items(repository: Repository, study: Study, rater: Rater) -> list[AssignedItem]:
    found: list[AssignedItem] = []
    while items := repository.desk.queue(study.id, rater, len(found) + 1, 5).items:
        found += items
    return found


def panels_of(workplace: Workplace, rater: Rater) -> dict[int, list[int]]:
    """Return the score ids of every item of a rater, by the item's place in the study, in the order of panels."""
    panels = "CAST(assignments.panels AS VARCHAR)"
    query = f"SELECT items.place, {panels} FROM assignments JOIN items ON items.id = item_id WHERE rater_id = :r"
    with workplace.repository.database.read() as connection:
        found = connection.execute(text(query), {"r": rater.id}).all()
    return {place: [int(score) for score in panels.strip("[]").split(",")] for place, panels in found}


def test_the_order_is_the_raters_own_and_the_same_after_reopening(birds: Workplace) -> None:
    study = make_study(birds)
    raters = [birds.repository.raters.add(code) for code in ("K7", "K8")]
    first, second = (all_items(birds.repository, study, rater) for rater in raters)
    assert [item.caption for item in first] != [item.caption for item in second]
    reopened = opened_again(birds)
    assert all_items(reopened, study, raters[0]) == first
    assert all_items(reopened, study, raters[1]) == second
    reopened.close()


def test_the_order_comes_from_the_seed_of_the_study(birds: Workplace) -> None:
    studies = [make_study(birds, name, seed=seed) for name, seed in (("a", 1), ("b", 1), ("c", 2))]
    rater = birds.repository.raters.add("K7")
    orders = [[(item.caption, item.panels[0].value) for item in all_items(birds.repository, s, rater)] for s in studies]
    assert orders[0] == orders[1] != orders[2]


def test_items_are_given_out_a_few_at_a_time(birds: Workplace) -> None:
    study, rater = make_study(birds), birds.repository.raters.add("K7")
    queue = birds.repository.desk.queue(study.id, rater)
    assert [item.place for item in queue.items] == [1, 2, 3]
    assert (queue.total, queue.done, queue.resume) == (18, 0, 1)
    with birds.repository.database.read() as connection:
        assert connection.scalar(text("SELECT count(*) FROM assignments")) == 3


def test_asking_far_ahead_does_not_use_up_the_study(birds: Workplace) -> None:
    import_rows(birds, birds.data_dir.parent / "more", rows(40), "flocks")
    study, rater = make_study(birds, dataset="flocks", raters_per_item=1), birds.repository.raters.add("K7")
    assert birds.repository.desk.queue(study.id, rater, 2**62, 3).items == ()
    with birds.repository.database.read() as connection:
        assert connection.scalar(text("SELECT count(*) FROM assignments")) <= 20
    assert birds.repository.desk.queue(study.id, birds.repository.raters.add("K8")).items != ()


def test_work_is_resumed_at_the_first_unfinished_item(birds: Workplace) -> None:
    study, rater = make_study(birds), birds.repository.raters.add("K7")
    items = all_items(birds.repository, study, rater)
    for item in (items[0], items[2]):
        birds.repository.save(rater, [rating(item, c) for c in study.design.criteria])
    birds.repository.save(rater, [rating(items[1])])
    reopened = opened_again(birds)
    queue = reopened.desk.queue(study.id, rater)
    assert (queue.resume, queue.done, queue.total) == (2, 2, 18)
    assert [item.id for item in queue.items] == [item.id for item in items[1:4]]
    assert queue.items[0].panels[0].answers == {"consistency": 3}
    assert [item.finished for item in queue.items] == [False, True, False]
    reopened.close()


def test_panels_of_a_whole_study_are_balanced_for_every_rater_and_every_item(birds: Workplace) -> None:
    study = make_study(birds, form="expert-side-by-side")
    raters = [birds.repository.raters.add(f"K{n}") for n in range(3)]
    for rater in raters:
        all_items(birds.repository, study, rater)
    with birds.repository.database.read() as connection:
        metric_of = dict(connection.execute(text("SELECT id, metric FROM scores")).all())
    orders = {rater.id: panels_of(birds, rater) for rater in raters}
    for rater in raters:
        at = Counter((place, metric_of[s]) for panels in orders[rater.id].values() for place, s in enumerate(panels))
        assert {at[cell] for cell in itertools.product(range(3), METRICS)} == {2}
    for item in range(study.items):
        at = Counter((place, metric_of[s]) for rater in raters for place, s in enumerate(orders[rater.id][item]))
        assert {at[cell] for cell in itertools.product(range(3), METRICS)} == {1}


def test_an_answer_belongs_to_its_panel_wherever_it_stands(birds: Workplace) -> None:
    study, rater = make_study(birds, form="expert-side-by-side"), birds.repository.raters.add("K7")
    for item in all_items(birds.repository, study, rater):
        by_value = sorted(item.panels, key=lambda panel: panel.value)
        birds.repository.save(rater, [rating(item, "consistency", n, panel=p.place) for n, p in enumerate(by_value, 1)])
    records = list(birds.repository.studies.records(study.id))
    assert {(r.metric, r.rating) for r in records} == {(METRICS[n], n + 1) for n in range(3)}


def test_what_is_free_counts_no_item_that_others_have_taken(birds: Workplace) -> None:
    study = make_study(birds, size=6, raters_per_item=1)
    first, second = (birds.repository.raters.add(code) for code in ("K7", "K8"))
    birds.repository.desk.queue(study.id, first, None, 2)
    birds.repository.desk.queue(study.id, second, None, 3)
    queues = [birds.repository.desk.queue(study.id, rater, None, 1) for rater in (first, second)]
    assert [(queue.total, queue.free) for queue in queues] == [(2, 1), (3, 1)]
    assert [progress.total for progress in birds.repository.studies.raters(study.id)] == [2, 3]

"""What an open Studies page asks every three seconds: few statements, and no body where nothing is new."""

import random
from collections.abc import Callable

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.making import CRITERIA, make_study, note, rating
from tests.statements import statements
from tests.ui.conftest import client_of
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace

MOST = 5  # statements of one poll


@pytest.fixture
def visitor(birds: Workplace, api_of: Callable[[Workplace, Judge], FastAPI]) -> TestClient:
    return client_of(api_of(birds, Judge(birds, metrics=())))


def fill(place: Workplace, studies: int, raters: int) -> None:
    """Make studies, every other one with two raters an item, and let every rater answer something in each."""
    repository = place.repository
    people = [repository.raters.add(f"K{n}") for n in range(raters)]
    for number in range(studies):
        study = make_study(place, f"study {number}", raters_per_item=2 if number % 2 else None)
        for n, rater in enumerate(people):
            items = repository.desk.queue(study.id, rater, None, 1 + n % 3).items
            repository.save(rater, [rating(item, c) for item in items[: n % 2 + 1] for c in CRITERIA])


@pytest.mark.parametrize(("studies", "raters"), [(5, 10), (20, 3), (0, 0)])
def test_a_poll_takes_few_statements_whatever_there_is(
    visitor: TestClient, birds: Workplace, studies: int, raters: int
) -> None:
    fill(birds, studies, raters)
    with statements(birds.repository.database) as seen:
        listed = visitor.get("/api/studies")
    assert [len(study["raters"]) for study in listed.json()] == [raters] * studies
    assert len(seen) <= MOST
    with statements(birds.repository.database) as seen:
        again = visitor.get("/api/studies", headers={"if-none-match": listed.headers["etag"]})
    assert (again.status_code, again.content) == (304, b"")
    assert len(seen) == 1


def test_whatever_the_list_shows_is_news_at_the_next_poll(visitor: TestClient, birds: Workplace) -> None:
    repository = birds.repository
    study = make_study(birds, raters_per_item=1)
    first, second = (repository.raters.add(code) for code in ("K7", "K8"))
    tag, before = "", None

    def news() -> bool:
        nonlocal tag, before
        answer = visitor.get("/api/studies", headers={"if-none-match": tag})
        if answer.status_code == 304:
            assert visitor.get("/api/studies").json() == before
            return False
        tag, before = answer.headers["etag"], answer.json()
        return True

    assert news() and not news()
    (item,) = repository.desk.queue(study.id, first, None, 1).items
    assert news() and not news()
    repository.desk.queue(study.id, second, None, 2)  # takes items that the first one could have got
    assert news() and not news()
    repository.save(first, [rating(item, in_sight_ms=60_000)])
    assert news() and not news()
    repository.save(first, [rating(item, point=1, in_sight_ms=120_000)])
    assert news() and not news()
    repository.samples.set_notice("birds", "Of doubtful origin.")
    assert news() and not news()
    make_study(birds, "another")
    assert news() and not news()
    repository.save(first, [note(item, "dark")])
    news()
    assert not news()


def test_a_tag_of_another_data_folder_is_no_news_saved(visitor: TestClient, birds: Workplace) -> None:
    make_study(birds)
    assert visitor.get("/api/studies", headers={"if-none-match": 'W/"other"'}).status_code == 200
    assert visitor.get("/api/studies").headers["cache-control"] == "no-store"


@pytest.mark.parametrize("seed", range(6))
def test_the_list_promises_a_rater_as_many_items_as_the_raters_own_page(birds: Workplace, seed: int) -> None:
    chance, repository = random.Random(seed), birds.repository
    studies = [make_study(birds, f"s{n}", raters_per_item=chance.choice([None, 1, 2, 3])) for n in range(3)]
    people = [repository.raters.add(f"K{n}") for n in range(4)]
    for _ in range(12):
        study, rater = chance.choice(studies), chance.choice(people)
        items = repository.desk.queue(study.id, rater, None, chance.randint(1, 4)).items
        repository.save(rater, [rating(item, c) for item in items[:1] for c in CRITERIA])
    for study, raters in repository.studies.overview():
        assert raters == repository.studies.progress(study.id)
        for progress in raters:
            rater = repository.raters.named(progress.code)
            own = repository.desk.queue(study.id, rater, 1, 1)
            assert (progress.id, progress.total, progress.done) == (rater.id, own.total, own.done)

"""Saves that come while a transaction runs share the next one; what is acknowledged is stored."""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from threading import Event, Thread
from typing import Any

import pytest
from sqlalchemy import text

from core.errors import NotYours, StorageFull, StorageUnavailable
from storage.rating.saving import Results, Sent
from storage.study_types import Rater
from tests.loops import run_async
from tests.making import make_study, rating
from ui.services.studies.answer_batches import MOST_TOGETHER, SaveQueue
from ui.services.workplace import Workplace

SAFETY_S = 60.0
Store = Callable[[Sequence[Sent], float], tuple[Results, ...]]


class Watched:
    """The storing of a repository: notes how many requests each transaction has, and lets the first one wait."""

    def __init__(self, birds: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
        self.store: Store = birds.repository.save_together
        self.transactions: list[int] = []
        self.begun, self.may_go_on = Event(), Event()
        monkeypatch.setattr(birds.repository, "save_together", self)

    def __call__(self, requests: Sequence[Sent], patience_s: float) -> tuple[Results, ...]:
        self.transactions.append(len(requests))
        self.begun.set()
        assert self.may_go_on.wait(SAFETY_S)
        return self.store(requests, patience_s)


async def sent(queue: SaveQueue, watched: Watched, requests: Sequence[Any]) -> list[Any]:
    """Send a first request, and all others while its transaction runs; returns what each was told."""
    first = asyncio.create_task(queue.save(Sent(*requests[0])))
    assert await asyncio.to_thread(watched.begun.wait, SAFETY_S)
    others = [asyncio.create_task(queue.save(Sent(*request))) for request in requests[1:]]
    await asyncio.sleep(0)  # each has come
    watched.may_go_on.set()
    return await asyncio.gather(first, *others, return_exceptions=True)


def made(birds: Workplace, count: int) -> tuple[list[Rater], list[Any]]:
    """Return raters, each with an item."""
    study = make_study(birds)
    raters = [birds.repository.raters.add(f"K{number}") for number in range(count)]
    return raters, [birds.repository.desk.queue(study.id, rater).items[0] for rater in raters]


def events(birds: Workplace) -> list[tuple[int, int]]:
    with birds.repository.database.read() as connection:
        return [tuple(row) for row in connection.execute(text("SELECT rater_id, new_point FROM events ORDER BY id"))]


def test_requests_that_come_while_a_transaction_runs_share_the_next_one(
    birds: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    raters, items = made(birds, 4)
    watched = Watched(birds, monkeypatch)
    requests = [
        (rater, [rating(item, point=place)]) for place, (rater, item) in enumerate(zip(raters, items, strict=True), 1)
    ]
    assert run_async(sent(SaveQueue(birds.repository), watched, requests)) == [(None,)] * 4
    assert watched.transactions == [1, 3]
    assert events(birds) == [(rater.id, place) for place, rater in enumerate(raters, 1)]


def test_one_save_that_comes_twice_is_stored_once(birds: Workplace, monkeypatch: pytest.MonkeyPatch) -> None:
    (rater,), (item,) = made(birds, 1)
    watched, save = Watched(birds, monkeypatch), rating(item)
    told = run_async(
        sent(SaveQueue(birds.repository), watched, [(rater, [rating(item, "consistency")])] + [(rater, [save])] * 3)
    )
    assert told == [(None,)] * 4 and watched.transactions == [1, 3]
    assert len(events(birds)) == 2


def test_saves_about_others_items_are_refused_and_keep_nobody_else_out(
    birds: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    raters, items = made(birds, 3)
    watched = Watched(birds, monkeypatch)
    requests = [(raters[0], [rating(items[0])]), (raters[1], [rating(items[2])]), (raters[2], [rating(items[2])])]
    first, foreign, last = run_async(sent(SaveQueue(birds.repository), watched, requests))
    assert (first, last) == ((None,), (None,)) and isinstance(foreign, NotYours)


def test_a_request_that_breaks_a_transaction_keeps_no_other_out(
    birds: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    raters, items = made(birds, 4)
    watched = Watched(birds, monkeypatch)
    store = watched.store

    def breaking(requests: Sequence[Sent], patience_s: float) -> tuple[Results, ...]:
        if any(one.rater == raters[2] for one in requests):
            raise ZeroDivisionError
        return store(requests, patience_s)

    watched.store = breaking
    requests = [(rater, [rating(item)]) for rater, item in zip(raters, items, strict=True)]
    told = run_async(sent(SaveQueue(birds.repository), watched, requests))
    assert isinstance(told[2], ZeroDivisionError)
    assert [told[0], told[1], told[3]] == [(None,)] * 3
    assert watched.transactions == [1, 3, 1, 1, 1]
    assert [rater for rater, _ in events(birds)] == [raters[0].id, raters[1].id, raters[3].id]


def test_where_nothing_can_be_stored_all_who_wait_are_told_and_the_next_save_is_tried(
    birds: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    raters, items = made(birds, 3)
    watched, queue = Watched(birds, monkeypatch), SaveQueue(birds.repository)
    store = watched.store

    def full(requests: Sequence[Sent], patience_s: float) -> tuple[Results, ...]:
        raise StorageFull

    watched.store = full
    requests = [(rater, [rating(item)]) for rater, item in zip(raters, items, strict=True)]
    told = run_async(sent(queue, watched, requests))
    assert all(isinstance(one, StorageUnavailable) for one in told) and watched.transactions == [1]
    watched.store = store
    assert run_async(queue.save(Sent(*requests[0]))) == (None,)


def test_a_transaction_holds_no_more_saves_than_one_request_may(
    birds: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    (rater,), (item,) = made(birds, 1)
    watched = Watched(birds, monkeypatch)
    watched.store = lambda requests, patience_s: tuple((None,) * len(one.saves) for one in requests)
    sizes = [1, MOST_TOGETHER, 1, MOST_TOGETHER - 1, 1]
    run_async(sent(SaveQueue(birds.repository), watched, [(rater, [rating(item)] * size) for size in sizes]))
    assert watched.transactions == [1, 1, 2, 1]


class AtOnce:
    """A thread pool whose work is done before anybody can ask for it."""

    def submit(self, work: Callable[..., Any], *args: Any) -> Future[Any]:
        done: Future[Any] = Future()
        done.set_result(work(*args))
        return done


def test_a_transaction_that_ends_before_its_callback_is_added_does_not_block_the_server(
    birds: Workplace, monkeypatch: pytest.MonkeyPatch
) -> None:
    raters, items = made(birds, 2)
    queue = SaveQueue(birds.repository)
    monkeypatch.setattr(queue, "_pool", AtOnce())
    done: list[object] = []

    def play() -> None:
        for rater, item in zip(raters, items, strict=True):
            done.append(run_async(queue.save(Sent(rater, [rating(item, "consistency")]))))

    thread = Thread(target=play, daemon=True)
    thread.start()
    thread.join(SAFETY_S / 6)
    assert done == [(None,), (None,)]

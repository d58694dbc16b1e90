import asyncio
import logging
import threading
from collections.abc import Callable, Coroutine, Iterator
from functools import partial
from typing import Any

import pytest

from core.errors import QueueFull, WorkFailed
from tests.loops import run_async
from ui.services.scoring.model_queue import MOST, MOST_EACH, ModelQueue

SAFETY_S = 60.0  # no test takes this long, unless it fails


@pytest.fixture
def queue() -> Iterator[ModelQueue]:
    opened = ModelQueue()
    yield opened
    opened.close()


class Gated:
    """Work that says when it has begun, and ends when it may."""

    def __init__(self) -> None:
        self.begun, self.may_end = threading.Event(), threading.Event()

    def __call__(self) -> str:
        self.begun.set()
        assert self.may_end.wait(SAFETY_S)
        return "done"


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    run_async(asyncio.wait_for(test(), SAFETY_S))


async def entered(*jobs: Coroutine[Any, Any, Any]) -> list[asyncio.Task[Any]]:
    """Send jobs to the queue, in this order."""
    tasks = [asyncio.create_task(job) for job in jobs]
    await asyncio.sleep(0)
    return tasks


def test_clients_take_turns_so_that_one_who_asks_much_holds_up_nobody_else(queue: ModelQueue) -> None:
    order: list[str] = []

    async def test() -> None:
        first = Gated()
        names = ("g1", "g2", "g3", "a1", "b1", "a2")
        jobs = [queue.result(partial(order.append, name), name[0]) for name in names]
        tasks = await entered(queue.result(first, "greedy"), *jobs)
        assert queue.length() == 7
        first.may_end.set()
        await asyncio.gather(*tasks)

    run(test)
    assert order == ["g1", "a1", "b1", "g2", "a2", "g3"]


@pytest.mark.parametrize(("names", "most"), [(("a",), MOST_EACH), (tuple(map(str, range(MOST))), MOST)])
def test_more_than_can_be_done_soon_is_refused(queue: ModelQueue, names: tuple[str, ...], most: int) -> None:
    async def test() -> None:
        first = Gated()
        jobs = [queue.result(lambda: None, names[number % len(names)]) for number in range(most)]
        tasks = await entered(queue.result(first, "first"), *jobs)
        with pytest.raises(QueueFull, match="Too many requests"):
            await queue.result(lambda: None, names[0])
        tasks.pop().cancel()  # who goes away makes room
        await asyncio.sleep(0)
        tasks += await entered(queue.result(lambda: None, names[-1]))
        first.may_end.set()
        await asyncio.gather(*tasks)

    run(test)


# -- giving up


def test_whoever_leaves_while_waiting_is_taken_out_and_those_behind_move_up(queue: ModelQueue) -> None:
    async def test() -> None:
        works = [Gated(), Gated(), Gated()]
        first, second, third = await entered(*map(queue.result, works))
        second.cancel()
        await asyncio.wait([second])  # it has left
        for work in works:
            work.may_end.set()
        assert await first == await third == "done"
        assert not works[1].begun.is_set()

    run(test)


# -- errors


def test_an_error_is_told_in_a_sentence_and_logged_and_the_queue_goes_on(
    queue: ModelQueue, caplog: pytest.LogCaptureFixture
) -> None:
    error = RuntimeError("out of memory")

    def work() -> None:
        raise error

    with caplog.at_level(logging.ERROR), pytest.raises(WorkFailed, match="failed \\(RuntimeError"):
        run_async(queue.result(work))
    assert [record.exc_info and record.exc_info[1] for record in caplog.records] == [error]
    assert run_async(queue.result(lambda: 1)) == 1

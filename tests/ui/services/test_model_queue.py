import asyncio
import logging
import threading
from collections.abc import AsyncGenerator, Callable, Coroutine, Iterator
from functools import partial
from typing import Any

import pytest

from core.errors import Cancelled, QueueFull, WorkFailed
from core.long_work.progress import report
from tests.loops import run_async
from ui.services.scoring.model_queue import MOST, MOST_EACH, Finished, ModelQueue, Told, Waiting, Working

SAFETY_S = 60.0  # no test takes this long, unless it fails


@pytest.fixture
def queue() -> Iterator[ModelQueue]:
    opened = ModelQueue()
    yield opened
    opened.close()


class Gated:
    """Work that says when it has begun and ends when it may, or when a report tells it that nobody waits."""

    def __init__(self, reports: bool = False) -> None:
        self.begun, self.may_end, self.given_up = threading.Event(), threading.Event(), threading.Event()
        self.reports = reports

    def __call__(self) -> str:
        self.begun.set()
        while self.reports and not self.may_end.is_set():
            try:
                report("Waiting for the test", 0, 1)
            except Cancelled:
                self.given_up.set()
                raise
        assert self.may_end.wait(SAFETY_S)
        return "done"


def run(test: Callable[[], Coroutine[Any, Any, None]]) -> None:
    run_async(asyncio.wait_for(test(), SAFETY_S))


async def everything(news: AsyncGenerator[Told[Any]]) -> list[Told[Any]]:
    return [told async for told in news]


async def until(news: AsyncGenerator[Told[Any]], wanted: Told[Any]) -> None:
    async for told in news:
        if told == wanted:
            return
    raise AssertionError(f"never heard {wanted}")


async def has_set(event: threading.Event) -> bool:
    return await asyncio.to_thread(event.wait, SAFETY_S)


# -- what is told


def test_a_job_that_takes_longer_tells_its_place_then_its_latest_progress_then_its_result(queue: ModelQueue) -> None:
    steps = [threading.Event() for _ in range(2)]

    def work() -> str:
        for number in range(2_000):
            report("Loading models", number, 2_000)
        assert steps[0].wait(SAFETY_S)
        report("Comparing regions", 3, 9)
        assert steps[1].wait(SAFETY_S)
        return "x"

    async def test() -> None:
        first = Gated()
        begun, news = queue.run(first), queue.run(work)
        assert [await anext(begun), await anext(news)] == [Waiting(0), Waiting(1)]
        first.may_end.set()
        assert (await everything(begun))[-1] == Finished("done")
        await until(news, Working("Loading models", 1_999, 2_000))
        steps[0].set()
        assert await anext(news) == Working("Comparing regions", 3, 9)
        steps[1].set()
        assert await everything(news) == [Finished("x")]

    run(test)


def test_clients_take_turns_so_that_one_who_asks_much_holds_up_nobody_else(queue: ModelQueue) -> None:
    order: list[str] = []

    async def test() -> None:
        first = Gated()
        begun = queue.run(first, "greedy")
        assert await anext(begun) == Waiting(0)
        rest = [
            asyncio.create_task(everything(queue.run(partial(order.append, name), name[0])))
            for name in ("g1", "g2", "g3", "a1", "b1", "a2")
        ]
        await asyncio.sleep(0)
        assert queue.length() == 7
        first.may_end.set()
        await asyncio.gather(everything(begun), *rest)

    run(test)
    assert order == ["g1", "a1", "b1", "g2", "a2", "g3"]


@pytest.mark.parametrize(("names", "most"), [(("a",), MOST_EACH), (tuple(map(str, range(MOST))), MOST)])
def test_more_than_can_be_done_soon_is_refused(queue: ModelQueue, names: tuple[str, ...], most: int) -> None:
    async def test() -> None:
        first = Gated()
        begun = queue.run(first, "first")
        await anext(begun)
        waiting = [queue.run(lambda: None, names[number % len(names)]) for number in range(most)]
        assert all(isinstance(one, Waiting) for one in await asyncio.gather(*map(anext, waiting)))
        with pytest.raises(QueueFull, match="Wait a moment"):
            await anext(queue.run(lambda: None, names[0]))
        await waiting.pop().aclose()  # who goes away makes room
        again = queue.run(lambda: None, names[-1])
        assert isinstance(await anext(again), Waiting)
        first.may_end.set()
        for one in (begun, again, *waiting):
            await one.aclose()

    run(test)


# -- giving up


def test_whoever_leaves_while_waiting_is_taken_out_and_those_behind_move_up(queue: ModelQueue) -> None:
    async def test() -> None:
        works = [Gated(), Gated(), Gated()]
        first, second, third = (queue.run(work) for work in works)
        assert [await anext(news) for news in (first, second, third)] == [Waiting(0), Waiting(1), Waiting(2)]
        await second.aclose()
        assert await anext(third) == Waiting(1)
        for work in works:
            work.may_end.set()
        await everything(first)
        assert (await everything(third))[-1] == Finished("done")
        assert not works[1].begun.is_set()

    run(test)


def test_work_that_has_begun_ends_at_its_next_report_when_given_up(queue: ModelQueue) -> None:
    async def test() -> None:
        work = Gated(reports=True)
        news = queue.run(work)
        await until(news, Working("Waiting for the test", 0, 1))
        await news.aclose()
        assert await has_set(work.given_up)
        assert (await everything(queue.run(lambda: "next")))[-1] == Finished("next")

    run(test)


# -- errors


def test_an_error_is_told_in_a_sentence_and_logged_and_the_queue_goes_on(
    queue: ModelQueue, caplog: pytest.LogCaptureFixture
) -> None:
    error = RuntimeError("out of memory")

    def work() -> None:
        raise error

    with caplog.at_level(logging.ERROR), pytest.raises(WorkFailed, match="failed \\(RuntimeError"):
        run_async(everything(queue.run(work)))
    assert [record.exc_info and record.exc_info[1] for record in caplog.records] == [error]
    assert run_async(everything(queue.run(lambda: 1))) == [Finished(1)]


# -- closing


def test_closing_tells_those_who_wait_and_ends_what_has_begun(queue: ModelQueue) -> None:
    async def test() -> None:
        works = [Gated(reports=True), Gated()]
        first, second = (queue.run(work) for work in works)
        await asyncio.gather(anext(first), anext(second))
        assert await asyncio.to_thread(queue.close, SAFETY_S)
        assert works[0].given_up.is_set()
        for news in (first, second):
            with pytest.raises(Cancelled, match="is stopping"):
                await everything(news)
        assert not works[1].begun.is_set()
        with pytest.raises(Cancelled, match="is stopping"):
            await everything(queue.run(lambda: 1))

    run(test)

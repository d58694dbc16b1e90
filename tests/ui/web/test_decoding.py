"""Decoding pictures takes turns, and keeps no thread from whoever saves an answer."""

import asyncio
from threading import Event, Lock

from fastapi.concurrency import run_in_threadpool

from tests.loops import run_async
from ui.web.routes import decoding

REQUESTS = 100  # more than there are threads


def test_many_who_wait_for_a_picture_hold_nobody_up_and_are_served_one_at_a_time() -> None:
    free, together, lock = Event(), list[int](), Lock()
    now = 0

    def decode() -> None:
        nonlocal now
        with lock:
            now += 1
            together.append(now)
        assert free.wait(60)
        with lock:
            now -= 1

    async def serve() -> None:
        waiting = [asyncio.create_task(decoding(decode)) for _ in range(REQUESTS)]
        await asyncio.sleep(0)
        assert await asyncio.wait_for(run_in_threadpool(lambda: "saved"), 60) == "saved"
        free.set()
        await asyncio.gather(*waiting)

    run_async(serve())
    assert together == [1] * REQUESTS

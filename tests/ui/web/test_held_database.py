"""A database that another program holds: writers are told to wait, readers and /healthz go on."""

import asyncio
import sqlite3
from collections.abc import Callable
from contextlib import closing

import httpx
import pytest
from fastapi import FastAPI

from tests.loops import run_async
from tests.making import make_study
from tests.ui.conftest import ADDRESS, WRITE, save
from ui.services.scoring.judging import Judge
from ui.services.workplace import DATABASE, Workplace

RATERS = 45  # more than the server has threads
SAFETY_S = 60.0


@pytest.fixture
def app(birds: Workplace, api_of: Callable[[Workplace, Judge], FastAPI], monkeypatch: pytest.MonkeyPatch) -> FastAPI:
    monkeypatch.setattr("ui.services.studies.answer_batches.PATIENCE_S", 0.3)
    return api_of(birds, Judge(birds))


def browser(app: FastAPI) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app)
    return httpx.AsyncClient(transport=transport, base_url=ADDRESS, headers=WRITE, timeout=SAFETY_S)


async def read(client: httpx.AsyncClient) -> list[int]:
    """Return the statuses of what can be read."""
    wanted = ("/api/datasets", "/api/rate/session", "/api/rate/studies", "/healthz")
    asked = asyncio.gather(*(client.get(path) for path in wanted))
    return [answer.status_code for answer in await asyncio.wait_for(asked, SAFETY_S / 4)]


def test_saves_are_refused_for_now_and_hold_no_thread_of_those_who_read(app: FastAPI, birds: Workplace) -> None:
    study = make_study(birds)

    async def serve() -> None:
        async with browser(app) as client:
            assert (await client.post("/api/rate/session", json={"code": "K1"})).status_code == 200
            item = (await client.get(f"/api/rate/studies/{study.id}/items")).json()["items"][0]
            bodies = [{"saves": [save(item)]} for _ in range(RATERS)]
            with closing(held(birds)) as other:
                saves = [asyncio.create_task(client.post("/api/rate/saves", json=one)) for one in bodies]
                await asyncio.sleep(0)
                assert (await read(client))[:3] == [200] * 3
                answers = await asyncio.wait_for(asyncio.gather(*saves), SAFETY_S)
                assert {answer.status_code for answer in answers} == {503}
                assert {answer.headers["retry-after"] for answer in answers} == {"5"}
                assert {answer.json()["kind"] for answer in answers} == {"no_storage"}
                other.rollback()
            again = await client.post("/api/rate/saves", json=bodies[0])
            assert again.json()["results"][0]["saved"]

    run_async(serve())


def held(birds: Workplace) -> sqlite3.Connection:
    """Begin to write as another program, and go no further."""
    other = sqlite3.connect(birds.data_dir / DATABASE, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    return other

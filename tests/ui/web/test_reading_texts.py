"""Texts wait for the parser in a queue: whoever sends many holds up nobody who saves."""

import asyncio
from threading import Event

import httpx
import pytest
from fastapi import FastAPI

from tests.loops import run_async
from tests.ui.conftest import ADDRESS, WRITE, Site
from ui.services.scoring.reading import MOST_TEXTS

CAPTIONS = 60  # more than there are threads
TAKEN = MOST_TEXTS + 1  # of one person: one is read, the others wait
SAFETY_S = 60.0


def person(app: FastAPI, address: str) -> httpx.AsyncClient:
    transport = httpx.ASGITransport(app, client=(address, 1))
    return httpx.AsyncClient(transport=transport, base_url=ADDRESS, headers=WRITE, timeout=SAFETY_S)


def test_captions_that_wait_keep_no_thread_from_others_and_one_person_has_few(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    free = Event()

    def read(caption: str) -> tuple[()]:
        assert free.wait(SAFETY_S)
        return ()

    monkeypatch.setattr("ui.web.routes.inspect.phrases_of", read)

    async def serve() -> list[int]:
        async with person(site.app, "192.0.2.1") as flooder, person(site.app, "192.0.2.2") as other:
            flood = [asyncio.create_task(ask(flooder)) for _ in range(CAPTIONS)]
            answered = asyncio.as_completed(flood)
            refused = [await asyncio.wait_for(next(answered), SAFETY_S) for _ in range(CAPTIONS - TAKEN)]
            assert refused == [429] * (CAPTIONS - TAKEN)
            asked = asyncio.create_task(ask(other))
            health = await asyncio.wait_for(other.get("/healthz"), SAFETY_S)
            free.set()
            return [health.status_code, await asked, *[await one for one in answered]]

    assert run_async(serve()) == [200] * (2 + TAKEN)


async def ask(person: httpx.AsyncClient) -> int:
    return (await person.post("/api/things", json={"text": "a dog"})).status_code

"""The app without a browser: one for all tests of a run, because Gradio takes seconds to import and to build."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import timedelta
from itertools import count
from pathlib import Path
from typing import Any, ClassVar

import pytest
from anyio.from_thread import start_blocking_portal
from argon2 import PasswordHasher
from fastapi import APIRouter, FastAPI
from fastapi.testclient import TestClient
from starlette.routing import BaseRoute

from storage import Repository
from storage.study_types import Study
from tests.making import HOSTILE, draw_pictures, import_rows, make_study, rows, score, write_rows
from ui.services.accounts import passwords
from ui.services.importing.importing import import_files
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace, open_workplace
from ui.settings import Settings

ADDRESS = "http://127.0.0.1"
PASSWORD = "correct horse battery staple"
CHEAP = PasswordHasher(time_cost=1, memory_cost=8, parallelism=1)  # quick, because nobody's password is kept here
WRITE = {"X-Capscope": "1"}
_numbers = count(1)


@dataclass(frozen=True, slots=True)
class Site:
    """A data folder with the app over it, shared by all tests: each makes studies and raters of its own."""

    workplace: Workplace
    app: FastAPI
    samples: list[dict[str, Any]]

    def study(self, **request: Any) -> Study:
        return make_study(self.workplace, f"study {next(_numbers)}", **request)


@pytest.fixture(scope="session")
def app_of() -> Callable[[Workplace], FastAPI]:
    """Build the app over a data folder."""
    from ui.web.server import build_app  # imports Gradio

    return build_app


class Routed(FastAPI):
    """An app that takes over the routes of the first one, because reading them takes longer than many a test."""

    known: ClassVar[dict[int, BaseRoute]] = {}

    def include_router(self, router: APIRouter, **options: Any) -> None:
        if id(router) in self.known:
            self.router.routes.append(self.known[id(router)])
        else:
            super().include_router(router, **options)
            self.known[id(router)] = self.router.routes[-1]


@pytest.fixture(scope="session")
def api_of() -> Iterator[Callable[[Workplace, Judge], FastAPI]]:
    """Build the app without Gradio's pages over a data folder."""
    from ui.web import server  # imports Gradio

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(server, "FastAPI", Routed)
        yield server.build_api


@pytest.fixture(scope="session")
def site(app_of: Callable[[Workplace], FastAPI], tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """Six samples of three metrics, one sample of hostile text, one without its picture."""
    folder = tmp_path_factory.mktemp("site")
    workplace = open_workplace(Settings(data_dir=folder / "data"))
    samples = rows(6)
    import_rows(workplace, folder / "files", samples)
    import_rows(workplace, folder / "files", [hostile_sample(), rows(1)[0] | {"image": "missing.png"}], "hostile")
    yield Site(workplace, app_of(workplace), samples)
    workplace.repository.close()


def hostile_sample() -> dict[str, Any]:
    """Return a sample whose every text is an attack."""
    return {
        "id": HOSTILE,
        "image": "hostile.png",
        "caption": HOSTILE,
        "references": [HOSTILE],
        "scores": [score(HOSTILE, 0.5, signature=HOSTILE, rationales={HOSTILE: HOSTILE})],
    }


@pytest.fixture(scope="session", autouse=True)
def one_loop() -> Iterator[None]:
    """Let all test clients use one event loop, as a server's browsers do: a new one for each request takes longer."""
    with start_blocking_portal() as portal, pytest.MonkeyPatch.context() as patch:
        patch.setattr(TestClient, "portal", portal)
        yield


@pytest.fixture
def cheap(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let the app hash passwords quickly."""
    monkeypatch.setattr(passwords, "PasswordHasher", lambda: CHEAP)


def with_password(repository: Repository, name: str = "ada", role: str = "admin") -> None:
    """Make an account whose password is PASSWORD."""
    repository.accounts.add(name, role)
    token = repository.accounts.new_link(name, timedelta(hours=1))
    passwords.Passwords(repository, CHEAP).set(token, PASSWORD)


def client_of(app: FastAPI, **options: Any) -> TestClient:
    return TestClient(app, base_url=ADDRESS, headers=WRITE, **options)


@pytest.fixture
def client(site: Site) -> TestClient:
    """A browser that has never been here."""
    return client_of(site.app)


@pytest.fixture
def newcomer(site: Site) -> Callable[[], TestClient]:
    """Make browsers whose raters have said who they are."""

    def enter() -> TestClient:
        browser = client_of(site.app)
        browser.code = f"R{next(_numbers)}"  # type: ignore[attr-defined]
        answer = browser.post("/api/rate/session", json={"code": browser.code})  # type: ignore[attr-defined]
        assert answer.status_code == 200, answer.text
        browser.return_key = answer.json()["rater"]["return_key"]  # type: ignore[attr-defined]
        return browser

    return enter


@pytest.fixture
def rater(newcomer: Callable[[], TestClient]) -> TestClient:
    """A browser whose rater has said who they are."""
    return newcomer()


def save(item: dict[str, Any], criterion: str = "consistency", point: Any = 3, **more: Any) -> dict[str, Any]:
    """Return an answer as the page sends it."""
    sent = {"key": f"browser-key-{next(_numbers)}", "assignment": item["id"], "kind": "rating", "age_ms": 10}
    return sent | {"panel": 1, "criterion": criterion, "point": point} | more


@pytest.fixture
def import_file(site: Site, tmp_path: Path) -> Callable[[list[dict[str, Any]]], str]:
    """Import samples into a data set of their own; returns its name."""

    def imported(samples: list[dict[str, Any]]) -> str:
        draw_pictures(tmp_path, samples)
        name = f"set {next(_numbers)}"
        import_files(site.workplace, "jsonl", [write_rows(tmp_path, samples)], name)
        return name

    return imported

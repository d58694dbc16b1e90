"""Tests of what is stored run twice, on SQLite and on PostgreSQL; a module that is about one says so (`kind`)."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from tests.conftest import copied
from tests.postgresql import Postgres
from ui.services.workplace import Workplace


@pytest.fixture(scope="module", params=["sqlite", "postgresql"])
def kind(request: pytest.FixtureRequest) -> str:
    """The kind of database that a test runs on."""
    return str(request.param)


@pytest.fixture
def workplace(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Workplace]:
    """An empty data folder, opened."""
    with opened(kind, "empty", tmp_path / "data", request) as made:
        yield made


@pytest.fixture
def birds(kind: str, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Workplace]:
    """A data folder with the data set birds, opened."""
    with opened(kind, "birds", tmp_path / "data", request) as made:
        yield made


@contextmanager
def opened(kind: str, template: str, to: Path, request: pytest.FixtureRequest) -> Iterator[Workplace]:
    """Copy a data folder, "empty" or "birds", and open it on a database of that kind."""
    folder: Path = request.getfixturevalue(f"{template}_folder")
    if kind == "sqlite":
        with copied(folder, to) as workplace:
            yield workplace
        return
    server: Postgres = request.getfixturevalue("postgres" if template == "empty" else "postgres_birds")
    with copied(folder, to, server.put_back(template)) as workplace:
        yield workplace

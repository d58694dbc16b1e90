"""Data sets on SQLite; test_postgresql looks whether another database holds and finds the same."""

import pytest


@pytest.fixture(scope="module")
def kind() -> str:
    return "sqlite"

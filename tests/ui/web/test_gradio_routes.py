"""Odd requests to Gradio's own routes are refused in one line, without a traceback."""

import logging

import pytest
from fastapi.testclient import TestClient

from tests.ui.conftest import Site, client_of

UNKNOWN = ({"fn_index": 99}, {"fn_index": "score"}, {"fn_index": -1}, {"api_name": "absent"}, {"fn_index": None}, {})
ODD_PATHS = ("/static/", "/assets/", "/svelte/", "/capscope/x/")


@pytest.fixture
def browser(site: Site) -> TestClient:
    return client_of(site.app, raise_server_exceptions=False)


@pytest.mark.parametrize("folder", ODD_PATHS)
@pytest.mark.parametrize("name", ["a" * 300, "a/" * 3000, "%00", "..%2f..%2fetc%2fpasswd"])
def test_a_file_that_cannot_be_there_is_not_found(browser: TestClient, folder: str, name: str) -> None:
    assert browser.get(folder + name).status_code in (400, 403, 404)


@pytest.mark.parametrize("asked", UNKNOWN)
def test_a_call_of_an_unknown_function_is_malformed(
    browser: TestClient, asked: dict[str, object], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.ERROR):
        answer = browser.post("/gradio_api/queue/join", json={"data": [], "session_hash": "abc", **asked})
    assert answer.status_code in (400, 422), answer.text
    # Pages that other tests closed may end while this one runs, which asyncio tells.
    assert all(record.exc_info is None for record in caplog.records if record.name != "asyncio")

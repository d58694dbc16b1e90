from concurrent.futures import ThreadPoolExecutor

import pytest
from fastapi.testclient import TestClient

from core.errors import Cancelled
from core.long_work.progress import report
from ui.services.workplace import Workplace

KEY = "0123456789abcdef" * 2
QUERY = {"dataset": "judged"}


@pytest.fixture
def held(monkeypatch: pytest.MonkeyPatch, workplace: Workplace) -> list[str]:
    """Let the reading of the table wait until it is cancelled; returns what was cancelled."""
    cancelled: list[str] = []
    analysis = workplace.repository.analysis

    def table(dataset: str) -> None:
        while True:
            try:
                report("Reading the scores of 32 samples", 16, 32)
            except Cancelled:
                cancelled.append(dataset)
                raise

    monkeypatch.setattr(type(analysis), "table", lambda _self, dataset: table(dataset))
    return cancelled


def test_a_page_hears_how_far_its_request_is_and_cancels_it(client: TestClient, held: list[str]) -> None:
    with ThreadPoolExecutor(1) as pool:
        asked = pool.submit(client.get, "/api/analyse/metrics", params=QUERY, headers={"X-Capscope-Work": KEY})
        while not ((found := client.get(f"/api/analyse/work/{KEY}").json()) and found["what"]):
            assert not asked.done(), asked.result().text
        assert (found["what"], found["done"], found["total"]) == ("Reading the scores of 32 samples", 16, 32)
        assert client.delete(f"/api/analyse/work/{KEY}").status_code == 200
        answer = asked.result(timeout=60)
    assert (answer.status_code, answer.json()["kind"]) == (500, "cancelled")
    assert held == ["judged"]
    assert client.get(f"/api/analyse/work/{KEY}").json() is None


def test_a_work_that_is_over_is_forgotten_and_a_wrong_key_is_refused(client: TestClient) -> None:
    assert client.get("/api/analyse/metrics", params=QUERY, headers={"X-Capscope-Work": KEY}).status_code == 200
    assert client.get(f"/api/analyse/work/{KEY}").json() is None
    assert client.get("/api/analyse/metrics", params=QUERY, headers={"X-Capscope-Work": "../x"}).status_code == 422
    assert client.get("/api/analyse/work/short").status_code == 422

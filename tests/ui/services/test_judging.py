import asyncio
import json
import socket
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from core.errors import BadSetting, ModelUnavailable
from core.metrics.fleur import Fleur
from core.metrics.judge import GeneralJudge
from core.models import Endpoint
from core.regions import masks
from core.types import ImageRegion
from storage.types import Search, StoredSample
from tests.loops import run_async
from tests.making import rows
from tests.ui.conftest import WRITE, client_of
from tests.ui.fake_metrics import Absent, Blind, Lengths, References, Regions
from ui.services.scoring.judging import Judge, Readiness
from ui.services.workplace import Workplace

FAKES = (Lengths, References, Absent, Regions)
SAFETY_S = 60.0


@pytest.fixture(autouse=True)
def no_weights(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a computer without any weights, whatever this one has."""
    monkeypatch.setattr("core.models.checkpoints.WEIGHTS_FOLDER", tmp_path / "weights")
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_CACHE", str(tmp_path / "hub"))


@pytest.fixture
def judge(birds: Workplace) -> Iterator[Judge]:
    for metric in FAKES:
        metric.loaded.clear()
    made = Judge(birds, FAKES)
    yield made
    made.close()


@pytest.fixture
def sample(birds: Workplace) -> StoredSample:
    """The first sample of the data set birds."""
    return birds.repository.samples.search(Search("birds"), 0, 1).samples[0]


@pytest.fixture
def visitor(birds: Workplace, judge: Judge, api_of: Callable[[Workplace, Judge], FastAPI]) -> TestClient:
    return client_of(api_of(birds, judge))


def judged(judge: Judge, *arguments: Any) -> Any:
    return run_async(judge.judge(*arguments))


def annotated(birds: Workplace, sample: StoredSample) -> StoredSample:
    """Give the sample's picture a region."""
    height, width = 48, 64
    region = ImageRegion(masks.from_counts([0, 48, 48 * 63], (height, width)), (height, width), "edge")
    birds.repository.annotate("birds", {sample.sample.image.name: (region,)})
    return birds.repository.samples.get(sample.id)


def held_at_work(monkeypatch: pytest.MonkeyPatch) -> tuple[threading.Event, threading.Event]:
    """Let Lengths begin and not end; returns what tells that it has begun, and what lets it end."""
    begun, may_end = threading.Event(), threading.Event()

    def hold() -> None:
        begun.set()
        assert may_end.wait(SAFETY_S)

    monkeypatch.setattr(Lengths, "first", staticmethod(hold))
    return begun, may_end


# -- what can judge


def test_a_metric_is_ready_or_says_what_it_needs_first(
    judge: Judge, birds: Workplace, import_bare: Callable[..., StoredSample]
) -> None:
    bare = import_bare({"references": []})
    told = {readiness.metric: readiness for readiness in judge.readiness(bare.id)}
    assert told["Lengths"].ready and told["Lengths"].needs == ()
    assert told["References"].needs == ("references, but this sample has none",)
    assert told["Absent"].needs == ("python app.py models fetch Absent",)
    assert not told["References"].ready and not told["Absent"].ready
    assert [name for name, readiness in told.items() if readiness.shows_regions] == ["HICE-S"]


def test_without_its_picture_no_metric_is_ready(judge: Judge, import_bare: Callable[..., StoredSample]) -> None:
    missing = import_bare({"image": "missing.png"})
    assert {readiness.needs[0] for readiness in judge.readiness(missing.id)} == {"the picture, which was not found"}


def test_a_metric_that_needs_neither_picture_nor_weights_judges_a_sample_whose_picture_is_missing(
    birds: Workplace, import_bare: Callable[..., StoredSample]
) -> None:
    missing, judge = import_bare({"image": "missing.png"}), Judge(birds, (Blind,))
    assert judge.readiness(missing.id) == (Readiness("Blind", True, (), False, False, False),)
    assert judged(judge, missing.id, "Blind", None).value == len(missing.sample.candidate)
    judge.close()


def test_with_annotated_regions_no_picture_encoder_is_asked_for(
    judge: Judge, birds: Workplace, sample: StoredSample
) -> None:
    def needs(wanted: StoredSample) -> str:
        return " ".join(next(one for one in judge.readiness(wanted.id) if one.metric == "HICE-S").needs)

    assert needs(sample) == "python app.py models fetch HICE-S"
    assert not any(weights in needs(annotated(birds, sample)) for weights in ("mobile_sam", "FastSAM", "models fetch"))


# -- judging


def test_a_sample_or_another_caption_of_it_is_judged_and_nothing_is_saved(
    judge: Judge, birds: Workplace, sample: StoredSample
) -> None:
    caption = sample.sample.candidate
    assert judged(judge, sample.id, "lengths", None).value == len(caption)
    assert judged(judge, sample.id, "Lengths", "Seven..").value == 7
    assert birds.repository.samples.get(sample.id) == sample


# -- over HTTP


def answer(visitor: TestClient, **body: Any) -> Any:
    return visitor.post("/api/judge", json=body).json()


def test_an_outcome_with_regions_comes_with_links_to_draw(visitor: TestClient, sample: StoredSample) -> None:
    links = answer(visitor, sample=sample.id, metric="HICE-S")["links"]
    words = (
        "“A c”: supported by halves; its nearest region is left. "
        "Precision 2.000: similarity to the region that fits best."
    )
    assert links["phrases"] == [
        {"text": "A c", "shown": "A c", "start": 0, "end": 3, "kind": "stated", "mark": "correct", "things": []}
        | {"regions": [0], "denied": None, "precision": 2.0, "words": words}
    ]
    half, whole = links["regions"]
    assert (half["name"], half["area"], half["phrase"], half["is_full"]) == ("left", 48 * 32, 0, False)
    assert half["path"].startswith("M") and (whole["path"], whole["is_full"]) == ("", True)


def test_an_error_in_the_work_is_told_and_the_next_sample_is_judged(
    visitor: TestClient, sample: StoredSample, monkeypatch: pytest.MonkeyPatch
) -> None:
    def told_if(error: Exception) -> dict[str, Any]:
        def fail() -> None:
            raise error

        with monkeypatch.context() as patched:
            patched.setattr(Lengths, "first", staticmethod(fail))
            return answer(visitor, sample=sample.id, metric="Lengths")  # type: ignore[no-any-return]

    problem = told_if(ModelUnavailable("no weights"))
    assert ("no weights" in problem["detail"], problem["kind"]) == (True, "model_unavailable")
    assert told_if(BadSetting("no such device"))["kind"] == "bad_request"
    failed = told_if(RuntimeError("CUDA\nout of memory"))["error"]["message"]
    assert "RuntimeError: CUDA out of memory" in failed
    assert answer(visitor, sample=sample.id, metric="Lengths")["value"] is not None


@pytest.mark.parametrize(
    ("change", "status", "words"),
    [
        ({"sample": 99_999}, 404, "no sample with the number 99999"),
        ({"metric": "Nope"}, 404, "no metric 'Nope'"),
        ({"caption": "\ud800"}, 400, "half of a character"),
    ],
)
def test_a_request_that_cannot_be_met_is_refused(
    visitor: TestClient, change: dict[str, Any], status: int, words: str
) -> None:
    body = json.dumps({"sample": 1, "metric": "Lengths"} | change)
    refused = visitor.post("/api/judge", content=body, headers={"content-type": "application/json"})
    assert refused.status_code == status and words in refused.json()["detail"]


def test_a_browser_that_goes_away_gives_its_place_up(
    visitor: TestClient, judge: Judge, sample: StoredSample, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The application is called as uvicorn does: a receive that tells of the disconnect ends the work."""
    begun = threading.Event()
    reports, gone = threading.Event(), asyncio.Event()
    loop: asyncio.AbstractEventLoop

    def hold() -> None:
        from core.long_work.progress import report

        begun.set()
        loop.call_soon_threadsafe(gone.set)
        try:
            while True:
                report("Still at it", 0, 1)
        finally:
            reports.set()

    monkeypatch.setattr(Lengths, "first", staticmethod(hold))
    body = json.dumps({"sample": sample.id, "metric": "Lengths"}).encode()
    messages = [{"type": "http.request", "body": body, "more_body": False}]

    async def receive() -> dict[str, Any]:
        if messages:
            return messages.pop()
        await gone.wait()
        return {"type": "http.disconnect"}

    async def send(message: dict[str, Any]) -> None:
        """Nobody hears it."""

    scope = {
        **{"type": "http", "asgi": {"version": "3.0", "spec_version": "2.3"}, "http_version": "1.1", "method": "POST"},
        **{"path": "/api/judge", "raw_path": b"/api/judge", "query_string": b"", "root_path": "", "scheme": "http"},
        "headers": [(b"host", b"127.0.0.1"), (b"x-capscope", b"1"), (b"content-type", b"application/json")],
        **{"client": ("127.0.0.1", 1), "server": ("127.0.0.1", 80)},
    }

    async def ask() -> None:
        nonlocal loop
        loop = asyncio.get_running_loop()
        await asyncio.wait_for(visitor.app(scope, receive, send), SAFETY_S)  # type: ignore[arg-type]

    run_async(ask())
    assert begun.is_set() and reports.wait(SAFETY_S)
    monkeypatch.undo()
    assert judged(judge, sample.id, "Lengths", None).value == len(sample.sample.candidate)


def test_warming_loads_models_and_saves_nothing(judge: Judge, birds: Workplace, sample: StoredSample) -> None:
    stored = annotated(birds, sample)
    judge.warm("birds")
    judge.warm("no such data set")
    judged(judge, sample.id, "Lengths", None)  # its turn comes after the warming
    assert len(Regions.loaded) == 1
    assert birds.repository.samples.get(sample.id).outcomes == stored.outcomes


def test_stopping_the_server_tells_those_who_wait_and_waits_for_no_model(
    visitor: TestClient, judge: Judge, sample: StoredSample, monkeypatch: pytest.MonkeyPatch
) -> None:
    from ui.web.server import Server

    begun, may_end = held_at_work(monkeypatch)
    listening = socket.create_server(("127.0.0.1", 0))
    server = Server(listening, judge._workplace, judge)
    serving = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    serving.start()
    address = f"http://127.0.0.1:{listening.getsockname()[1]}/api/judge"
    body = {"sample": sample.id, "metric": "Lengths"}
    with (
        httpx.Client(trust_env=False, timeout=SAFETY_S) as client,
        ThreadPoolExecutor(1) as pool,
    ):
        refused = pool.submit(client.post, address, json=body, headers=WRITE)
        assert begun.wait(SAFETY_S)
        server.should_exit = True
        assert "is stopping" in refused.result(SAFETY_S).json()["detail"]
    serving.join(SAFETY_S)
    assert not serving.is_alive() and not judge.close()
    may_end.set()
    assert judge.close(SAFETY_S)


@pytest.fixture
def import_bare(birds: Workplace, tmp_path: Any) -> Callable[[dict[str, Any]], StoredSample]:
    """Import one sample, changed, into a data set of its own."""
    from tests.making import import_rows

    def imported(change: dict[str, Any]) -> StoredSample:
        import_rows(birds, tmp_path / "bare", [rows(1)[0] | {"scores": []} | change], "bare")
        return birds.repository.samples.search(Search("bare"), 0, 1).samples[0]

    return imported


def test_a_model_server_makes_the_metrics_that_can_ask_it_ready(birds: Workplace, sample: StoredSample) -> None:
    metrics = (Fleur, GeneralJudge, Absent)
    alone = Judge(birds, metrics).readiness(sample.id)
    served = Judge(birds, metrics, endpoint=Endpoint("http://gpu:8000/v1")).readiness(sample.id)
    assert [one.ready for one in alone] == [False, False, False]
    assert [one.ready for one in served] == [True, True, False]
    assert alone[1].needs == ("a model server; start Capscope with CAPSCOPE_ENDPOINT",)


def test_who_judges_with_a_model_server_asks_that_server(
    birds: Workplace, sample: StoredSample, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.models.connecting.QUICK_S", 0.05)
    judge = Judge(birds, (Fleur,), endpoint=Endpoint("http://127.0.0.1:9/v1"))
    with pytest.raises(ModelUnavailable, match="http://127.0.0.1:9/v1 gave no answer"):
        judged(judge, sample.id, "FLEUR", "a caption")
    judge.close()

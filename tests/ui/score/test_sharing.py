"""Several servers share the work of one run; limits of requests a minute; servers that go away and come back."""

import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import Request, Response

from core.models.vlm.retries import Patience
from tests.command_line import Ran, Run
from tests.served_llava import ServedLlava, refusal, serving
from tests.ui.test_score_endpoint import SAMPLES


@pytest.fixture
def second(server: ServedLlava) -> ServedLlava:
    return ServedLlava(server.vlm, lock=server.lock, known=server.known)


@pytest.fixture
def other(second: ServedLlava) -> Iterator[str]:
    with serving(second.app()) as address:
        yield address


def shared(run: Run, dataset: str, *urls: str, more: tuple[object, ...] = ()) -> Ran:
    given = [word for url in urls for word in ("--endpoint", url)]
    command = ("score", "FLEUR", "--dataset", dataset, "--option", "side=28", "--parallel", 2, "--json")
    return run(*command, *given, *more)


def judged(server: ServedLlava) -> int:
    return sum("caption" in str(body["messages"]) and body["max_tokens"] > 2 for body in server.asked)


def stored(tmp_path: Path) -> Counter[str]:
    with sqlite3.connect(tmp_path / "data" / "capscope.db") as connection:
        return Counter(row[0] for row in connection.execute("select signature from scores where value is not null"))


def test_two_servers_share_the_work_and_each_sample_is_judged_once(
    run: Run, dataset: str, server: ServedLlava, second: ServedLlava, url: str, other: str, tmp_path: Path
) -> None:
    report = shared(run, dataset, url, other).json
    assert report["scored"] == SAMPLES and list(stored(tmp_path).values()) == [SAMPLES]
    assert set(report["servers"]) == {url, other} and all(count > 5 for count in report["servers"].values())


def test_a_server_that_is_slow_gets_less_work(
    run: Run, dataset: str, server: ServedLlava, second: ServedLlava, url: str, other: str
) -> None:
    connected = threading.Event()

    def held(body: Any) -> None:  # until the other server has judged nearly all
        if "caption" in str(body["messages"]) and body["max_tokens"] > 2:
            connected.wait(60)

    def counted(body: Any) -> None:
        if judged(second) >= SAMPLES - 10:
            connected.set()

    server.instead, second.instead = held, counted
    report = shared(run, dataset, url, other).json
    assert report["scored"] == SAMPLES
    assert report["servers"][url] <= 12 < report["servers"][other]


def test_a_server_that_dies_gives_its_work_to_the_others(
    run: Run, dataset: str, server: ServedLlava, second: ServedLlava, other: str, monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:  # fmt: skip
    monkeypatch.setattr("core.models.vlm.handshake.Patience", lambda: Patience(0.01, 0.1, 60.0, quiet_s=0.0))
    dead, done = threading.Event(), list[Ran]()
    second.instead = lambda body: dead.wait(60) and None if judged(second) > 3 else None

    def dying(body: Any) -> Any:
        if judged(server) > 5:
            dead.set()
            return refusal(503, "going down")
        return None

    server.instead = dying
    with serving(server.app()) as url:
        scoring = threading.Thread(target=lambda: done.append(shared(run, dataset, url, other)))
        scoring.start()
        assert dead.wait(60)
    scoring.join(60)
    report = done[0].json
    assert (report["scored"], report["errors"]) == (SAMPLES, 0)
    assert any(f"{url} does not answer" in record.getMessage() for record in caplog.records)


def test_a_server_that_goes_away_again_while_its_model_is_compared_leaves_its_work_to_the_others(
    run: Run, dataset: str, server: ServedLlava, other: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("core.models.vlm.handshake.Patience", lambda: Patience(0.01, 0.02, 60.0))
    app, broken = server.app(), list[Response]()

    def breaking(body: Any) -> Response | None:
        if judged(server) <= 5 or broken:
            return None
        broken.append(Response(b"", headers={"content-length": "9"}))  # the connection ends before the answer does
        return broken[0]

    @app.middleware("http")
    async def without_lists(request: Request, answer: Callable[[Request], Awaitable[Response]]) -> Response:
        return refusal(503, "going down") if broken and request.method == "GET" else await answer(request)

    server.instead = breaking
    with serving(app) as url:
        report = shared(run, dataset, url, other).json
    assert (report["scored"], report["errors"]) == (SAMPLES, 0)
    assert report["servers"][other] >= SAMPLES - 10


def test_a_server_that_is_down_from_the_start_is_named_and_the_others_work(
    run: Run, dataset: str, url: str, caplog: pytest.LogCaptureFixture
) -> None:
    report = shared(run, dataset, "http://127.0.0.1:9/v1", url).json
    assert report["scored"] == SAMPLES
    (said,) = (record.getMessage() for record in caplog.records)
    assert "This run does not use a server" in said and "http://127.0.0.1:9/v1" in said


def test_a_server_that_refuses_everything_ends_the_run_instead_of_eating_the_samples_of_the_others(
    run: Run, dataset: str, second: ServedLlava, url: str, other: str
) -> None:
    second.instead = lambda body: refusal(400, "no pictures") if judged(second) > 2 else None
    ran = shared(run, dataset, url, other)
    assert ran.code == 2 and f"{other} refused 20 requests in a row" in ran.err and "no pictures" in ran.err


def test_when_no_server_answers_all_are_named(run: Run, dataset: str) -> None:
    ran = shared(run, dataset, "http://127.0.0.1:9/v1", "http://127.0.0.1:10/v1")
    assert ran.code == 2 and "127.0.0.1:9/v1" in ran.err and "127.0.0.1:10/v1" in ran.err


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"tells": {"model": "another"}}, "model is llava at"),
        ({"tells": {"system_fingerprint": "fp_2"}}, "fingerprint is None at"),
        ({"knows_token_ids": False}, "digits is exact at"),
        ({"name": "/models/llava"}, "need different requests"),
    ],
)
def test_servers_that_would_not_give_the_same_scores_are_refused_with_the_difference(
    run: Run, dataset: str, second: ServedLlava, url: str, other: str, change: dict[str, Any], said: str, tmp_path: Path
) -> None:
    for name, value in change.items():
        setattr(second, name, value)
    ran = shared(run, dataset, url, other)
    assert ran.code == 2 and said in ran.err and "one run cannot use them together" in ran.err and not stored(tmp_path)


def test_an_address_that_is_given_twice_is_one_server(run: Run, dataset: str, url: str) -> None:
    assert list(shared(run, dataset, url, url, more=("--limit", 3)).json["servers"]) == [url]


def test_a_server_that_comes_back_with_another_model_is_noticed_without_a_fingerprint(
    run: Run, dataset: str, server: ServedLlava, tmp_path: Path
) -> None:
    server.tells = {"system_fingerprint": None}
    app, half, done = server.app(), threading.Event(), list[Ran]()

    def dying(body: Any) -> Any:
        if judged(server) <= 20:
            return None
        half.set()
        return refusal(503, "going down")

    server.instead = dying
    with serving(app) as url:
        port = int(url.split(":")[2].partition("/")[0])
        scoring = threading.Thread(target=lambda: done.append(shared(run, dataset, url)))
        scoring.start()
        assert half.wait(60)
    server.instead, server.root = (lambda body: None), "/models/llava-finetuned"
    with serving(app, port):
        scoring.join(60)
    assert done[0].code == 2 and "came back with another model" in done[0].err and "llava-finetuned" in done[0].err
    assert 0 < sum(stored(tmp_path).values()) <= 20


def test_a_server_that_is_away_and_back_is_told_in_the_log(
    run: Run, dataset: str, server: ServedLlava, url: str, caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:  # fmt: skip
    monkeypatch.setattr("core.models.vlm.handshake.Patience", lambda: Patience(0.01, 0.02, 60.0, quiet_s=0.0))
    busy = [refusal(503, "loading the model")] * 6
    server.instead = lambda body: busy.pop() if busy and judged(server) > 5 else None
    assert shared(run, dataset, url).json["scored"] == SAMPLES
    said = [record.getMessage() for record in caplog.records]
    assert any("does not answer (503: loading the model)" in one for one in said)
    assert any("answers again after" in one for one in said)


def test_no_more_requests_begin_than_the_rate_allows(run: Run, dataset: str, server: ServedLlava, url: str) -> None:
    begun = list[float]()
    server.instead = lambda body: begun.append(time.monotonic())
    assert shared(run, dataset, url, more=("--limit", 10, "--rate", 600)).json["scored"] == 10
    assert begun[-1] - begun[0] > 0.08 * (len(begun) - 1)  # a tenth of a second apart, less what the first was late


def test_tokens_a_minute_are_kept_to_and_need_a_server_that_counts(
    run: Run, dataset: str, server: ServedLlava, url: str
) -> None:
    server.tells = {"usage": None}
    ran = shared(run, dataset, url, more=("--tokens-per-min", 1000))
    assert ran.code == 2 and "does not report the number of tokens of a request" in ran.err
    begun = list[float]()
    server.instead = lambda body: begun.append(time.monotonic())
    server.tells = {"usage": {"prompt_tokens": 90, "completion_tokens": 10, "total_tokens": 100}}
    assert shared(run, dataset, url, more=("--limit", 10, "--tokens-per-min", 60_000)).json["scored"] == 10
    assert begun[-1] - begun[0] > 0.08 * (len(begun) - 1)

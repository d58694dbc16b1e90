"""Calls of other programs, through gradio_client to a real server, as docs/how-to/call-from-programs.md shows them."""

from __future__ import annotations

import base64
import re
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from core.metrics.bleu import Bleu4
from core.models import Checkpoint
from tests.making import import_rows, make_study, picture, rows
from tests.pages import blocks
from tests.ui.conftest import PASSWORD, with_password
from tests.ui.fake_metrics import Absent, Lengths, References, Regions
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace, open_workplace
from ui.setting_values import PublicUrl
from ui.settings import Settings

MARK = {"X-Capscope": "1"}
LONGEST_S = 120


class Clip(Lengths):
    """Stands for a metric whose weights are there."""

    name = "CLIPScore"


@dataclass(frozen=True)
class House:
    """A server that programs can reach."""

    workplace: Workplace
    judge: Judge
    url: str

    def client(self, **more: Any) -> Any:
        from gradio_client import Client

        return Client(self.url, headers=MARK, analytics_enabled=False, verbose=False, **more)

    def account(self, role: Any) -> dict[str, str]:
        """Cookies of somebody who has signed in, as the page does it."""
        name = f"{role}@lab.example"
        with_password(self.workplace.repository, name, role)
        browser = httpx.Client(base_url=self.url)
        assert browser.post("/sign-in", data={"name": name, "password": PASSWORD}).status_code == 303
        return dict(browser.cookies)


@contextmanager
def serving(workplace: Workplace, public: bool = False) -> Iterator[House]:
    import uvicorn

    from ui.web.server import build_app

    listening = socket.create_server(("127.0.0.1", 0))
    host = f"127.0.0.1:{listening.getsockname()[1]}"
    settings = Settings(warm=False, public_url=PublicUrl("http", host) if public else None)
    judge = Judge(workplace, (Regions, Clip, Lengths, References, Absent, Bleu4))
    server = uvicorn.Server(
        uvicorn.Config(build_app(workplace, judge, settings), log_level="error", timeout_graceful_shutdown=1)
    )
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        thread.join(0.02)
    yield House(workplace, judge, f"http://{host}")
    judge.close()
    server.should_exit = True
    thread.join(LONGEST_S)
    listening.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("programs")


@pytest.fixture(scope="module")
def house(folder: Path) -> Iterator[House]:
    """On this machine alone, without sign-in."""
    workplace = open_workplace(Settings(data_dir=folder / "data"))
    import_rows(workplace, folder / "files", rows(3))
    picture(folder / "dogs.jpg")
    with serving(workplace) as served:
        yield served
    workplace.repository.close()


def until(true: Callable[[], bool]) -> None:
    waited = threading.Event()
    for _ in range(LONGEST_S * 50):
        if true():
            return
        waited.wait(0.02)
    raise AssertionError("it did not come to pass")


def test_the_page_runs_as_it_stands(
    house: House, folder: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = house.workplace.repository.samples.get(1)
    monkeypatch.chdir(folder)
    names: dict[str, Any] = {}
    exec(blocks("how-to/call-from-programs.md", "python")[0].replace("http://127.0.0.1:7860", house.url), names)
    assert [one["metric"] for one in names["metrics"]] == [m.name for m in house.judge.metrics()]
    stored = names["stored"]
    assert (stored["value"], [one["text"] for one in stored["explanation"]["phrases"]]) == (1.25, ["A m"])
    assert names["job"].result()["value"] == len("Two dogs run.")
    assert "CLIPScore" in capsys.readouterr().out
    assert house.workplace.repository.samples.get(1) == before  # nothing was kept
    assert len(list((folder / "data").glob("received-*"))) == 0


def test_what_cannot_be_judged_is_told_in_a_sentence(house: House, folder: Path) -> None:
    from gradio_client.exceptions import AppError

    client = house.client()
    sent = base64.b64encode((folder / "dogs.jpg").read_bytes()).decode()
    wrong: list[tuple[str, dict[str, Any]]] = [
        ("There is no metric", {"metric": "Lengthy", "sample": 1}),
        ("sample: Input should be a valid integer", {"metric": "Lengths", "sample": "1"}),
        ("caption: String should have at most", {"metric": "Lengths", "sample": 1, "caption": "x" * 20_001}),
        ("number of a sample, or a picture", {"metric": "Lengths", "caption": "A dog."}),
        ("a sample or a picture, not both", {"metric": "Lengths", "sample": 1, "picture": sent}),
        ("Write a caption", {"metric": "BLEU-4", "references": ["A dog."]}),
        ("no sample", {"metric": "Lengths", "sample": 99}),
        ("Write a caption", {"metric": "Lengths", "picture": sent}),
        ("base64", {"metric": "Lengths", "caption": "A dog.", "picture": "../../etc/passwd"}),
        (
            "no picture of a supported format",
            {"metric": "Lengths", "caption": "A dog.", "picture": base64.b64encode(b"no picture").decode()},
        ),
    ]
    for told, asked in wrong:
        with pytest.raises(AppError, match=f"(?i){re.escape(told)}"):
            client.predict(api_name="/score", **asked)
    missing = client.predict("References", sample=1, references=[], api_name="/score")
    assert missing == {"metric": "References", "error": missing["error"]}
    assert missing["error"]["kind"] == "missing_references"
    assert client.predict("References", sample=1, api_name="/score")["value"] == len("A caption with number 0.")


def test_a_metric_of_words_scores_a_caption_and_references_without_a_picture(house: House) -> None:
    client, asked = house.client(), {"caption": "A dog runs fast.", "references": ["A dog runs fast.", "Dogs."]}
    assert client.predict("BLEU-4", **asked, api_name="/score")["value"] == pytest.approx(1.0)
    alone = client.predict("BLEU-4", caption="A dog runs.", api_name="/score")["error"]
    assert alone["kind"] == "missing_references" and "this caption has none" in alone["message"]


def test_models_tells_what_can_judge_a_sent_picture_and_what_a_picture_with_regions(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """HICE-S needs downloads for a picture that is sent, and none of them for annotated regions."""
    found = Checkpoint("boxes", "no-such-file.pt", "1", 0.1, "MIT", needed="found")
    monkeypatch.setattr(Regions, "checkpoints", (found,))
    listed = {one["metric"]: one for one in house.client().predict(api_name="/models")}
    assert (listed["HICE-S"]["ready"], listed["HICE-S"]["ready_with_regions"]) == (False, True)
    assert (listed["Lengths"]["ready"], listed["Lengths"]["ready_with_regions"]) == (True, True)


def test_pages_of_other_sites_call_nothing(house: House) -> None:
    body = {"data": [], "fn_index": 0, "session_hash": "x"}
    join, data = f"{house.url}/gradio_api/queue/join", f"{house.url}/gradio_api/queue/data?session_hash=x"
    assert httpx.post(join, json=body).status_code == 403
    assert httpx.post(join, json=body, headers=MARK | {"Origin": "http://evil.example"}).status_code == 403
    assert httpx.get(data, headers=MARK | {"Sec-Fetch-Site": "cross-site"}).status_code == 403
    info = httpx.get(f"{house.url}/gradio_api/info").json()
    assert set(info["named_endpoints"]) == {"/score", "/explain", "/models"}


def test_where_people_sign_in_programs_may_what_their_accounts_may(birds: Workplace, folder: Path) -> None:
    from gradio_client.exceptions import AppError

    study = make_study(birds)
    link = birds.repository.links.make(study.id)[1]
    asked = {"caption": "A dog.", "picture": base64.b64encode(picture(folder / "a.png").read_bytes()).decode()}
    with serving(birds, public=True) as house:
        body = {"data": [], "fn_index": 0, "session_hash": "x"}
        for headers in (MARK, MARK | {"X-Capscope-Link": link}):
            assert httpx.post(f"{house.url}/gradio_api/queue/join", json=body, headers=headers).status_code == 401
            assert httpx.get(f"{house.url}/gradio_api/info", headers=headers).status_code == 401
        viewer = house.client(httpx_kwargs={"cookies": house.account("viewer")})
        assert viewer.predict("Lengths", caption="A dog.", sample=1, api_name="/score")["value"] == 6
        with pytest.raises(AppError, match="Only a researcher's account"):
            viewer.predict("Lengths", api_name="/score", **asked)
        (code,) = [block for block in blocks("how-to/call-from-programs.md", "python") if "sign-in" in block]
        house.account("researcher")
        names: dict[str, Any] = {"Client": type(viewer)}
        code = code.replace("https://rate.example.org", house.url).replace('"ann"', '"researcher@lab.example"')
        exec(code.replace('"…"', repr(PASSWORD)), names)
        assert names["capscope"].predict("Lengths", api_name="/score", **asked)["value"] == 6
        assert birds.repository.samples.datasets()[0].name == "birds" and len(birds.repository.samples.datasets()) == 1

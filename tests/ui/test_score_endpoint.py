"""`score --endpoint`: a data set judged over real HTTP, by a server that does not always answer."""

import json
import shutil
import sqlite3
import threading
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.command_line import Run, command_line
from tests.conftest import copied
from tests.served_llava import ServedLlava, refusal, served_llava, serving
from tests.toy_llava import shared_toy_llava
from ui.services.importing.importing import import_files

SAMPLES = 80


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_toy_llava(tmp_path_factory)


@pytest.fixture
def server(folder: Path) -> ServedLlava:
    return served_llava(folder)


@pytest.fixture
def url(server: ServedLlava) -> Iterator[str]:
    with serving(server.app()) as address:
        yield address


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Run:
    monkeypatch.setattr("core.models.served.FIRST_PAUSE_S", 0.01)
    monkeypatch.setattr("core.models.served.LONGEST_PAUSE_S", 0.1)
    monkeypatch.setattr("core.models.connecting.PATIENCE_S", 60.0)
    monkeypatch.setattr("core.models.connecting.QUICK_S", 0.1)
    return command_line(tmp_path / "data", capsys)


@pytest.fixture(scope="module")
def toys(empty_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with pictures and a data folder, whose data set "toys" has 80 captions of 20 pictures; to be copied."""
    made = tmp_path_factory.mktemp("toys")
    pictures = made / "pictures"
    pictures.mkdir()
    random = np.random.default_rng(1)
    for index in range(20):
        Image.fromarray(random.integers(0, 255, (20, 30, 3), dtype=np.uint8)).save(pictures / f"{index}.png")
    lines = [{"image": f"{n % 20}.png", "caption": f"caption {n}", "references": ["a"]} for n in range(SAMPLES)]
    (made / "toys.jsonl").write_text("\n".join(map(json.dumps, lines)))
    return folder_with(empty_folder, made / "toys.jsonl", pictures).parent


def folder_with(empty_folder: Path, table: Path, pictures: Path) -> Path:
    """Return a data folder with a data set of the table's name."""
    with copied(empty_folder, table.parent / "data") as workplace:
        import_files(workplace, "jsonl", [table], image_folders=[pictures])
    return table.parent / "data"


@pytest.fixture
def dataset(toys: Path, tmp_path: Path) -> str:
    """The data set toys in the data folder of the command line, and its pictures beside it."""
    for name in ("data", "pictures"):
        shutil.copytree(toys / name, tmp_path / name)
    with closing(sqlite3.connect(tmp_path / "data" / "capscope.db", isolation_level=None)) as connection:
        connection.execute("UPDATE images SET path = replace(path, ?, ?)", (str(toys), str(tmp_path)))
    return "toys"


def score(run: Run, dataset: str, url: str, *more: object) -> Any:
    side = ("--option", "side=28")
    return run("score", "FLEUR", "--dataset", dataset, "--endpoint", url, *side, "--json", *more)


def stored(tmp_path: Path) -> list[tuple[int, float | None]]:
    with sqlite3.connect(tmp_path / "data" / "capscope.db") as connection:
        return connection.execute("select sample_id, value from scores order by sample_id").fetchall()


def test_a_server_that_dies_midway_and_comes_back_costs_no_sample_and_doubles_none(
    run: Run, dataset: str, server: ServedLlava, tmp_path: Path
) -> None:
    app, half = server.app(), threading.Event()

    def dying(body: Any) -> Any:  # what comes after half of them is for the one that comes back
        if len(server.asked) <= SAMPLES // 2:
            return None
        half.set()
        return refusal(503, "going down")

    server.instead = dying
    with serving(app) as url:
        port = int(url.split(":")[2].partition("/")[0])
        done: list[Any] = []
        scoring = threading.Thread(target=lambda: done.append(score(run, dataset, url)))
        scoring.start()
        assert half.wait(60)
    assert scoring.is_alive()
    server.instead = lambda body: None
    with serving(app, port):
        scoring.join(120)
    report = done[0].json
    assert (report["scored"], report["errors"], report["left"]) == (SAMPLES, 0, 0)
    assert len({sample for sample, _ in stored(tmp_path)}) == len(stored(tmp_path)) == SAMPLES


def test_a_run_that_is_stopped_keeps_what_was_answered_and_goes_on_with_the_rest(
    run: Run, dataset: str, server: ServedLlava, url: str, tmp_path: Path
) -> None:
    server.instead = lambda body: refusal(401, "key expired") if len(server.asked) > 40 else None
    ran = score(run, dataset, url)
    assert ran.code == 2 and "key expired" in ran.err
    kept = len(stored(tmp_path))
    assert 30 <= kept <= 40
    server.instead = lambda body: None
    report = score(run, dataset, url).json
    assert (report["known"], report["scored"]) == (kept, SAMPLES - kept)
    assert len(stored(tmp_path)) == SAMPLES


def test_the_environment_names_server_and_model(run: Run, dataset: str, url: str, folder: Path) -> None:
    command = ("score", "FLEUR", "--dataset", dataset, "--limit", 1, "--option", "side=28", "--json")
    assert "|engine:" in run(*command, CAPSCOPE_ENDPOINT=url).json["signature"]
    assert "|engine:" not in run(*command, "--model", folder, CAPSCOPE_ENDPOINT=url).json["signature"]
    ran = run(*command, CAPSCOPE_ENDPOINT=url, CAPSCOPE_ENDPOINT_MODEL="nope")
    assert ran.code == 2 and "serves no model 'nope'" in ran.err


def test_models_tells_whether_the_server_answers(run: Run, url: str) -> None:
    assert f"{url} answers: vllm-0.0.0 with llava" in run("models", CAPSCOPE_ENDPOINT=url).out
    assert "http://127.0.0.1:9/v1 gave no answer" in run("models", CAPSCOPE_ENDPOINT="http://127.0.0.1:9").out


def test_a_run_stops_when_the_server_refuses_samples_in_a_row(
    run: Run, dataset: str, server: ServedLlava, url: str, tmp_path: Path
) -> None:
    server.instead = lambda body: refusal(400, "no pictures today") if "caption" in str(body["messages"]) else None
    ran = score(run, dataset, url, "--max-errors", 10)
    assert ran.code == 2 and "refused 10 samples in a row" in ran.err and "no pictures today" in ran.err
    refused = len(stored(tmp_path))
    assert 10 <= refused < SAMPLES
    server.instead = lambda body: None
    report = score(run, dataset, url, "--limit", 5, "--max-errors", 1).json
    assert (report["scored"], report["errors"]) == (5, 0)
    server.instead = lambda body: refusal(400, "no") if "caption" in str(body["messages"]) else None
    assert score(run, dataset, url, "--limit", 3).code == 3  # the server refuses all of them


def test_missing_pictures_are_no_refusals_of_the_server(
    run: Run, dataset: str, server: ServedLlava, url: str, tmp_path: Path
) -> None:
    for picture in (tmp_path / "pictures").iterdir():
        picture.unlink()
    report = score(run, dataset, url, "--max-errors", 1).json
    assert (report["errors"], report["left"]) == (SAMPLES, 0)

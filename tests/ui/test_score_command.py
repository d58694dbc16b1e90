import json
import os
import signal
import sqlite3
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from PIL import Image

from tests.command_line import Run
from tests.toy_llava import shared_toy_llava

ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture(scope="module")
def toy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return shared_toy_llava(tmp_path_factory)


@pytest.fixture
def pictures(tmp_path: Path) -> list[Path]:
    folder = tmp_path / "pictures"
    folder.mkdir()
    random = np.random.default_rng(1)
    paths = [folder / f"{index}.png" for index in range(3)]
    for path in paths:
        Image.fromarray(random.integers(0, 255, (20, 30, 3), dtype=np.uint8)).save(path)
    return paths


@pytest.fixture
def dataset(tmp_path: Path, pictures: list[Path], run: Run) -> int:
    """A data set "toys" of 9 samples on 3 pictures, one of which cannot be read any more."""
    rows = [
        {"image": path.name, "caption": f"caption {number} of {path.stem}", "references": ["a thing"]}
        for number in range(3)
        for path in pictures
    ]
    file = tmp_path / "toys.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    assert run("import", "jsonl", file, "--images", pictures[0].parent)[0] == 0
    pictures[2].write_bytes(b"no longer a picture")
    return len(rows)


def scores(tmp_path: Path) -> list[tuple[object, ...]]:
    with sqlite3.connect(tmp_path / "data" / "capscope.db") as connection:
        return connection.execute(
            "select sample_id, signature, value, error_kind, explained from scores order by sample_id, signature"
        ).fetchall()


def test_one_sample_is_scored_and_explained_as_json_and_without_a_score_exits_with_3(
    run: Run, toy: Path, pictures: list[Path]
) -> None:
    asked = ("--image", pictures[0], "--caption", "a dog", "--model", toy, "--json")
    result = run("score", "FLEUR", *asked, "--explain").json
    assert set(result) == {"metric", "value", "signature", "components", "explanation", "seconds"}
    assert result["metric"] == "FLEUR" and 0 <= result["value"] <= 1
    assert len(result["components"]["p"]) == 10 and result["components"]["p_mass"] <= 1
    assert set(result["explanation"]) == {"rationales", "phrases", "regions"}
    assert result["explanation"]["rationales"]["overall"]
    assert "dtype:float32" in result["signature"] and "explanation:smoothed" in result["signature"]
    failed = run("score", "RefFLEUR", *asked, "--reference", " ")
    error = json.loads(failed.out)
    assert failed.code == 3 and set(error) == {"metric", "error"} and error["metric"] == "RefFLEUR"
    assert error["error"]["kind"] == "missing_text"


def test_metrics_of_words_need_references_and_no_picture(run: Run) -> None:
    caption = ["--caption", "A dog runs on grass.", "--reference", "A dog runs on the grass.", "--reference", "Dogs."]
    for metric, value in (("BLEU-1", 0.8187), ("BLEU-4", 0.5789), ("ROUGE-L", 0.8944)):
        ran = run("score", metric, *caption, "--json")
        assert ran.code == 0 and json.loads(ran.out)["value"] == pytest.approx(value, abs=5e-4)
    assert "needs --caption TEXT and --reference TEXT" in run("score", "BLEU-4", "--caption", "a dog").err
    assert "needs --dataset NAME" in run("score", "CIDEr", *caption).err


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["nope", "--image", "PICTURE", "--caption", "c"], "There is no metric"),
        (["FLEUR"], "--image FILE and --caption TEXT, or --dataset"),
        (["FLEUR", "--dataset", "x", "--caption", "c"], "Remove them"),
        (["FLEUR", "--dataset", "x"], "There is no data set 'x'"),
        (["FLEUR", "--image", "gone.png", "--caption", "c"], "gone.png"),
        (["FLEUR", "--image", "PICTURE", "--caption", "c", "--option", "dtype"], "NAME=VALUE"),
        (["FLEUR", "--image", "PICTURE", "--caption", "c", "--option", "order=up"], "order must be"),
        (["FLEUR", "--image", "PICTURE", "--caption", "c"], "models fetch FLEUR"),
    ],
)
def test_a_mistake_is_one_line_and_exits_with_2(
    run: Run, pictures: list[Path], arguments: list[str], message: str
) -> None:
    code, out, err = run("score", *(str(pictures[0]) if a == "PICTURE" else a for a in arguments))
    assert (code, out) == (2, "") and message in err and len(err.splitlines()) == 1


def test_a_data_set_is_scored_in_parts_and_errors_are_tried_again(
    run: Run, toy: Path, dataset: int, pictures: list[Path], tmp_path: Path
) -> None:
    def report(*more: object) -> tuple[int, int, int, int]:
        ran = run("score", "FLEUR", "--dataset", "toys", "--model", toy, "--option", "batch=4", "--json", *more).json
        return ran["scored"], ran["errors"], ran["known"], ran["left"]

    assert report("--limit", 2) == (2, 0, 0, dataset - 2)
    assert report() == (4, 3, 2, 0)
    stored = scores(tmp_path)
    assert len(stored) == dataset and sum(row[3] == "bad_image" for row in stored) == 3
    assert report() == (0, 3, 6, 0) and scores(tmp_path) == stored
    Image.new("RGB", (9, 9), "green").save(pictures[2])
    assert report() == (3, 0, 6, 0)
    assert all(row[2] is not None for row in scores(tmp_path))
    assert report() == (0, 0, dataset, 0)


def test_a_mistake_in_a_metrics_code_is_named_with_its_place_and_exits_with_4(
    run: Run, dataset: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    def failing(text: str) -> list[str]:
        raise ValueError("not a token")

    monkeypatch.setattr("core.metrics.rouge_l.tokens", failing)
    ran = run("score", "ROUGE-L", "--dataset", "toys")
    assert ran.code == 4 and "9 failed, e.g.: ROUGE-L failed on this caption: ValueError: not a token" in ran.out
    assert "(test_score_command.py, line " in ran.out and "a mistake in the metric's code" in ran.out
    assert run("score", "ROUGE-L", "--caption", "a", "--reference", "a").code == 4


COUNTS_LETTERS = """
import os, signal, sys
import core.metrics
from tests.ui.fake_metrics import Lengths

core.metrics.METRICS = (Lengths,)  # before the command line takes them
judged = []

def die_at_the_fourth():
    judged.append(1)
    if len(judged) == 4 and "kill" in os.environ:
        os.kill(os.getpid(), signal.SIGKILL)

Lengths.first = staticmethod(die_at_the_fourth)
from app import main
from ui.services.scoring import score_runs

if "slow" in os.environ:  # each outcome took longer than may be lost
    score_runs.LONGEST_S = 0

sys.exit(main(sys.argv[1:], os.environ))
"""


@pytest.mark.parametrize(("pace", "stored"), [("slow", 3), ("quick", 0)])
def test_a_killed_run_loses_quick_outcomes_alone_and_goes_on(
    dataset: int, tmp_path: Path, pace: str, stored: int
) -> None:
    asked = ["score", "Lengths", "--dataset", "toys", "--json", "--option", "batch=1"]
    command = [sys.executable, "-c", COUNTS_LETTERS, *asked]
    environ = {**os.environ, "CAPSCOPE_DATA": str(tmp_path / "data")}
    killed = subprocess.run(
        command, cwd=ROOT, env={**environ, "kill": "yes", pace: "yes"}, stderr=subprocess.PIPE, text=True
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    before = scores(tmp_path)
    assert len(before) == stored
    again = subprocess.run(command, cwd=ROOT, env=environ, capture_output=True, text=True)
    report = json.loads(again.stdout)
    assert report["known"] == stored and report["scored"] + report["errors"] == dataset - stored
    after = scores(tmp_path)
    assert len(after) == dataset and len({row[1] for row in after}) == 1
    assert set(before) <= set(after)

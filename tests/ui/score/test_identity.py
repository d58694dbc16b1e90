"""`score --endpoint`: signatures name the model that answered, and a model that changes is noticed."""

import sqlite3
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from core.errors import ModelUnavailable
from tests.command_line import Run
from tests.served_llava import ServedLlava
from tests.ui.test_score_endpoint import SAMPLES, score


def signatures(tmp_path: Path) -> Counter[str]:
    with sqlite3.connect(tmp_path / "data" / "capscope.db") as connection:
        return Counter(row[0] for row in connection.execute("select signature from scores").fetchall())


def parts(signature: str) -> dict[str, str]:
    return dict(part.partition(":")[::2] for part in signature.split("|")[1:])


def changing_after(server: ServedLlava, count: int, **tells: Any) -> None:
    """Let the server tell something else after so many further questions."""
    asked = len(server.asked)

    def instead(body: Any) -> None:
        if len(server.asked) - asked > count:
            server.tells = tells

    server.instead = instead


HUB = "llava-hf/llava-1.5-13b-hf"
CACHED = "/home/jana/.cache/huggingface/hub/models--llava-hf--llava-1.5-13b-hf/snapshots/5dda2880bda0"


@pytest.mark.parametrize(
    ("name", "root", "told"),
    [
        ("llava", "/home/jana/secret-project/llava", {"model": "llava"}),
        ("llava", HUB, {"model": "llava", "root": HUB}),
        ("llava", CACHED, {"model": "llava", "root": HUB, "revision": "5dda2880bda0"}),
        ("/home/jana/models/llava", "/home/jana/models/llava", {"model": "llava"}),
    ],
)
def test_the_signature_says_no_folder_of_the_server(
    run: Run, dataset: str, server: ServedLlava, url: str, name: str, root: str, told: dict[str, str]
) -> None:
    server.name, server.root = name, root
    signature = score(run, dataset, url, "--limit", 1).json["signature"]
    assert told.items() <= parts(signature).items() and "jana" not in signature
    assert ("root" in told) == ("root" in parts(signature))
    assert server.asked[-1]["model"] == name


def test_a_model_that_changes_in_the_middle_ends_the_run_with_a_sentence(
    run: Run, dataset: str, server: ServedLlava, url: str, tmp_path: Path
) -> None:
    changing_after(server, 40, model="another")
    ran = score(run, dataset, url)
    assert ran.code == 2 and "Before: llava. Now: another" in ran.err and "Run the same command" in ran.err
    (before,) = signatures(tmp_path)
    kept = signatures(tmp_path)[before]
    assert "model:llava" in before and 0 < kept <= 40
    report = score(run, dataset, url).json  # the model of now judges all
    assert report["scored"] == SAMPLES and "model:another" in report["signature"]
    assert sorted(signatures(tmp_path).values()) == sorted([kept, SAMPLES])


def test_a_metric_that_is_used_again_after_a_change_has_the_new_signature(
    server: ServedLlava, url: str, tmp_path: Path
) -> None:
    from PIL import Image

    from core.metrics.evaluator import Evaluator
    from core.models import Endpoint, ModelSettings
    from core.types import ImageRef, Sample

    Image.new("RGB", (20, 30), (9, 99, 200)).save(tmp_path / "a.png")
    sample = Sample("a", ImageRef("a.png", tmp_path / "a.png"), "a dog")
    evaluator, settings = Evaluator(), ModelSettings(endpoint=Endpoint(url), options={"side": "28"})
    server.tells = {"model": "one"}
    first = evaluator.evaluate_one("FLEUR", sample, settings)
    server.tells = {"model": "two"}
    with pytest.raises(ModelUnavailable, match="Now: two"):
        evaluator.evaluate_one("FLEUR", sample, settings)
    second = evaluator.evaluate_one("FLEUR", sample, settings)
    assert "model:one" in first.signature and "model:two" in second.signature

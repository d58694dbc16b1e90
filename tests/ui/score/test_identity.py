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


def test_the_signature_names_the_model_that_answered_and_its_fingerprint(
    run: Run, dataset: str, server: ServedLlava, url: str
) -> None:
    server.tells = {"model": "llava-2026-01-02", "system_fingerprint": "fp_1"}
    signed = parts(score(run, dataset, url, "--limit", 1).json["signature"])
    assert (signed["model"], signed["fingerprint"]) == ("llava-2026-01-02", "fp_1")


@pytest.mark.parametrize(
    ("root", "told"),
    [
        ("/home/jana/secret-project/llava", {"model": "llava"}),
        ("llava-hf/llava-1.5-13b-hf", {"model": "llava", "root": "llava-hf/llava-1.5-13b-hf"}),
        (
            "/home/jana/.cache/huggingface/hub/models--llava-hf--llava-1.5-13b-hf/snapshots/5dda2880bda0",
            {"model": "llava", "root": "llava-hf/llava-1.5-13b-hf", "revision": "5dda2880bda0"},
        ),
    ],
)
def test_the_signature_says_no_folder_of_the_server(
    run: Run, dataset: str, server: ServedLlava, url: str, root: str, told: dict[str, str]
) -> None:
    server.root = root
    signature = score(run, dataset, url, "--limit", 1).json["signature"]
    assert told.items() <= parts(signature).items() and "jana" not in signature
    assert ("root" in told) == ("root" in parts(signature))


def test_a_server_that_names_models_by_their_folders_is_signed_without_it(
    run: Run, dataset: str, server: ServedLlava, url: str
) -> None:
    server.name = server.root = "/home/jana/models/llava"
    signature = score(run, dataset, url, "--limit", 1).json["signature"]
    assert parts(signature)["model"] == "llava" and "jana" not in signature
    assert server.asked[-1]["model"] == "/home/jana/models/llava"


def test_a_model_that_changes_in_the_middle_ends_the_run_with_a_sentence(
    run: Run, dataset: str, server: ServedLlava, url: str, tmp_path: Path
) -> None:
    server.tells = {"system_fingerprint": "fp_1"}
    changing_after(server, 40, system_fingerprint="fp_2")
    ran = score(run, dataset, url)
    assert ran.code == 2 and "fp_1. Now: model llava, system_fingerprint fp_2" in ran.err and "--on-change" in ran.err
    (before,) = signatures(tmp_path)
    kept = signatures(tmp_path)[before]
    assert "fingerprint:fp_1" in before and 0 < kept <= 40
    report = score(run, dataset, url).json  # the model of now judges all
    assert report["scored"] == SAMPLES and "fingerprint:fp_2" in report["signature"]
    assert sorted(signatures(tmp_path).values()) == sorted([kept, SAMPLES])


def test_a_model_that_changes_in_the_middle_starts_a_new_signature_by_choice(
    run: Run, dataset: str, server: ServedLlava, url: str, tmp_path: Path
) -> None:
    server.tells = {"system_fingerprint": "fp_1"}
    changing_after(server, 40, system_fingerprint="fp_2")
    report = score(run, dataset, url, "--on-change", "new-signature").json
    assert report["scored"] == SAMPLES and len(report["signatures"]) == 2
    assert sum(report["signatures"].values()) == SAMPLES
    assert [parts(one)["fingerprint"] for one in report["signatures"]] == ["fp_1", "fp_2"]


def test_a_service_whose_fingerprint_goes_back_and_forth_is_not_followed_for_ever(
    run: Run, dataset: str, server: ServedLlava, url: str
) -> None:
    def instead(body: Any) -> None:
        server.tells = {"system_fingerprint": f"fp_{len(server.asked) // 12}"}

    server.instead = instead
    ran = score(run, dataset, url, "--on-change", "new-signature", "--max-errors", 100)
    assert ran.code == 2 and "answers with another model" in ran.err
    assert "changed more than 5 times" in ran.err and "--on-change ignore" in ran.err
    assert "new-signature the run continues" not in ran.err  # it was asked for and is what has just ended


def test_fingerprints_that_change_can_be_ignored_and_the_signature_says_so(
    run: Run, dataset: str, server: ServedLlava, url: str, tmp_path: Path
) -> None:
    server.instead = lambda body: setattr(server, "tells", {"system_fingerprint": f"fp_{len(server.asked)}"})
    report = score(run, dataset, url, "--on-change", "ignore").json
    assert report["scored"] == SAMPLES and parts(report["signature"])["fingerprint"] == "any"
    changing_after(server, 20, model="another")
    ran = score(run, dataset, url, "--on-change", "ignore", "--explain")
    assert ran.code == 2 and "Now: model another" in ran.err


def renamed(tmp_path: Path, root: str) -> None:
    """Give stored scores the signature that version 0.2.0 gave them."""
    with sqlite3.connect(tmp_path / "data" / "capscope.db") as connection:
        for (signature,) in connection.execute("select distinct signature from scores").fetchall():
            metric, *settings = signature.split("|")
            settings = [one for one in settings if not one.startswith(("root:", "capscope:"))]
            version = signature.rpartition("|")[2]
            old = "|".join([metric, *sorted([*settings, f"root:{root}"]), version])
            connection.execute("update scores set signature = ? where signature = ?", (old, signature))


def test_scores_under_a_signature_of_earlier_form_stay_and_are_not_asked_for_again(
    run: Run, dataset: str, server: ServedLlava, url: str, tmp_path: Path
) -> None:
    assert score(run, dataset, url, "--limit", 30).json["scored"] == 30
    renamed(tmp_path, server.root)
    (old,) = signatures(tmp_path)
    assert "root:/models/llava" in old
    report = score(run, dataset, url, "--limit", 10).json
    assert (report["known"], report["earlier"], report["scored"], report["left"]) == (30, 30, 10, SAMPLES - 40)
    assert signatures(tmp_path)[old] == 30
    ran = run("score", "FLEUR", "--dataset", dataset, "--endpoint", url, "--option", "side=28", "--limit", 1)
    assert "30 scores from before this run have the signature of an earlier version" in ran.out
    renewed = score(run, dataset, url, "--renew").json
    assert renewed["scored"] == SAMPLES - 11 and signatures(tmp_path)[old] == 30


def test_scores_of_another_folder_are_another_models(
    run: Run, dataset: str, server: ServedLlava, url: str, tmp_path: Path
) -> None:
    assert score(run, dataset, url, "--limit", 30).json["scored"] == 30
    renamed(tmp_path, "/models/of-jana/llava")
    report = score(run, dataset, url, "--limit", 10).json
    assert (report["known"], report["earlier"]) == (0, 0)


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
    server.tells = {"system_fingerprint": "fp_1"}
    first = evaluator.evaluate_one("FLEUR", sample, settings)
    server.tells = {"system_fingerprint": "fp_2"}
    with pytest.raises(ModelUnavailable, match="fp_2"):
        evaluator.evaluate_one("FLEUR", sample, settings)
    second = evaluator.evaluate_one("FLEUR", sample, settings)
    assert "fp_1" in first.signature and "fp_2" in second.signature

"""`correlate --cost`: seconds, tokens and money beside tau."""

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.command_line import Run, command_line


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    return command_line(tmp_path / "data", capsys)


def usage(prompt: int, completion: int, answers: int = 1, counted: int = 1) -> dict[str, int]:
    told = {"prompt": prompt, "completion": completion, "total": prompt + completion} if counted else {}
    return {"answers": answers, "counted": counted, **told}


@pytest.fixture
def judged(run: Run, tmp_path: Path) -> str:
    """Four samples, judged by a server with counts, by one without, by a model here and by nobody knows what."""
    Image.new("RGB", (30, 20)).save(tmp_path / "a.png")
    lines = []
    for place, human in enumerate((0.0, 0.25, 0.5, 1.0)):
        scores: list[dict[str, Any]] = [
            {
                "metric": "FLEUR",
                "value": human,
                "signature": "FLEUR|engine:vllm",
                "usage": usage(700 + 100 * place, 10),
                "seconds": {"picture": 0.01, "model": 0.49} if place < 2 else {},
            },
            {"metric": "EXPERT", "value": 1 - human, "signature": "EXPERT|x:1", "usage": usage(0, 0, 2, 0)},
            {"metric": "CLIPScore", "value": 0.5, "signature": "CLIPScore|x:1", "seconds": {"model": 0.25}},
            {"metric": "Polos", "value": human, "signature": "Polos|x:1"},
        ]
        lines.append({"id": str(place), "image": "a.png", "caption": f"c {place}", "human": human, "scores": scores})
    lines.append({"id": "e", "image": "a.png", "caption": "e", "human": 1.0, "scores": [
        {"metric": "FLEUR", "signature": "FLEUR|engine:vllm", "error": {"kind": "no_score", "message": "No."},
         "usage": usage(700, 50)}]})  # fmt: skip
    (tmp_path / "mine.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert run("import", "jsonl", tmp_path / "mine.jsonl").code == 0
    return "mine"


def test_costs_stand_beside_tau_in_json(run: Run, judged: str) -> None:
    found = {
        row["metric"]: row for row in run("correlate", "--dataset", judged, "--cost", "--price", "2,10", "--json").json
    }
    fleur = found["FLEUR"]["cost"]
    # four scores of 700, 800, 900 and 1000 with 10 each, and an error of 750
    assert (fleur["samples"], fleur["counted"], fleur["usage"]["total"]) == (5, 5, 3_440 + 750)
    assert fleur["tokens"] == pytest.approx(4_190 / 5)
    assert fleur["money"] == pytest.approx((4_100 * 2 + 90 * 10) / 1e6, rel=1e-12)
    assert (fleur["timed"], fleur["seconds"], fleur["model"]) == (2, pytest.approx(0.5), pytest.approx(0.49))
    assert fleur["agreement"] == pytest.approx(found["FLEUR"]["tau_c"]) and fleur["published"].startswith("0.70 (FLEUR")
    expert, clip, polos = (found[name]["cost"] for name in ("EXPERT", "CLIPScore", "Polos"))
    assert (expert["tokens"], expert["money"], expert["usage"]["answers"]) == (None, None, 8)
    assert (clip["seconds"], clip["usage"], clip["money"]) == (0.25, None, None)
    assert (polos["samples"], polos["seconds"], polos["tokens"]) == (0, None, None)


def test_costs_stand_beside_tau_in_words_and_what_is_not_known_is_told(run: Run, judged: str) -> None:
    out = run("correlate", "--dataset", judged, "--cost", "--price", "2,10").out
    table = out[out.index("cost of scores") :]
    cells = {words[0]: words for line in table.splitlines() if (words := line.split())}
    assert cells["FLEUR"][2:] == ["5", "0.50", "838.0", "4,190", "0.0091"]
    flat = " ".join(table.split())
    assert "prices per million tokens: 2 for prompts, 10 for answers" in flat
    assert "FLEUR: seconds were measured for 2 of 5 samples." in flat
    assert (
        "EXPERT: seconds were measured for 0 of 4 samples; the server counted the tokens of 0 of 8 answers."
        in " ".join(table.split())
    )
    assert "CLIPScore: no server answered." in table and "Polos: no cost is stored" in " ".join(table.split())
    assert cells["EXPERT"][2:] == ["4", "unknown", "unknown", "unknown", "unknown"]
    assert "cost of scores" not in run("correlate", "--dataset", judged).out


def test_every_table_is_latex_that_compiles(run: Run, judged: str, tmp_path: Path) -> None:
    out = run("correlate", "--dataset", judged, "--cost", "--price", "2,10", "--latex").out
    assert out.count("\\toprule") >= 3 and "cost of scores" in out and "published:" not in out
    if shutil.which("pdflatex") is None:
        pytest.skip("needs pdflatex")
    whole = "\\documentclass{article}\\usepackage{array,booktabs,longtable}\\begin{document}" + out + "\\end{document}"
    (tmp_path / "t.tex").write_text(whole)
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "t.tex"]
    made = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert made.returncode == 0 and "Overfull" not in made.stdout, made.stdout[-1500:]


@pytest.mark.parametrize(
    ("more", "told"),
    [
        (("--dataset", "mine", "--price", "1,2"), "--price needs --cost"),
        (("--dataset", "mine", "--cost", "--price", "x"), "--price needs two prices"),
        (("flickr8k-expert", "--scores", "x", "--cost"), "--cost needs --dataset"),
        (("--dataset", "mine", "--latex", "--json"), "Use only one of --latex, --json and --csv"),
    ],
)
def test_a_mistake_is_a_sentence(run: Run, judged: str, more: tuple[str, ...], told: str) -> None:
    ran = run("correlate", *more)
    assert ran.code == 2 and told in ran.err


def test_a_metric_under_two_settings_has_a_row_for_each(run: Run, judged: str, tmp_path: Path) -> None:
    lines = [json.loads(line) for line in (tmp_path / "mine.jsonl").read_text().splitlines()[:4]]
    for line in lines:
        line["scores"] = [line["scores"][0] | {"signature": "FLEUR|engine:other", "usage": usage(10, 0)}]
    (tmp_path / "other.jsonl").write_text("\n".join(map(json.dumps, lines)))
    assert run("import", "jsonl", tmp_path / "other.jsonl", "--dataset", "mine").code == 0
    rows = run("correlate", "--dataset", "mine", "--metric", "FLEUR", "--cost", "--json").json
    assert {row["metric"]: row["cost"]["usage"]["total"] for row in rows} == {
        "FLEUR|engine:vllm": 4_190,
        "FLEUR|engine:other": 40,
    }

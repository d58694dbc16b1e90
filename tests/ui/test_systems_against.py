"""`systems --against`: every captioner tested against one of them."""

import json
from pathlib import Path

import pytest

from tests.command_line import Run, command_line


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """A data folder with twelve images, each with captions by people and by two models."""
    made = command_line(tmp_path / "data", capsys)
    rows = [
        {"id": f"{at}{system}", "image": f"{at}.png", "caption": f"{system} says {at}", "system": system,
         "scores": [{"metric": "M", "value": round(at / 40 + fall, 6)}]}
        for at in range(12)
        for system, fall in (("Human", 0.4), ("BLIP", 0.2), ("M2", 0.2 if at % 2 else 0.6))
    ]  # fmt: skip
    (tmp_path / "mine.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert made("import", "jsonl", tmp_path / "mine.jsonl").code == 0
    return made


def test_models_are_tested_against_people(run: Run) -> None:
    table = run("systems", "mine", "--against", "human", "--json").json["differences"]
    rows = {row["captioner"]: row for row in table["rows"]}
    assert table["title"] == "Differences to Human" and set(rows) == {"BLIP", "M2"}
    blip = rows["BLIP"]
    assert (blip["difference"], blip["images"]) == (pytest.approx(-0.2), 12)
    assert blip["high"] < 0 and blip["p"] < 0.01 and blip["p_holm"] >= blip["p"]
    assert rows["M2"]["low"] < 0 < rows["M2"]["high"] and rows["M2"]["p"] > 0.2
    printed = run("systems", "mine", "--against", "Human")
    assert printed.code == 0 and "Differences to Human" in printed.out


def test_an_unknown_captioner_is_named_with_those_that_exist(run: Run) -> None:
    found = run("systems", "mine", "--against", "GPT")
    assert found.code == 2 and "BLIP, Human, M2" in found.err

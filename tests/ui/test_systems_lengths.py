"""`systems --lengths`: mean scores of each captioner by caption length."""

import json
from pathlib import Path

import pytest

from tests.command_line import Run, command_line

CAPTIONS = [  # captioner, words, score, human judgement
    ("BLIP", 6, 0.2, 0.5),
    ("BLIP", 6, 0.4, None),
    ("BLIP", 7, 0.9, 1.0),
    ("BLIP", 20, None, None),
    ("M2", 5, 0.6, 0.25),
    ("M2", 17, 0.1, 0.75),
    ("M2", 30, 0.3, 0.25),
    (None, 6, 0.0, 0.0),
]


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """A data folder with a few captions of known lengths by two captioners, and one by nobody known."""
    made = command_line(tmp_path / "data", capsys)
    rows = [
        {"id": f"{at}", "image": f"{at}.png", "caption": " ".join(["word"] * words)}
        | ({} if system is None else {"system": system})
        | ({} if human is None else {"human": human})
        | ({} if value is None else {"scores": [{"metric": "M", "value": value}]})
        for at, (system, words, value, human) in enumerate(CAPTIONS)
    ]
    (tmp_path / "mine.jsonl").write_text("\n".join(map(json.dumps, rows)))
    assert made("import", "jsonl", tmp_path / "mine.jsonl").code == 0
    return made


def test_each_captioner_has_means_and_counts_in_the_groups_of_by_category(run: Run) -> None:
    table = run("systems", "mine", "--lengths", "--json").json["lengths"]
    found = {(row["captioner"], row["length"]): (row["captions"], row["counts"], row["means"]) for row in table["rows"]}
    assert [*found] == [
        ("BLIP", "1–6 words"),
        ("BLIP", "7–9 words"),
        ("BLIP", "17 or more words"),
        ("M2", "1–6 words"),
        ("M2", "17 or more words"),
    ]
    near = pytest.approx
    assert found["BLIP", "1–6 words"] == (2, {"people": 1, "M": 2}, {"people": near(0.5), "M": near(0.3)})
    assert found["BLIP", "7–9 words"] == (1, {"people": 1, "M": 1}, {"people": near(1.0), "M": near(0.9)})
    assert found["BLIP", "17 or more words"] == (1, {"people": 0, "M": 0}, {"people": None, "M": None})
    assert found["M2", "17 or more words"] == (2, {"people": 2, "M": 2}, {"people": near(0.5), "M": near(0.2)})


def test_the_table_is_printed_below_the_others_with_words_where_no_score_is(run: Run) -> None:
    plain, longer = run("systems", "mine"), run("systems", "mine", "--lengths")
    assert plain.code == longer.code == 0 and longer.out.startswith(plain.out)
    printed = longer.out.removeprefix(plain.out)
    assert "Captioners by caption length" in printed and "no score" in printed and "nan" not in printed
    assert "caption length" not in plain.out


def test_the_table_has_a_latex_form(run: Run) -> None:
    printed = run("systems", "mine", "--lengths", "--latex")
    assert printed.code == 0 and printed.out.count(r"\begin{tab") > run("systems", "mine", "--latex").out.count(
        r"\begin{tab"
    )
    assert "17 or more words" in printed.out

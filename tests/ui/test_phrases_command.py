import json
from pathlib import Path

import pytest

from app import main
from core.captions.language import NOTICE

ROWS = 'caption,scene_graph\na red hat,"( hat , is , red )"\na man with a hat,"( man , wear , hat )"\n'


def run(*arguments: str) -> int:
    return main(["phrases", *arguments], {})


def test_phrases_are_printed_with_their_place(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("find", "A dog sits on the sofa.") == 0
    assert "dog sits on sofa  [relation, 2-22: dog sits on the sofa]" in capsys.readouterr().out


def test_phrases_can_be_had_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("find", "a red hat", "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert printed["phrases"] == [
        {"text": "hat is red", "shown": "red hat", "span": [2, 9], "kind": "attribute", "caption": "a red hat"}
    ]


def test_a_caption_that_is_not_english_has_a_notice_and_no_phrases(capsys: pytest.CaptureFixture[str]) -> None:
    assert run("find", "Ein Hund liegt auf dem Sofa.") == 0
    assert capsys.readouterr().out == f"Ein Hund liegt auf dem Sofa.\n  {NOTICE}\n"
    assert run("find", "Ein Hund liegt auf dem Sofa.", "a dog", "--json") == 0
    printed = json.loads(capsys.readouterr().out)
    assert [row["caption"] for row in printed["phrases"]] == ["a dog"]
    assert printed["not_english"] == ["Ein Hund liegt auf dem Sofa."]


def test_a_parser_is_measured_against_gold_graphs(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "gold.csv"
    file.write_text(ROWS, encoding="utf-8")
    assert run("evaluate", str(file), "--json", "--mistakes", "5") == 0
    printed = capsys.readouterr()
    result = json.loads(printed.out)
    assert (result["captions"], result["set_match"]) == (2, 50.0)
    assert result["spice_f"] == pytest.approx(100 * (1 + 2 / 3) / 2)
    assert "gold  ( man , wear , hat )" in printed.err


def test_a_parser_that_is_not_known_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("find", "a dog", "--parser", "stanza") == 2
    assert capsys.readouterr().err == "Error: parser: expected spacy or factual, found 'stanza'\n"


def test_a_missing_file_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("evaluate", str(tmp_path / "none.csv")) == 2
    assert "none.csv" in capsys.readouterr().err


def test_a_part_that_does_not_exist_is_one_line(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert run("evaluate", "--part", "nonsense") == 2
    assert capsys.readouterr().err == "Error: part: expected held out or tuning, found 'nonsense'\n"
    file = tmp_path / "gold.csv"
    file.write_text(ROWS, encoding="utf-8")
    assert run("evaluate", str(file), "--part", "tuning") == 2
    assert capsys.readouterr().err == "Error: part: expected none, as the file has no parts, found 'tuning'\n"

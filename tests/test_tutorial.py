"""docs/tutorial/first-study.md is followed: its table, its commands and what it says of them."""

import re
import shlex
from pathlib import Path

import pytest

from tests.command_line import Run
from tests.making import picture
from tests.pages import DOCS, blocks

PAGE = "tutorial/first-study.md"


def test_the_first_study_leads_from_a_table_to_a_study_and_an_agreement(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Everything but the rating itself, with pictures in the place of the demo's."""
    monkeypatch.chdir(tmp_path)
    (table,) = blocks(PAGE, "csv")
    (tmp_path / "captions.csv").write_text(table)
    for name in set(re.findall(r"^\w+\.jpg", table, re.MULTILINE)):
        picture(tmp_path / "album" / "images" / name)
    lines = [line for block in blocks(PAGE) for line in block.splitlines()]
    commands = {words[2]: words[2:] for words in map(shlex.split, lines) if words[:2] == ["python", "app.py"]}
    imported = run(*commands["import"])
    assert "4 samples and 4 scores" in imported.out and "2 found, 0 missing" in imported.out
    made = run(*commands["study"])
    assert made.code == 0 and "/rate?study=" in made.out
    agreement = run(*commands["correlate"])
    assert agreement.code == 0 and agreement.out.count("100.00") >= 2
    assert run(*commands["export"]).code == 0
    assert "4 samples, 4 scores, 2 pictures" in (DOCS / PAGE).read_text()

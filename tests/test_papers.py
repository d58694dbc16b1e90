"""The page of papers' tables: every known table and figure has a row, and every command and section exists."""

import re
import shlex
from pathlib import Path
from typing import Any

import pytest
import typer

from ui.commands import build_cli
from ui.settings import Settings

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "reference" / "papers.md").read_text(encoding="utf-8")
PAPERS = {  # tables, figures and appendices that are known to exist
    "FLEUR": (range(1, 9), range(1, 6), "BFG"),
    "EXPERT": (range(1, 7), range(1, 7), "ABCDEFHI"),
    "Polos": (range(1, 5), range(1, 5), "C"),
    "HICE-S": (range(1, 7), range(1, 6), "A"),
}
COMMANDS = sorted(set(re.findall(r"`python app\.py ([^`]+)`", PAGE)))


def rows(paper: str) -> dict[str, tuple[str, str]]:
    """Return what the rows of a paper say, by table, figure or appendix: "Tables 2 to 4" is three."""
    section = re.split(r"^## ", PAGE, flags=re.MULTILINE)
    (own,) = [one for one in section if one.startswith(f"{paper}\n")]
    found = {}
    for line in own.splitlines():
        match = re.match(r"\| (Table|Figure|Appendix|Appendice)s? (\w+)(?: (to|and) (\d+))? \| (.*) \| (.*) \|$", line)
        if match:
            kind, first, joined, last, shows, way = match.groups()
            numbers = [first] if last is None else [str(n) for n in range(int(first), int(last) + 1)]
            found |= {f"{kind} {number}": (shows, way) for number in numbers}
    return found


@pytest.mark.parametrize("paper", PAPERS)
def test_every_known_table_figure_and_appendix_of_a_paper_has_a_row(paper: str) -> None:
    tables, figures, appendices = PAPERS[paper]
    listed = {label.rstrip("ab") if label.startswith("Figure") else label for label in rows(paper)}
    known = {f"Table {n}" for n in tables} | {f"Figure {n}" for n in figures} | {f"Appendix {a}" for a in appendices}
    assert known - listed == set()
    assert all(shows and way for shows, way in rows(paper).values())


def test_every_printed_table_whose_figures_are_known_has_a_row(shared_dir: Path) -> None:
    lines = (shared_dir / "data" / "published" / "baselines.csv").read_text(encoding="utf-8").splitlines()[1:]
    printed = {(paper, f"Table {table}") for paper, table, *_ in (line.split(",") for line in lines)}
    assert {one for one in printed if one[1] not in rows(one[0])} == set()


@pytest.mark.parametrize("line", COMMANDS)
def test_every_command_exists_with_its_options(line: str) -> None:
    command: Any = typer.main.get_command(build_cli(Settings()))
    words = shlex.split(line)
    while hasattr(command, "commands") and words and words[0] in command.commands:
        command = command.commands[words.pop(0)]
    assert not hasattr(command, "commands"), line
    known = {name for parameter in command.params for name in (*parameter.opts, *parameter.secondary_opts)}
    assert {word for word in words if word.startswith("--")} <= known


@pytest.mark.parametrize("section", sorted(set(re.findall(r"\*([A-Z][^*]+)\*", PAGE))))
def test_every_section_of_analyse_exists(section: str) -> None:
    scripts = (ROOT / "ui" / "static" / "analyse").glob("*.js")
    assert any(section in script.read_text(encoding="utf-8") for script in scripts), section


def test_options_that_rows_name_are_options_of_the_metric() -> None:
    from core.metrics.fleur import OPTIONS
    from core.metrics.vlm_options import TALK_OPTIONS
    from core.models.hice.parts import SEGMENTER

    named = set(re.findall(r"--option (\w+)=([\w-]+)", PAGE))
    known = {**TALK_OPTIONS, **OPTIONS, "regions": (SEGMENTER,), "detector": ()}  # a detector is any file
    assert named and all(name in known and (not known[name] or value in known[name]) for name, value in named)

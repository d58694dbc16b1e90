"""docs/how-to/add-a-metric.md is followed word by word: its file, its commands, its package."""

import json
import re
import shlex
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from core.metrics.plugins import GROUP, known_metrics
from storage.types import Search
from tests.command_line import Run
from tests.pages import DOCS, blocks
from ui.services.scoring.judging import Judge
from ui.services.workplace import open_workplace
from ui.settings import Settings
from ui.web.json.outcomes import ScoreJson, full_outcome_json

PAGE = "how-to/add-a-metric.md"
PLUGIN = "caption_length:CaptionLength"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """The folder in which a reader follows the page, with captions that people have judged."""
    names = re.findall(r"^`(\w+\.py)`:$", (DOCS / PAGE).read_text(), re.MULTILINE)
    (tmp_path / names[0]).write_text(blocks(PAGE, "python")[0])
    (tmp_path / "captions.jsonl").write_text(blocks(PAGE, "json")[0])
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", [*sys.path])
    known_metrics.cache_clear()
    yield tmp_path
    known_metrics.cache_clear()
    sys.modules.pop("caption_length", None)


def test_the_page_leads_from_a_file_to_inspect_analyse_and_report(run: Run, folder: Path) -> None:
    commands = [shlex.split(line) for line in blocks(PAGE)[0].splitlines()]
    assert len(commands) == 6 and all(command[:2] == ["python", "app.py"] for command in commands)
    said = [run(*command[2:]) for command in commands]
    assert [ran.code for ran in said] == [0] * 6, [ran.err for ran in said]
    assert said[0].out.startswith("Caption length: 0.6316")  # 5 words: 1 / (1 + 7 / 12)
    assert ", Caption length" in said[1].out
    assert "3 scored, 0 errors" in said[3].out
    assert "Caption length" in said[4].out and "100.00" in said[4].out
    assert "Caption length" in (folder / "report.html").read_text()
    workplace = open_workplace(Settings(data_dir=folder / "data", plugin=(PLUGIN,)))
    try:
        sample = workplace.repository.samples.search(Search("mine"), 0, 1).samples[0]
        (ready,) = (one for one in Judge(workplace).readiness(sample.id) if one.metric == "Caption length")
        assert ready.ready
        shown = full_outcome_json(sample.outcomes[0], workplace.metrics)
        assert isinstance(shown, ScoreJson) and shown.meanings == {"words": "How many words the caption has."}
    finally:
        workplace.repository.close()


def test_the_variable_names_it_for_every_command(run: Run, folder: Path) -> None:
    ask = ("score", "caption length", "--caption", "one two three", "--json")
    assert run(*ask, CAPSCOPE_PLUGIN=PLUGIN).json["components"] == {"words": 3.0}
    assert "There is no metric 'caption length'" in run(*ask).err


def test_as_a_package_it_needs_no_option(run: Run, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (declared,) = (tomllib.loads(block) for block in blocks(PAGE, "toml"))
    points = declared["project"]["entry-points"][GROUP]
    described = folder / "caption_length-1.0.dist-info"
    described.mkdir()
    (described / "METADATA").write_text("Metadata-Version: 2.1\nName: caption-length\nVersion: 1.0\n")
    (described / "entry_points.txt").write_text(f"[{GROUP}]\n" + "".join(f"{k} = {v}\n" for k, v in points.items()))
    monkeypatch.syspath_prepend(folder)
    asked = run("score", "Caption length", "--caption", "one two three", "--json")
    assert json.loads(asked.out)["components"] == {"words": 3.0}

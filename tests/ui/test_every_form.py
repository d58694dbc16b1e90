"""Every form, from the wizard to the archive: what holds of one form holds of all."""

import csv
import io
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from core.studies.design import StudyDesign
from storage.study_types import Study
from tests.command_line import command_line
from tests.conftest import copied
from tests.making import import_rows
from tests.ui.conftest import client_of
from tests.ui.forms_played import Sitting, drafts, samples
from ui.services.scoring.judging import Judge
from ui.services.studies.study_actions import create_study
from ui.services.transfer.archive import SUFFIX
from ui.services.workplace import Workplace

EMPTY = ("Nobody has rated", "No rating counts")


@dataclass(frozen=True)
class Played:
    """A study that two raters have rated to its end."""

    client: TestClient  # of whoever runs the study
    workplace: Workplace
    study: Study
    sittings: tuple[Sitting, Sitting]
    items: int  # number of the study's items

    def get(self, path: str) -> Any:
        return self.client.get(f"/api/studies/{self.study.id}{path}").raise_for_status()

    @cached_property
    def page(self) -> str:
        """The report as a file."""
        return str(self.get("/report.html").text)

    @property
    def ratings(self) -> int:
        """How many ratings are stored: a comparison is stored for both of what it compares."""
        asked = sum(one.given for one in self.sittings)
        return asked * (2 if any(one["compares"] for one in self.sittings[0].study["criteria"]) else 1)


@pytest.fixture(scope="module")
def desk(empty_folder: Path, api_of: Callable[[Workplace, Judge], FastAPI], tmp_path_factory: Any) -> Iterator[Any]:
    """A data folder with pictures, captions and explanations, and the app over it."""
    folder = tmp_path_factory.mktemp("forms")
    with copied(empty_folder, folder / "data") as workplace:
        import_rows(workplace, folder / "files", samples())
        yield workplace, api_of(workplace, Judge(workplace))


@pytest.fixture(scope="module", params=list(drafts()), ids=lambda draft: draft[0])
def played(request: pytest.FixtureRequest, desk: tuple[Workplace, FastAPI]) -> Played:
    """Make a study of a form as the wizard does, start it, and let two raters answer everything."""
    (workplace, app), (name, asked) = desk, request.param
    manager = client_of(app)
    study = create_study(workplace, StudyDesign(**{"name": name, "dataset": "birds", "size": 3, "seed": 3} | asked))
    assert study.items in (3, 6)  # three captions, of one metric or two
    manager.get(f"/api/studies/{study.id}/report.html").raise_for_status()  # before anybody has come
    sittings = tuple(sitting(app, study.id, lean) for lean in (0, 1))
    return Played(manager, workplace, study, (sittings[0], sittings[1]), study.items)


def sitting(app: FastAPI, study: int, lean: int) -> Sitting:
    rater = client_of(app)
    rater.post("/api/rate/session", json={"code": f"F{study}-{lean}"}).raise_for_status()
    (told,) = [one for one in rater.get("/api/rate/studies").json() if one["id"] == study]
    assert 1 <= told["minutes"] <= 10
    assert not any("criterion" in words for words in told["instructions"] if "Kriterium" in str(told["instructions"]))
    here = Sitting(rater, told, lean)
    here.play()
    return here


def test_all_that_raters_said_is_there(played: Played) -> None:
    raters = played.workplace.repository.studies.raters(played.study.id)
    assert [(one.done, one.total) for one in raters] == 2 * [(played.items, played.items)]
    rows = list(csv.DictReader(io.StringIO(played.get("/export.csv").content.decode("utf-8-sig"))))
    assert (len(rows), {row["left_out"] for row in rows} <= {""}) == (played.ratings, True)


def test_the_archive_gives_the_same_figures(played: Played, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / f"study{SUFFIX}"
    file.write_bytes(played.client.get(f"/api/studies/{played.study.id}/archive").raise_for_status().content)
    before = file.read_bytes()
    run, name = command_line(played.workplace.data_dir, capsys), played.study.name
    assert run("report", file, "--json").out == run("report", name, "--json").out
    for to, source in (("theirs.csv", ("--data-dir", file)), ("ours.csv", ())):
        assert run("export", name, "--to", tmp_path / to, *source).code == 0
    assert (tmp_path / "theirs.csv").read_bytes() == (tmp_path / "ours.csv").read_bytes()
    assert file.read_bytes() == before


def test_the_report_as_a_file_and_by_the_command_counts_every_answer(
    played: Played, capsys: pytest.CaptureFixture[str]
) -> None:
    run = command_line(played.workplace.data_dir, capsys)
    name = played.study.name
    told = run("report", name, "--json").json
    assert sum(row["n"] for row in told["rows"]) == played.ratings
    printed = run("report", name)
    assert printed.code == 0 and not any(words in printed.out + played.page for words in EMPTY)

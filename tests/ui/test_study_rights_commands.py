"""Commands with `--as`: an account reaches by command what it reaches in the browser."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from tests.command_line import Run, quietly
from tests.test_cli import data_dir, rated_folder, run

__all__ = ["data_dir", "rated_folder", "run"]


@pytest.fixture(scope="module")
def team_folder(rated_folder: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A data folder with three accounts, and the study "pilot" that only anna owns; to be copied."""
    folder = tmp_path_factory.mktemp("team") / "data"
    shutil.copytree(rated_folder, folder)
    for name, role in (("anna", "researcher"), ("ben", "researcher"), ("vera", "viewer")):
        quietly(folder, "user", "add", name, "--role", role)
    quietly(folder, "study", "share", "pilot", "anna", "--right", "own")
    quietly(folder, "study", "share", "pilot", "--everyone", "--right", "none")
    return folder


@pytest.fixture
def team(run: Run, team_folder: Path, data_dir: Path) -> Run:
    """Three accounts, and the study "pilot" that only anna owns."""
    shutil.copytree(team_folder, data_dir)
    return run


COMMANDS: tuple[tuple[str, ...], ...] = (
    ("study", "state", "pilot", "paused"),
    ("study", "set", "pilot", "--hold-hours", "3"),
    ("study", "copy", "pilot", "copied"),
    ("study", "release", "pilot", "K7"),
    ("study", "exclude", "pilot", "K7", "--reason", "hasty"),
    ("study", "include", "pilot", "K7"),
    ("study", "link", "pilot"),
    ("study", "panel-link", "pilot", "--panel", "Prolific"),
    ("study", "entry", "pilot"),
    ("study", "monitor", "pilot"),
    ("study", "participants", "pilot"),
    ("study", "bundle", "pilot", "--to", "{}/bundle.zip"),
    ("study", "share", "pilot"),
    ("study", "plan", "--items", "9", "--like", "pilot", "--difference", "0.5"),
    ("export", "pilot", "--to", "{}/pilot.csv"),
    ("report", "pilot"),
    ("study", "delete", "pilot", "--name", "pilot"),
)


@pytest.mark.parametrize("command", COMMANDS, ids=" ".join)
def test_a_command_as_somebody_without_a_right_finds_no_study(
    team: Run, tmp_path: Path, command: tuple[str, ...]
) -> None:
    words = [word.format(tmp_path) for word in command]
    told = team(*words, "--as", "ben")
    assert told.code == 2 and "no study 'pilot'. There is no study yet" in told.err
    assert team("study", "share", "pilot").out.splitlines()[1:] == ["  anna: own"]


def test_a_command_needs_the_right_that_its_button_needs(team: Run, tmp_path: Path) -> None:
    assert team("study", "share", "pilot", "ben", "--as", "anna").code == 0
    assert team("report", "pilot", "--as", "ben").code == 0
    assert team("export", "pilot", "--to", tmp_path / "a.csv", "--as", "ben").code == 0
    told = team("study", "state", "pilot", "paused", "--as", "ben")
    assert told.code == 2 and "you do not have the right to run it" in told.err
    assert team("study", "share", "pilot", "ben", "--right", "run", "--as", "anna").code == 0
    assert team("study", "state", "pilot", "paused", "--as", "ben").code == 0
    assert "right to own it" in team("study", "delete", "pilot", "--name", "pilot", "--as", "ben").err
    assert "right to own it" in team("study", "share", "pilot", "vera", "--as", "ben").err
    assert team("study", "delete", "pilot", "--name", "pilot", "--as", "anna").code == 0


def test_what_an_account_makes_copies_or_imports_by_command_belongs_to_it(team: Run, tmp_path: Path) -> None:
    owned: Callable[[str], object] = lambda name: json.loads(team("study", "share", name, "--json").out)  # noqa: E731
    assert team("study", "create", "mine", "--dataset", "birds", "--as", "ben").code == 0
    assert team("study", "copy", "pilot", "copied", "--as", "anna").code == 0
    assert team("study", "bundle", "pilot", "--to", tmp_path / "b.zip", "--as", "anna").code == 0
    words = ("import", "bundle", tmp_path / "b.zip", "--study", "taken", "--dataset", "birds2")
    assert team(*words, "--as", "vera").code == 2
    assert team(*words, "--as", "ben").code == 0
    assert [owned(name) for name in ("mine", "copied", "taken")] == [
        [{"account": who, "right": "own"}] for who in ("ben", "anna", "ben")
    ]
    assert [one["study"] for one in json.loads(team("study", "list", "--json", "--as", "ben").out)] == ["taken", "mine"]
    assert len(json.loads(team("study", "list", "--json").out)) == 4
    assert team("study", "create", "hers", "--dataset", "birds", "--as", "vera").code == 2


def test_an_unknown_or_closed_account_acts_in_no_command(team: Run) -> None:
    assert "no account 'nobody'" in team("study", "list", "--as", "nobody").err
    assert team("user", "disable", "ben").code == 0
    assert "is closed" in team("study", "list", "--as", "ben").err


def test_sharing_by_command_explains_its_mistakes(team: Run) -> None:
    for words, told in (
        (("pilot", "ben", "--right", "rule"), "The right must be one of see, run, own"),
        (("pilot", "ben", "--everyone"), "not both"),
        (("pilot", "--everyone", "--right", "own"), "must be one account"),
        (("pilot", "anna", "--right", "none"), "only owner"),
    ):
        ran = team("study", "share", *words)
        assert ran.code == 2 and told in ran.err
    assert team("study", "share", "pilot").out == "Rights to pilot. Admins own every study.\n  anna: own\n"

"""Where data lie if no setting says so."""

import os
import pwd
from pathlib import Path

import pytest

from ui.data_folder import HERE, default_data_folder


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A home folder and, beside it, the current folder."""
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    return tmp_path / "home"


def test_a_clone_keeps_its_data_in_the_current_folder() -> None:
    assert default_data_folder(is_installed=False) == HERE == Path("capscope-data")


def test_the_installed_command_keeps_data_in_the_users_folder_of_the_platform(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert default_data_folder(is_installed=True) == home / ".local" / "share" / "capscope"
    monkeypatch.setenv("XDG_DATA_HOME", "/srv/ada")
    assert default_data_folder(is_installed=True) == Path("/srv/ada/capscope")
    assert not home.exists()


def test_the_installed_command_goes_on_with_the_data_of_the_current_folder(home: Path) -> None:
    HERE.write_text("a file is no data folder")
    assert default_data_folder(is_installed=True) == home / ".local" / "share" / "capscope"
    HERE.unlink()
    HERE.mkdir()
    assert default_data_folder(is_installed=True) == HERE


def test_a_data_folder_that_another_user_made_is_not_taken(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    HERE.mkdir()
    owner = HERE.stat().st_uid
    monkeypatch.setattr(os, "getuid", lambda: owner + 1)
    assert default_data_folder(is_installed=True) == home / ".local" / "share" / "capscope"


def test_without_a_home_data_lie_in_the_current_folder(monkeypatch: pytest.MonkeyPatch) -> None:
    def nobody(uid: int) -> None:
        raise KeyError(uid)

    monkeypatch.delenv("HOME")
    monkeypatch.setattr(pwd, "getpwuid", nobody)
    assert default_data_folder(is_installed=True) == HERE

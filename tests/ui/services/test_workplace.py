"""The data folder: whose it is, and what is missing in it."""

import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from core.errors import BadFile, BadSetting
from tests.conftest import ROOT
from ui.services.key_file import Secret
from ui.services.workplace import check_key, open_workplace
from ui.settings import Settings


def test_a_new_data_folder_is_its_owners_alone(tmp_path: Path) -> None:
    open_workplace(Settings(data_dir=tmp_path / "data")).repository.close()
    assert stat.S_IMODE(os.stat(tmp_path / "data").st_mode) == 0o700


@pytest.mark.slow
def test_what_a_command_writes_is_its_users_alone_and_an_open_folder_is_told(tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o755)
    folder.chmod(0o755)
    command = [sys.executable, "app.py", "user", "list", "--data-dir", str(folder)]
    done = subprocess.run(
        command, capture_output=True, text=True, cwd=ROOT, preexec_fn=lambda: os.umask(0o022) and None
    )
    assert done.returncode == 0, done.stderr
    assert "Other users of this computer can read the data folder" in done.stderr and "chmod 700" in done.stderr
    modes = {path.name: stat.S_IMODE(path.stat().st_mode) & 0o077 for path in folder.rglob("*")}
    assert "capscope.db" in modes and set(modes.values()) == {0}


def test_a_key_that_raters_are_known_by_is_not_made_anew_unasked(tmp_path: Path) -> None:
    workplace = open_workplace(Settings(data_dir=tmp_path))
    check_key(workplace)  # nobody rates yet
    workplace.repository.raters.add("K7")
    with pytest.raises(BadSetting, match="Restore it from a backup"):
        check_key(workplace)
    Secret(tmp_path / "secret.key")
    check_key(workplace)
    workplace.repository.close()


@pytest.mark.parametrize("sign", ["secret.key", "thumbnails", "pictures"])
def test_an_empty_database_is_not_taken_for_a_new_one_where_there_has_been_one(tmp_path: Path, sign: str) -> None:
    (tmp_path / "capscope.db").touch()
    open_workplace(Settings(data_dir=tmp_path)).repository.close()  # a first start that was cut short
    (tmp_path / "capscope.db").write_bytes(b"")
    (tmp_path / sign).mkdir()
    with pytest.raises(BadFile, match="0 bytes.*restore a backup"):
        open_workplace(Settings(data_dir=tmp_path))

"""A new database has the tables of the metadata; a database of an earlier version is refused and stays as it was."""

import hashlib
import os
import socket
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest
from alembic.script import ScriptDirectory

from storage.engine.migration import MIGRATIONS, REVISIONS
from ui.services.workplace import DATABASE

ROOT = Path(__file__).resolve().parents[2]


def test_the_listed_revisions_are_those_of_the_scripts() -> None:
    scripts = ScriptDirectory(str(MIGRATIONS)).walk_revisions()
    assert REVISIONS == tuple(reversed([script.revision for script in scripts]))


@pytest.mark.parametrize("words", [("study", "list"), ("--port", "{port}"), ("backup", "{}/backups")])
def test_a_folder_of_an_earlier_version_is_refused_and_not_changed(tmp_path: Path, words: tuple[str, ...]) -> None:
    folder = tmp_path / "data"
    folder.mkdir(mode=0o700)
    _make_earlier(folder / DATABASE)
    before = _contents(folder)
    with socket.create_server(("127.0.0.1", 0)) as free:
        given = [word.format(tmp_path, port=free.getsockname()[1]) for word in words]
    command = [sys.executable, ROOT / "app.py", *given, "--data-dir", folder]
    done = subprocess.run(command, capture_output=True, text=True, timeout=120)
    assert done.returncode == 2
    assert "343fe37b" in done.stderr and "Traceback" not in done.stderr
    assert _contents(folder) == before


def _make_earlier(path: Path) -> None:
    """Make a database of an earlier version."""
    statements = "PRAGMA journal_mode=WAL; CREATE TABLE alembic_version (version_num TEXT);"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(f"{statements} INSERT INTO alembic_version VALUES ('0045');")


def _contents(folder: Path) -> dict[str, str]:
    files = (Path(place) / name for place, _, names in os.walk(folder) for name in names)
    return {file.name: hashlib.sha256(file.read_bytes()).hexdigest() for file in files}

"""Make, check and restore backups of a data folder.

Each backup is a folder. It can be made while people rate. It contains a snapshot of the database, the data folder's
pictures and thumbnails, and the key of the raters' cookies. SHA256SUMS lists the checksums for `sha256sum --check`.
Caches are not included.
"""

import hashlib
import os
import re
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from core.errors import BadFile, BadSetting
from storage.engine.database_file import check_database, copy_database, count_rows, lock, revision_of
from storage.engine.migration import refusal
from ui.services.workplace import DATABASE, KEY, PICTURES, THUMBNAILS

SUMS = "SHA256SUMS"
COUNTED = ("raters", "events", "samples")  # tables whose numbers of rows describe a backup
_STAMP = "%Y%m%dT%H%M%S.%fZ"
_BACKUP = re.compile(r"capscope-\d{8}T\d{6}\.\d{6}Z")
_NAME = re.compile(rf"{re.escape(DATABASE)}|{re.escape(KEY)}|(?:{PICTURES}|{THUMBNAILS})(?:/\w[\w.-]*){{1,2}}")
_SUM = re.compile(r"([0-9a-f]{64})  (\S+)")


@dataclass(frozen=True, slots=True)
class Backup:
    """A checked backup."""

    folder: Path
    revision: str  # revision of the database schema
    counts: Mapping[str, int]  # number of rows in each table of COUNTED; rows of "events" are raters' actions
    files: int
    bytes: int


def back_up(data_dir: Path, to: Path, keep: int | None = None) -> Backup:
    """Make a backup of a data folder, check it and return it.

    The data folder may be in use. keep: number of backups to keep, including this one; None: keep all. Raises BadFile,
    BadSetting.
    """
    if not (data_dir / DATABASE).is_file():
        raise BadFile(data_dir / DATABASE, "there is no database to back up; name the data folder with --data-dir")
    if problem := refusal(revision_of(data_dir / DATABASE)):
        raise BadFile(data_dir / DATABASE, problem)
    try:
        to.mkdir(mode=0o700, parents=True, exist_ok=True)
        before = backups(to)
        folder = to / f"capscope-{datetime.now(UTC):{_STAMP}}"
        made = _filled(data_dir, to / f".{folder.name}.part", before[-1] if before else None)
        made.rename(folder)
        backup = checked(folder)
        for old in before[: len(before) + 1 - keep] if keep else ():
            shutil.rmtree(old)
    except OSError as error:
        raise BadSetting(f"Cannot write a backup to {to}: {error.strerror}.") from error
    return backup


def backups(folder: Path) -> list[Path]:
    """Return the backups in a folder, ordered by the times in their names."""
    return sorted(path for path in folder.iterdir() if _BACKUP.fullmatch(path.name) and (path / SUMS).is_file())


def checked(folder: Path) -> Backup:
    """Check a backup: the checksum of every file, and the whole database. Raises BadFile."""
    sums = _read_sums(folder / SUMS)
    for name, expected in sums.items():
        place = folder / name
        if place.resolve() != folder.resolve() / name or not place.is_file() or _sha256(place) != expected:
            raise BadFile(
                folder / name,
                f"the file differs from its checksum in {SUMS}, so this backup is broken; use another backup",
            )
    revision = check_database(folder / DATABASE)
    if problem := refusal(revision):
        raise BadFile(folder / DATABASE, problem)
    size = sum((folder / name).stat().st_size for name in sums)
    return Backup(folder, revision, count_rows(folder / DATABASE, COUNTED), len(sums), size)


def restore(backup: Path, data_dir: Path) -> tuple[Backup, Path]:
    """Restore a backup, or a folder's newest one, into a data folder.

    Capscope must not be using the data folder. Nothing changes before the whole backup is checked. The replaced files
    are kept. Returns the backup and the folder with the replaced files. Raises BadSetting. Raises BadFile for a broken
    backup, or if Capscope uses the data folder.
    """
    chosen = checked(_chosen(backup))
    try:
        data_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
        held = lock(data_dir / DATABASE, exclusive=True)
        try:
            return chosen, _put_back(chosen.folder, data_dir)
        finally:
            os.close(held)
    except OSError as error:
        raise BadSetting(f"Cannot restore into {data_dir}: {error.strerror}.") from error


def _filled(data_dir: Path, folder: Path, before: Path | None) -> Path:
    """Write a backup's files into a new folder.

    The database is copied before the pictures. So the pictures that the copied database names exist when the pictures
    are copied.
    """
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(mode=0o700)
    copy_database(data_dir / DATABASE, folder / DATABASE)
    try:
        earlier_sums = _read_sums(before / SUMS) if before else {}
    except BadFile:  # raised if the earlier backup is broken, so no hard links to its files are made
        earlier_sums = {}
    sums = {DATABASE: _sha256(folder / DATABASE)}
    for name in _beside_database(data_dir):
        sums[name] = _sha256(data_dir / name)
        same = before / name if before and earlier_sums.get(name) == sums[name] else None
        _copy(data_dir / name, folder / name, same)
    text = "".join(f"{digest}  {name}\n" for name, digest in sorted(sums.items()))
    _write_durably(folder / SUMS, text.encode())
    return folder


def _beside_database(data_dir: Path) -> Iterator[str]:
    places = [data_dir / KEY, *sorted(p for kind in (PICTURES, THUMBNAILS) for p in (data_dir / kind).rglob("*"))]
    names = (path.relative_to(data_dir).as_posix() for path in places if path.is_file() and not path.is_symlink())
    return (name for name in names if _NAME.fullmatch(name))


def _copy(source: Path, target: Path, same: Path | None) -> None:
    """Copy a file into a backup.

    same: a file with the same content in the previous backup; None: there is none. If it exists, a hard link to it is
    made instead of a copy.
    """
    target.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if same is not None:
        try:
            os.link(same, target)
            return
        except OSError:  # raised if the file is gone, or if the file system has no hard links
            pass
    _write_durably(target, source.read_bytes())


def _write_durably(path: Path, content: bytes) -> None:
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def _chosen(folder: Path) -> Path:
    if (folder / SUMS).is_file():
        return folder
    newest_first = backups(folder) if folder.is_dir() else []
    if not newest_first:
        raise BadFile(folder, f"this is not a backup (a folder with {SUMS}) and not a folder of backups")
    return newest_first[-1]


def _put_back(backup: Path, data_dir: Path) -> Path:
    """Restore a backup's files, and return the folder with the old files.

    All files are first copied into a temporary folder. Then old files are moved aside, and the copies are moved into
    place. The database is replaced last.
    """
    stamp = f"{datetime.now(UTC):{_STAMP}}"
    copies, aside = data_dir / f".restoring-{stamp}", data_dir / f"before-restore-{stamp}"
    aside.mkdir(mode=0o700)
    sums = _read_sums(backup / SUMS)
    try:
        for name, expected in sums.items():
            _copy(backup / name, copies / name, None)
            if _sha256(copies / name) != expected:
                raise BadFile(backup / name, "the file changed while it was read, so nothing was restored; try again")
        for name in (KEY, f"{DATABASE}-wal", f"{DATABASE}-shm"):
            if (data_dir / name).exists():
                (data_dir / name).rename(aside / name)
        for name in sorted(sums, key=lambda name: name == DATABASE):
            _exchange(copies / name, data_dir / name, aside / name)
    finally:
        shutil.rmtree(copies, ignore_errors=True)
    return aside


def _exchange(new: Path, place: Path, aside: Path) -> None:
    """Replace a file in one step.

    If the old file differs from the new one, a copy of it is kept in the folder `aside`.
    """
    place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    if place.is_file() and _sha256(place) != _sha256(new):
        aside.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.copy2(place, aside)
    new.replace(place)


def _read_sums(path: Path) -> dict[str, str]:
    """Read the checksums of files; key: name.

    Raises BadFile for invalid names, such as paths outside of the folder.
    """
    try:
        lines = [_SUM.fullmatch(line) for line in path.read_text("ascii").splitlines()]
    except (OSError, ValueError) as error:
        raise BadFile(path, f"the file cannot be read ({error})") from error
    sums = {line[2]: line[1] for line in lines if line and _NAME.fullmatch(line[2])}
    if len(sums) != len(lines) or DATABASE not in sums:
        raise BadFile(path, f"each line must have a checksum and a name, and one line must name {DATABASE}")
    return sums


def _sha256(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()

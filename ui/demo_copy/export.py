"""Write the static copy of the demo. All files are made first, so that an error leaves the folder unchanged."""

import asyncio
import shutil
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from core.errors import BadSetting
from core.metrics.hice import HICE
from ui.demo_copy.pages import FIRST, copy_files, html_page, own_files, readme
from ui.demo_copy.parts import PICTURES, RECORDED
from ui.demo_copy.recording import record
from ui.services.demo import ensure_demo
from ui.services.scoring.judging import Judge
from ui.services.workplace import open_workplace
from ui.settings import Settings
from ui.web.files.static_files import PREFIX
from ui.web.server import build_api

README = "README.md"
_FOLDERS = (PICTURES, RECORDED, PREFIX.strip("/"))
_OURS = (*_FOLDERS, FIRST, README)
_MARK = f"{RECORDED}/index.json"  # file that shows that a folder contains an earlier copy of the demo


@dataclass(frozen=True, slots=True)
class Written:
    """The result of writing a copy of the demo."""

    files: int
    bytes: int  # total number of bytes of all files except photographs
    photographs: int  # total number of bytes of the photographs


def export_demo(to: Path, day: date, url: str | None = None, force: bool = False) -> Written:
    """Write a copy of the demo into a folder.

    An earlier copy in the folder is replaced; other files stay. day: the day on which the app's responses are recorded.
    url: the future address of the folder, for link previews. force: overwrite files with the same names, even if they
    belong to no earlier copy. Raises BadSetting, ModelUnavailable.
    """
    _check(to, force)
    files = make_copy(day, url)
    try:
        for name in _FOLDERS:
            shutil.rmtree(to / name, ignore_errors=True)
        for path, content in files.items():
            (to / path).parent.mkdir(parents=True, exist_ok=True)
            (to / path).write_bytes(content)
            _publish(to, to / path)
    except OSError as error:
        raise BadSetting(f"Cannot write {error.filename or to}: {error.strerror}.") from error
    photographs = sum(len(content) for path, content in files.items() if path.startswith(f"{PICTURES}/"))
    return Written(len(files), sum(map(len, files.values())) - photographs, photographs)


def make_copy(day: date, url: str | None = None) -> dict[str, bytes]:
    """Return the files of a copy of the demo; key: path. Raises BadSetting, ModelUnavailable."""
    static = copy_files()
    with TemporaryDirectory(prefix="capscope-demo-copy-") as folder:
        workplace = open_workplace(Settings(data_dir=Path(folder)))
        judge = Judge(workplace, (HICE,))
        try:
            ensure_demo(workplace)
            recording = asyncio.run(record(build_api(workplace, judge)))
        finally:
            judge.close()
            workplace.repository.close()
    ahead = [name for name in recording if name.startswith(f"{RECORDED}/") and name != _MARK][:2]
    return {
        FIRST: html_page(static, day, url, ahead),
        README: readme(static, day, url),
        **own_files(static),
        **recording,
    }


def _check(to: Path, force: bool) -> None:
    if to.exists() and not to.is_dir():
        raise BadSetting(f"The copy needs a folder, but {to} is a file. Name a folder.")
    there = [name for name in _OURS if (to / name).exists()]
    if there and not force and not (to / _MARK).is_file():
        raise BadSetting(
            f"{to} contains {there[0]}, which is not from an earlier copy. Name another folder, or overwrite the "
            "file with --force."
        )


def _publish(to: Path, file: Path) -> None:
    """Let all users of this machine read a file of the copy.

    This is needed because a web server must read the file.
    """
    file.chmod(0o644)
    for folder in file.relative_to(to).parents:
        with suppress(PermissionError):  # raised if the folder belongs to another user, who has already set its mode
            (to / folder).chmod(0o755)

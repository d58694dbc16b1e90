"""Writing the copy: everything is made first, so that a folder holds all of it or what it held before."""

import asyncio
import shutil
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from core.errors import BadSetting
from core.metrics.hice import HICE
from ui.demo_copy.pages import FIRST, RATE, REPORT, copy_files, html_pages, own_files, readme
from ui.demo_copy.parts import PICTURES, RECORDED
from ui.demo_copy.recording import record
from ui.report.html import link, paragraph
from ui.report.page import dataset_report_html
from ui.services.analysis.analyst import Analyst
from ui.services.demo import DATASET, NOTICE, ensure_demo
from ui.services.scoring.judging import Judge
from ui.services.workplace import open_workplace
from ui.settings import Settings
from ui.web.files.static_files import PREFIX
from ui.web.server import build_api

README = "README.md"
_FOLDERS = (PICTURES, RECORDED, PREFIX.strip("/"))
_OURS = (*_FOLDERS, FIRST, RATE, REPORT, README)
_MARK = f"{RECORDED}/index.json"  # by which an earlier copy is known


@dataclass(frozen=True, slots=True)
class Written:
    """A copy that was written."""

    files: int
    bytes: int  # of all files but photographs
    photographs: int  # bytes


def export_demo(to: Path, day: date, url: str | None = None, force: bool = False) -> Written:
    """Write a copy of the demo into a folder; an earlier copy there is replaced, and other files stay.

    day: of the recording; url: where the folder will be served, for previews of links. force: write over files of the
    same names that are no copy's. Raises BadSetting, ModelUnavailable.
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
    """Return the files of a copy by their paths. Raises BadSetting, ModelUnavailable."""
    static = copy_files()
    with TemporaryDirectory(prefix="capscope-demo-copy-") as folder:
        workplace = open_workplace(Settings(data_dir=Path(folder)))
        judge = Judge(workplace, (HICE,))
        try:
            ensure_demo(workplace)
            recording = asyncio.run(record(build_api(workplace, judge), workplace))
            before = (link("Back to the demo", FIRST), paragraph(NOTICE, "notice"))
            report = dataset_report_html(Analyst(workplace), DATASET, before=before)
        finally:
            judge.close()
            workplace.repository.close()
    ahead = [name for name in recording if name.startswith(f"{RECORDED}/") and name != _MARK][:2]
    return {
        **html_pages(static, day, url, ahead),
        REPORT: report.encode(),
        README: readme(static, day, url),
        **own_files(static),
        **recording,
    }


def _check(to: Path, force: bool) -> None:
    if to.exists() and not to.is_dir():
        raise BadSetting(f"Expected a folder to write the copy into, found a file: {to}.")
    there = [name for name in _OURS if (to / name).exists()]
    if there and not force and not (to / _MARK).is_file():
        raise BadSetting(
            f"{to} holds {there[0]}, which is no earlier copy's: name another folder, or write over it with --force."
        )


def _publish(to: Path, file: Path) -> None:
    """Let everybody on this machine read a file of the copy, as a web server has to."""
    file.chmod(0o644)
    for folder in file.relative_to(to).parents:
        with suppress(PermissionError):  # the folder is somebody else's, who has set its mode
            (to / folder).chmod(0o755)

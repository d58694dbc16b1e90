"""Write the static copy of the demo. All files are made first, so that an error leaves the folder unchanged."""

import asyncio
import shutil
from contextlib import suppress
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from tempfile import TemporaryDirectory

from jinja2 import Template

from core.errors import BadSetting
from core.metrics.hice import HICE
from ui.demo_copy.recording import PICTURES, RECORDED, START, record
from ui.services.demo import LICENCES, ensure_demo
from ui.services.scoring.judging import Judge
from ui.services.workplace import open_workplace
from ui.settings import Settings
from ui.web.access.plain_pages import TEMPLATES, PlainPages
from ui.web.files.bundles import FOLDER, bundled, page_bundle
from ui.web.files.static_files import PREFIX, StaticFiles
from ui.web.server import build_api

FIRST, README = "index.html", "README.md"
_FOLDERS = (PICTURES, RECORDED, PREFIX.strip("/"))
_MARK = f"{RECORDED}/index.json"  # file that shows that a folder contains an earlier copy of the demo
_PLACES = {"/": f"/{FIRST}", "/inspect": f"/{FIRST}"}  # path in the app -> path in the copy
_BUNDLE = page_bundle("copy-inspect", "inspect", first=("recorded/start.js",))
_WORDS = (
    "{metric} gave these scores on {day}, for these captions and for the edits after “Try”. No metric runs on this "
    "page."
)


@dataclass(frozen=True, slots=True)
class Written:
    """The result of writing a copy of the demo."""

    files: int
    bytes: int  # total number of bytes of all files except photographs
    photographs: int  # total number of bytes of the photographs


def export_demo(to: Path, day: date, force: bool = False) -> Written:
    """Write a copy of the demo into a folder.

    An earlier copy in the folder is replaced; other files stay. day: the day on which the app's responses are recorded.
    force: overwrite files with the same names, even if they belong to no earlier copy. Raises BadSetting,
    ModelUnavailable.
    """
    _check(to, force)
    files = {**_own_files(day), **_recording()}
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


def _recording() -> dict[str, bytes]:
    """Return the app's recorded responses about a new demo. Raises BadSetting, ModelUnavailable."""
    with TemporaryDirectory(prefix="capscope-demo-copy-") as folder:
        workplace = open_workplace(Settings(data_dir=Path(folder)))
        judge = Judge(workplace, (HICE,))
        try:
            ensure_demo(workplace)
            return asyncio.run(record(build_api(workplace, judge)))
        finally:
            judge.close()
            workplace.repository.close()


def _own_files(day: date) -> dict[str, bytes]:
    """Return the copy's page, the files that it loads, and a README for a static Space on Hugging Face; key: path."""
    static = bundled(StaticFiles.read(), (_BUNDLE,))
    page = PlainPages(static, ".").text(
        "copy",
        title="Inspect",
        script="inspect",
        bundle=_BUNDLE,
        places=_PLACES,
        note=_WORDS.format(metric=HICE.name, day=f"{day.day} {day:%B %Y}"),
        ahead=(_MARK, f"{RECORDED}/{START}.json"),  # the recorded responses that the page needs first
    )
    template = Template((TEMPLATES / "copy.md").read_text(encoding="utf-8"), keep_trailing_newline=True)
    readme = template.render(
        day=day.isoformat(),
        pictures="\n".join(f"- {name}: {licence}" for name, licence in LICENCES.items()),
        first=FIRST,
    )
    loaded = (*(name for name in static.contents if name.startswith(FOLDER)), "icon.svg")
    files = {static.address(name).lstrip("/"): static.contents[name] for name in loaded}
    return {FIRST: page.encode(), README: readme.encode(), **files}


def _check(to: Path, force: bool) -> None:
    if to.exists() and not to.is_dir():
        raise BadSetting(f"The copy needs a folder, but {to} is a file. Name a folder.")
    there = [name for name in (*_FOLDERS, FIRST, README) if (to / name).exists()]
    if there and not force and not (to / _MARK).is_file():
        raise BadSetting(
            f"{to} contains {there[0]}, which is not from an earlier copy. Name another folder, or overwrite the "
            "file with --force."
        )


def _publish(to: Path, file: Path) -> None:
    """Let all users of this machine read a file of the copy, because a web server must read it."""
    file.chmod(0o644)
    for folder in file.relative_to(to).parents:
        with suppress(PermissionError):  # raised if the folder belongs to another user, who has already set its mode
            (to / folder).chmod(0o755)

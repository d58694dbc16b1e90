"""The bundles of the pages: all that a page's sources say, once, with maps back to them."""

import json
import os
import re
from pathlib import PurePosixPath

import pytest

from ui.web.files.bundles import PLAIN_PAGES, STUDIES, STUDY, Bundle, app_files, gradio_bundle
from ui.web.files.inline_scripts import LOADING_TIMER, RETRYING
from ui.web.files.linker import read_module
from ui.web.files.modules import later_modules_of, modules_of
from ui.web.files.static_files import STATIC, StaticFiles

FILES = app_files()
BUNDLES = {
    **{name: gradio_bundle(name) for name in sorted(file.parent.name for file in STATIC.glob("*/page.js"))},
    "study": STUDY,
    "studies": STUDIES,
    "plain_pages": PLAIN_PAGES,
}
every_bundle = pytest.mark.parametrize("bundle", BUNDLES.values(), ids=BUNDLES)
_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


def sources_of(name: str) -> list[str]:
    """Return the sources that a bundle's map names, below ui/static."""
    found: list[str] = json.loads(FILES.contents[f"{name}.map"])["sources"]
    return [os.path.normpath(f"bundles/{source}") for source in found]


def steps(segment: str) -> list[int]:
    """Return the numbers of a segment of a source map, as the format describes them."""
    found, number, shift = [], 0, 0
    for digit in map(_BASE64.index, segment):
        number |= (digit & 31) << shift
        shift += 5
        if not digit & 32:
            found.append(-(number >> 1) if number & 1 else number >> 1)
            number = shift = 0
    return found


def imported(name: str, word: str = "from") -> set[str]:
    """Return what a module imports, read word by word; word: what stands before the path."""
    code = re.sub(r"/\*.*?\*/|//[^\n]*", "", FILES.text(name), flags=re.DOTALL)  # types are imported in comments
    words = code.replace(";", " ").replace("import(", " later ").replace(")", " ").split()
    folder = PurePosixPath("/", name).parent
    named = [words[at + 1].strip('",') for at, each in enumerate(words[:-1]) if each == word]
    return {os.path.normpath(folder / path).lstrip("/") for path in named if path.endswith(".js") and "$" not in path}


@every_bundle
def test_a_bundle_holds_every_module_that_its_page_imports_once_and_no_other(bundle: Bundle) -> None:
    now = sources_of(bundle.script)
    later = sources_of(bundle.later) if bundle.later in FILES.contents else []
    assert len(now + later) == len({*now, *later})
    assert set(now) == {*bundle.runs, *bundle.asked_for}.union(*map(imported, now))
    every = {*now, *later}
    assert every == {*now}.union(*(imported(name, word) for name in every for word in ("from", "later")))


@every_bundle
def test_a_bundle_keeps_every_line_of_its_sources_but_comments(bundle: Bundle) -> None:
    for address in (bundle.script, bundle.sheet, *([bundle.later] if bundle.later in FILES.contents else [])):
        lines = FILES.text(address).splitlines()
        sources, groups = sources_of(address), json.loads(FILES.contents[f"{address}.map"])["mappings"].split(";")
        source = row = 0
        kept: dict[str, set[int]] = {name: set() for name in sources}
        for line, group in zip(lines, groups, strict=False):
            if not group:
                continue
            column, next_source, next_row, source_column = steps(group)
            source, row = source + next_source, row + next_row
            written = FILES.text(sources[source]).splitlines()[row]
            assert column == source_column == 0
            kept_whole = line == written or re.fullmatch(re.escape(line) + r" *//.*", written)
            assert kept_whole or re.match(r"export |import |} from |.*\bimport\(", written), (line, written)
            kept[sources[source]].add(row)
        for name, rows in kept.items():
            left_out = [text for at, text in enumerate(FILES.text(name).splitlines()) if at not in rows]
            assert all(re.match(r"\s*($|//|/\*|\*)|.*\*/$", text) for text in left_out), (name, left_out)
        assert lines[-1].strip("/*# ") == f"sourceMappingURL={PurePosixPath(address).name}.map"


SHARED = ("shared/style", "shared/dialogs", "shared/lists")
RATE = ("rate/style", "rate/visit")


@pytest.mark.parametrize(
    ("name", "rooms"),
    [
        ("rate", ["shared/gradio", *SHARED, "regions/style", *RATE]),
        ("inspect", ["shared/gradio", *SHARED, "regions/style", "inspect/style"]),
        ("analyse", ["shared/gradio", *SHARED, "regions/style", "inspect/style", "analyse/style"]),
        ("studies", [*SHARED, "studies/style", "plain_pages/style"]),
        ("study", [*SHARED, "regions/style", *RATE, "plain_pages/style"]),
        ("plain_pages", [*SHARED, "plain_pages/style"]),
    ],
)
def test_a_page_loads_the_sheets_of_its_rooms_its_own_last(name: str, rooms: list[str]) -> None:
    assert sources_of(BUNDLES[name].sheet) == [f"{room}.css" for room in rooms]


def test_every_sheet_is_loaded_by_some_page() -> None:
    loaded = {sheet for bundle in BUNDLES.values() for sheet in sources_of(bundle.sheet)}
    sheets = {name for name in FILES.contents if name.endswith(".css") and not name.startswith("bundles/")}
    assert sheets - loaded == {"recorded/style.css"}  # of the demo's static copy


def test_every_module_is_in_some_bundle() -> None:
    loaded = {name for one in BUNDLES.values() for name in modules_of(FILES, *one.runs, *one.asked_for)}
    loaded |= {name for one in BUNDLES.values() for name in later_modules_of(FILES, *one.runs, *one.asked_for)}
    scripts = {name for name in FILES.contents if name.endswith(".js") and not name.startswith("bundles/")}
    written_into_pages = {RETRYING, LOADING_TIMER}
    assert {name for name in scripts - loaded if not name.startswith("recorded/")} == written_into_pages


def test_the_address_follows_the_bundles_too() -> None:
    """A new linker makes new bundles of old sources: browsers must not take the old bundles for them."""
    changed = {**FILES.contents, STUDY.script: FILES.contents[STUDY.script] + b"//"}
    assert len({StaticFiles.read().version, FILES.version, StaticFiles(changed).version}) == 3


def test_no_module_of_a_page_reads_where_it_lies_but_the_one_that_knows_bundles() -> None:
    readers = [name for name in FILES.contents if name.endswith(".js") and "import.meta" in FILES.text(name)]
    assert [name for name in readers if not name.startswith("bundles/")] == ["shared/address.js"]


def test_the_text_of_a_module_is_read_once() -> None:
    assert read_module("a.js", "1;\n") is read_module("a.js", "1;\n")

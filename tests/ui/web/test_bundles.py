"""The bundles of the pages: each module and each sheet that a page needs, once."""

import re

from ui.web.files.bundles import PLAIN_PAGES, STUDIES, STUDY, app_files, gradio_bundle
from ui.web.files.inline_scripts import LOADING_TIMER, RETRYING
from ui.web.files.linker import later_modules_of, modules_of
from ui.web.files.static_files import STATIC, StaticFiles

FILES = app_files()
BUNDLES = {
    **{name: gradio_bundle(name) for name in sorted(file.parent.name for file in STATIC.glob("*/page.js"))},
    "study": STUDY,
    "studies": STUDIES,
    "plain_pages": PLAIN_PAGES,
}
NEEDED = {
    name: [modules(FILES, *bundle.runs, *bundle.asked_for) for modules in (modules_of, later_modules_of)]
    for name, bundle in BUNDLES.items()
}


def test_a_bundle_holds_every_module_of_its_page_once() -> None:
    for name, bundle in BUNDLES.items():
        for address, modules in zip((bundle.script, bundle.later), NEEDED[name], strict=True):
            text = FILES.text(address) if address in FILES.contents else ""
            assert re.findall(r'^"([\w/]+\.js)"\(\) {$', text, re.MULTILINE) == list(modules)


def test_a_page_loads_the_sheets_of_its_rooms_its_own_last() -> None:
    shared = ["shared/style", "shared/dialogs", "shared/lists"]
    expected = {
        "rate": ["shared/gradio", *shared, "regions/style", "rate/style"],
        "inspect": ["shared/gradio", *shared, "regions/style", "inspect/style"],
        "analyse": ["shared/gradio", *shared, "regions/style", "inspect/style", "analyse/style"],
        "studies": [*shared, "studies/style", "plain_pages/style"],
        "study": [*shared, "regions/style", "rate/style", "plain_pages/style"],
        "plain_pages": [*shared, "plain_pages/style"],
    }
    loaded = {name: bundle.sheets(*NEEDED[name][0], *NEEDED[name][1]) for name, bundle in BUNDLES.items()}
    assert loaded == {name: tuple(f"{room}.css" for room in rooms) for name, rooms in expected.items()}


def test_every_module_and_sheet_is_in_some_bundle() -> None:
    own = {name for name in FILES.contents if name.endswith((".js", ".css")) and not name.startswith("bundles/")}
    loaded = {module for both in NEEDED.values() for modules in both for module in modules}
    loaded |= {sheet for name, one in BUNDLES.items() for sheet in one.sheets(*NEEDED[name][0], *NEEDED[name][1])}
    written_into_pages = {RETRYING, LOADING_TIMER}
    assert {name for name in own - loaded if not name.startswith("recorded/")} == written_into_pages


def test_the_address_follows_the_bundles_too() -> None:
    """A new linker makes new bundles of old sources: browsers must not take the old bundles for them."""
    changed = {**FILES.contents, STUDY.script: FILES.contents[STUDY.script] + b"//"}
    assert len({StaticFiles.read().version, FILES.version, StaticFiles(changed).version}) == 3

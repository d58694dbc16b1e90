"""Make the bundles of each page from the source files when the server starts.

A bundle has a script and a style sheet, which a page loads with two requests instead of forty. It also has a second
script, which is loaded later.
"""

import posixpath
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

from ui.web.files.linker import later_modules_of, link, link_later, modules_of
from ui.web.files.static_files import StaticFiles

FOLDER = "bundles/"  # folder below ui/static that exists only in addresses, not on the disk
START = "capscope.js"
_OF_GRADIO = "shared/gradio.css"  # style sheet for pages in Gradio's frame
_PAGE = "/page.js"  # name of the main script in each page's folder
_OF_PLAIN_PAGES = "plain_pages/style.css"  # style sheet for pages without Gradio
_SHEETS = (  # style sheets in this order: shared folders first, so that a page's own sheets override them
    *(_OF_GRADIO, "shared/style.css", "shared/dialogs.css", "shared/lists.css"),
    *("regions/style.css", "inspect/style.css", "rate/style.css"),
    *("analyse/style.css", "studies/style.css", "recorded/style.css"),
)


@dataclass(frozen=True, slots=True)
class Bundle:
    """The joined files of a page.

    runs: the modules that the bundle's script runs when it is loaded, in this order. asked_for: modules that the script
    contains, but does not run by itself. The modules in `runs` import them by names that are known only while the page
    runs.
    """

    name: str
    runs: tuple[str, ...]
    asked_for: tuple[str, ...] = ()
    more_sheets: tuple[str, ...] = ()  # style sheets in addition to those in the modules' folders

    @property
    def script(self) -> str:
        """Return the path in ui/static of the script that runs first."""
        return f"{FOLDER}{self.name}.js"

    @property
    def later(self) -> str:
        """Return the path in ui/static of the script that is loaded later. It may not exist."""
        return f"{FOLDER}{self.name}.later.js"

    @property
    def sheet(self) -> str:
        """Return the path in ui/static of the style sheet."""
        return f"{FOLDER}{self.name}.css"

    def made_of(self, files: StaticFiles) -> dict[str, bytes]:
        """Return the bundle's files; key: name. Raises NotLinkable."""
        entries = (*self.runs, *self.asked_for)
        now, later = modules_of(files, *entries), later_modules_of(files, *entries)
        made = {
            self.script: link(files, now, self.runs, posixpath.basename(self.later)),
            self.sheet: b"".join(files.contents[name] for name in self.sheets(*now, *later)),
        }
        return made | ({self.later: link_later(files, later)} if later else {})

    def sheets(self, *modules: str) -> tuple[str, ...]:
        """Return the style sheets in the folders of the bundle's modules, in the order of the cascade."""
        rooms = {posixpath.dirname(module) for module in modules}
        own = [one for one in _SHEETS if posixpath.dirname(one) in rooms]
        own = [sheet for sheet in own if sheet != _OF_GRADIO or sheet in self.more_sheets]
        return (*own, *(sheet for sheet in self.more_sheets if sheet not in own))


def page_bundle(name: str, script: str, *more_sheets: str, first: tuple[str, ...] = ()) -> Bundle:
    """Return the bundle of a page.

    script: the page's folder in ui/static. more_sheets: paths of further style sheets. first: modules that run before
    all others.
    """
    return Bundle(name, (*first, START), (script + _PAGE,), more_sheets)


STUDY = page_bundle("study", "rate", _OF_PLAIN_PAGES)  # bundle of the page behind a study link
STUDIES = Bundle("studies", ("studies/manager.js",), (), (_OF_PLAIN_PAGES, "studies/style.css"))
PLAIN_PAGES = Bundle(
    "plain_pages", ("plain_pages/colours.js",), (), (_OF_PLAIN_PAGES,)
)  # the bundle of all other pages without Gradio


def gradio_bundle(script: str) -> Bundle:
    """Return the bundle of a page that Gradio serves.

    script: the name of the page's folder in ui/static.
    """
    return page_bundle(script, script, _OF_GRADIO)


def bundled(files: StaticFiles, bundles: Iterable[Bundle]) -> StaticFiles:
    """Return the source files together with the bundles made from them.

    The version in the files' addresses is a hash of all these files. Raises NotLinkable.
    """
    made = {name: content for bundle in bundles for name, content in bundle.made_of(files).items()}
    return StaticFiles({**files.contents, **made})


@cache
def app_files() -> StaticFiles:
    """Return the source files with the bundles of all the app's pages.

    The files are read only once.
    """
    sources = StaticFiles.read()
    scripts = [name.removesuffix(_PAGE) for name in sources.contents if name.endswith(_PAGE)]
    return bundled(sources, (*map(gradio_bundle, scripts), STUDY, PLAIN_PAGES, STUDIES))

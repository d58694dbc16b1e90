"""Join the modules and style sheets of each page when the server starts.

A bundle has a script and a style sheet, which a page loads with two requests instead of forty. In the script, each
module is a function that runs once and returns its exports, so no name has to change. Comments on lines of their own
are removed. The linker supports `import { a, b as c } from "./x.js";`, `export` before a function, class or constant,
and `import("./x.js")`. All other forms raise `NotLinkable`.
"""

import json
import posixpath
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

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
# Patterns for whole lines begin with a line break, because Python finds a line break many times faster than "^".
_IMPORT = re.compile(r'\nimport \{([^}]*)\} from "(\.[\w./]+)";(?=\n)')
_EXPORT = re.compile(r"\nexport ((?:async )?function\*?|class|const) (\w+)")
_LATER = re.compile(r'import\(([`"])(\.[^`"]+\.js)\1\)')
_LEFT = re.compile(r"\n((?:import|export)\b[^\n]*)")  # import and export statements that the linker does not support
_COMMENT = re.compile(r"\n[ \t]*(?://[^\n]*|/\*(?:(?!\*/)[\s\S])*\*/)?(?=\n)")  # on lines of its own; also empty lines


class NotLinkable(Exception):
    """Raised if a module uses a form of import or export that the linker does not support."""


@dataclass(frozen=True, slots=True)
class Module:
    """A module: the modules that it imports, and its text as a function."""

    imports: tuple[str, ...]  # paths below ui/static, such as "rate/page.js"
    text: str


@cache
def read_module(name: str, text: str) -> Module:
    """Read a module. Raises NotLinkable."""
    text = f"\n{text}"

    def path(found: str) -> str:
        return posixpath.normpath(posixpath.join(posixpath.dirname(name), found))

    def import_(found: re.Match[str]) -> str:
        return f"\nconst {{{found[1].replace(' as ', ': ')}}} = $take({json.dumps(path(found[2]))});"

    later = [one for _, one in _LATER.findall(text) if "$" not in one]  # a bundle's `asked_for` has computed paths
    imports = tuple(path(one) for one in (*(one for _, one in _IMPORT.findall(text)), *later))
    exports = [exported for _, exported in _EXPORT.findall(text)]
    body = _EXPORT.sub(r"\n\1 \2", _IMPORT.sub(import_, text))
    body = _LATER.sub(lambda found: f"$import({found[1]}{path(found[2])}{found[1]})", body)
    if left := _LEFT.search(body):
        raise NotLinkable(f"{name}: the linker does not support this statement: {left[1]}")
    body = _COMMENT.sub("", f"{body}\n")
    return Module(imports, f"{json.dumps(name)}() {{{body}return {{ {', '.join(exports)} }};\n}},")


def modules_of(files: StaticFiles, *names: str) -> dict[str, Module]:
    """Return modules and all their direct and indirect imports. Raises NotLinkable."""
    found: dict[str, Module] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in found:
            found[name] = read_module(name, files.text(name))
            waiting += found[name].imports
    return found


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
        """Return the path of the script in ui/static."""
        return f"{FOLDER}{self.name}.js"

    @property
    def sheet(self) -> str:
        """Return the path of the style sheet in ui/static."""
        return f"{FOLDER}{self.name}.css"

    def made_of(self, files: StaticFiles) -> dict[str, bytes]:
        """Return the bundle's files; key: name. Raises NotLinkable."""
        modules = modules_of(files, *self.runs, *self.asked_for)
        script = [
            "const $modules = {",
            *(module.text for module in modules.values()),
            "};",
            "const $exports = {};",
            "const $take = (name) => $exports[name] ??= $modules[name]();",
            "const $import = async (name) => $take(name);",
            *(f"$take({json.dumps(name)});" for name in self.runs),
        ]
        sheets = b"".join(files.contents[name] for name in self.sheets(modules))
        return {self.script: "\n".join([*script, ""]).encode(), self.sheet: sheets}

    def sheets(self, modules: Iterable[str]) -> tuple[str, ...]:
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

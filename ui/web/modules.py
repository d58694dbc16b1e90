"""Which scripts a page's script needs, and which style sheets go with them."""

import posixpath
import re

from ui.web.static_files import StaticFiles

_IMPORT = re.compile(r'^import [^;]*from "(\.[\w./]+)";$', re.MULTILINE)
_SHEETS = (  # lower rooms first, so that a page's own sheet has the last word
    "shared/gradio.css",
    *(f"{room}/style.css" for room in ("shared", "regions", "inspect", "rate", "analyse", "studies", "recorded")),
)


def sheets_of(*modules: str) -> tuple[str, ...]:
    """Return the style sheets of the rooms that some modules are in, in the order of the cascade."""
    rooms = {posixpath.dirname(module) for module in modules}
    return tuple(sheet for sheet in _SHEETS if posixpath.dirname(sheet) in rooms)


def modules_of(files: StaticFiles, *names: str) -> tuple[str, ...]:
    """Return modules and all that they import, directly or not; what they import only later is left out."""
    found: dict[str, None] = {}
    waiting = list(names)
    while waiting:
        module = waiting.pop()
        if module not in found:
            found[module] = None
            waiting += imports_of(files, module)
    return tuple(found)


def imports_of(files: StaticFiles, module: str) -> list[str]:
    """Return the modules that a module names at its top, below ui/static."""
    folder = posixpath.dirname(module)
    return [posixpath.normpath(posixpath.join(folder, path)) for path in _IMPORT.findall(files.text(module))]

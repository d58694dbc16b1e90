"""Which scripts a page's script needs, and which style sheets go with them."""

import posixpath
from graphlib import CycleError, TopologicalSorter

from ui.web.files.linker import NotLinkable, read_module
from ui.web.files.static_files import StaticFiles

_SHEETS = (  # lower rooms first, so that a page's own sheet has the last word
    "shared/gradio.css",
    *(f"{room}/style.css" for room in ("shared", "regions", "inspect", "rate", "analyse", "studies", "recorded")),
)


def sheets_of(*modules: str) -> tuple[str, ...]:
    """Return the style sheets of the rooms that some modules are in, in the order of the cascade."""
    rooms = {posixpath.dirname(module) for module in modules}
    return tuple(sheet for sheet in _SHEETS if posixpath.dirname(sheet) in rooms)


def modules_of(files: StaticFiles, *names: str) -> tuple[str, ...]:
    """Return modules and all that they import, directly or not; what they import only later is left out.

    A module comes after all that it imports. Raises NotLinkable, also where modules import each other in a circle.
    """
    graph: dict[str, tuple[str, ...]] = {}
    waiting = list(names)
    while waiting:
        name = waiting.pop()
        if name not in graph:
            graph[name] = read_module(name, files.text(name)).imports
            waiting += graph[name]
    try:
        return tuple(TopologicalSorter(graph).static_order())
    except CycleError as error:
        raise NotLinkable(f"These modules import each other in a circle: {', '.join(error.args[1])}.") from error


def later_modules_of(files: StaticFiles, *names: str) -> tuple[str, ...]:
    """Return what modules need only later, directly or not. Raises NotLinkable."""
    now = set(modules_of(files, *names))
    found: set[str] = set()
    waiting = list(now)
    while waiting:
        name = waiting.pop()
        for later in read_module(name, files.text(name)).later:
            new = set(modules_of(files, later)) - now - found
            found |= new
            waiting += new
    return tuple(sorted(found))

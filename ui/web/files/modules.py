"""Find all scripts and style sheets that a page's script needs."""

import posixpath
from graphlib import CycleError, TopologicalSorter

from ui.web.files.linker import NotLinkable, read_module
from ui.web.files.static_files import StaticFiles

_SHEETS = (  # style sheets in this order: shared folders first, so that a page's own sheets override them
    *("shared/gradio.css", "shared/style.css", "shared/dialogs.css", "shared/lists.css"),
    *("regions/style.css", "inspect/style.css"),
    *("rate/style.css", "rate/visit.css"),
    *("analyse/style.css", "studies/style.css", "recorded/style.css"),
)


def sheets_of(*modules: str) -> tuple[str, ...]:
    """Return the style sheets in the folders of some modules, in the order of the cascade."""
    rooms = {posixpath.dirname(module) for module in modules}
    return tuple(sheet for sheet in _SHEETS if posixpath.dirname(sheet) in rooms)


def modules_of(files: StaticFiles, *names: str) -> tuple[str, ...]:
    """Return modules and all their direct and indirect imports.

    Modules that are imported only by calls of import() are omitted. A module comes after its imports. Raises
    NotLinkable, also for circular imports.
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
    """Return the modules that some modules load only while the page runs.

    These modules are imported by calls of import(), directly or indirectly. Raises NotLinkable.
    """
    now = set(modules_of(files, *names))
    modules: set[str] = set()
    waiting = list(now)
    while waiting:
        name = waiting.pop()
        for later in read_module(name, files.text(name)).later:
            new = set(modules_of(files, later)) - now - modules
            modules |= new
            waiting += new
    return tuple(sorted(modules))

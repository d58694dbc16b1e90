"""Find the modules that a page needs, and join ES modules into one script.

Each module becomes a function that runs once and returns its exports, so no name has to change. Comments are removed,
except comments between code in one line. The linker supports `import { a, b as c } from "./x.js";`, `export` before a
function, class or constant, and `import("./x.js")`. All other forms raise `NotLinkable`.
"""

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from graphlib import CycleError, TopologicalSorter

from ui.web.files.static_files import StaticFiles

# Patterns for whole lines begin with a line break, because Python finds a line break many times faster than "^".
_IMPORT = re.compile(r'\nimport \{([^}]*)\} from "(\.[\w./]+)";(?=\n)')
_EXPORT = re.compile(r"\nexport ((?:async )?function\*?|class|const) (\w+)")
_LATER = re.compile(r'import\(([`"])(\.[^`"]+\.js)\1\)')
_LEFT = re.compile(r"\n((?:import|export)\b[^\n]*)")  # import and export statements that the linker does not support

_RUNTIME = """\
};
const $exports = {};
const $take = (name) => $exports[name] ??= $modules[name]();
const $import = async (name) => {
  if (!(name in $modules)) Object.assign($modules, (await import("./%s")).modules($take, $import));
  return $take(name);
};"""


class NotLinkable(Exception):
    """Raised if a module uses a form of import or export that the linker does not support."""


@dataclass(frozen=True, slots=True)
class Module:
    """A module: its imports, and its text as a function."""

    imports: tuple[str, ...]  # names of imported modules: paths below ui/static, such as "rate/page.js"
    later: tuple[str, ...]  # names of modules that are imported only when needed, with import()
    text: str


@cache
def read_module(name: str, text: str) -> Module:
    """Read a module. Raises NotLinkable."""
    text = f"\n{text}"
    imports = tuple(_path(name, path) for _, path in _IMPORT.findall(text))
    # Computed paths ("$") are skipped.
    later = tuple(_path(name, path) for _, path in _LATER.findall(text) if "$" not in path)
    exports = [exported for _, exported in _EXPORT.findall(text)]
    body = "\n".join(_without_comments(_inside(name, text)))
    return Module(imports, later, f"{json.dumps(name)}() {{\n{body}\nreturn {{ {', '.join(exports)} }};\n}},")


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
    """Return the modules that some modules load only while the page runs: by import(), directly or indirectly."""
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


def link(files: StaticFiles, modules: Iterable[str], starts: Iterable[str], later: str) -> bytes:
    """Join modules into a script that runs some of them.

    starts: the modules to run. modules: `starts` and all their direct and indirect imports. later: name of a second
    script, made by `link_later`. It contains the modules that are loaded only when a call of import() needs them.
    """
    runs = [f"$take({json.dumps(name)});" for name in starts]
    return _joined(["const $modules = {", *_texts(files, modules), _RUNTIME % later, *runs])


def link_later(files: StaticFiles, modules: Iterable[str]) -> bytes:
    """Join modules into a script that runs none of them.

    The script from `link` loads this script later and runs its modules.
    """
    return _joined(["export const modules = ($take, $import) => ({", *_texts(files, modules), "});"])


def _texts(files: StaticFiles, modules: Iterable[str]) -> Iterator[str]:
    return (read_module(name, files.text(name)).text for name in modules)


def _joined(parts: Sequence[str]) -> bytes:
    return "\n".join([*parts, ""]).encode()


def _inside(name: str, text: str) -> str:
    """Return a module's text as the body of a function."""

    def import_(found: re.Match[str]) -> str:
        names = found[1].replace(" as ", ": ")
        return f"\nconst {{{names}}} = $take({json.dumps(_path(name, found[2]))});"

    text = _IMPORT.sub(import_, text)
    text = _EXPORT.sub(r"\n\1 \2", text)
    text = _LATER.sub(lambda found: f"$import({found[1]}{_path(name, found[2])}{found[1]})", text)
    if left := _LEFT.search(text):
        raise NotLinkable(f"{name}: the linker does not support this statement: {left[1]}")
    return text[1:]


def _without_comments(text: str) -> Iterator[str]:
    """Yield the lines of a module's text, without empty lines and without comments.

    Comments that stand between code in one line are kept.
    """
    lines = text.split("\n")
    in_template, at = False, 0
    while at < len(lines):
        line = lines[at]
        start = line.lstrip()
        if not in_template and (not start or start[0] == "/") and (after := _after_comment(lines, at)) > at:
            at = after
            continue
        line = line if in_template else _without_last_comment(line)
        in_template ^= line.count("`") % 2 == 1
        yield line
        at += 1


def _without_last_comment(line: str) -> str:
    """Return a line of code without the comment at its end.

    After an odd number of quotation marks of one kind, "//" may be part of a text and begins no comment.
    """
    for found in re.finditer(" // ", line):
        code = line[: found.start()]
        if not any(code.count(mark) % 2 for mark in "\"'`"):
            return code.rstrip()
    return line


def _after_comment(lines: Sequence[str], at: int) -> int:
    """Return the line number after a comment or an empty line.

    at: the line number at which the comment or the empty line begins. If there is neither, return `at`.
    """
    start = lines[at].lstrip()
    if not start or start.startswith("//"):
        return at + 1
    if not start.startswith("/*"):
        return at
    end = next((line for line in range(at, len(lines)) if "*/" in lines[line]), at)
    return end + 1 if lines[end].rstrip().endswith("*/") and lines[end].count("*/") == 1 else at


def _path(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))

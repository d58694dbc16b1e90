"""Join ES modules into one script, and style sheets into one sheet, with source maps.

Each module becomes a function that runs once and returns its exports, so no name has to change. Comments are removed
from the script, except comments between code in one line. The linker supports `import { a, b as c } from "./x.js";`,
`export` before a function, class or constant, and `import("./x.js")`. All other forms raise `NotLinkable`.
"""

import json
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import NamedTuple

# Patterns for whole lines begin with a line break, because Python finds a line break many times faster than "^".
_IMPORT = re.compile(r'\nimport \{([^}]*)\} from "(\.[\w./]+)";(?=\n)')
_EXPORT = re.compile(r"\nexport ((?:async )?function\*?|class|const) (\w+)")
_LATER = re.compile(r'import\(([`"])(\.[^`"]+\.js)\1\)')
_LEFT = re.compile(r"\n((?:import|export)\b[^\n]*)")  # import and export statements that the linker does not support

_RUNTIME = """\
const $exports = {};
const $take = (name) => $exports[name] ??= $modules[name]();
const $import = async (name) => {
  if (!(name in $modules)) Object.assign($modules, (await import("./%s")).modules($take, $import));
  return $take(name);
};
"""


class NotLinkable(Exception):
    """Raised if a module uses a form of import or export that the linker does not support."""


@dataclass(frozen=True, slots=True)
class Linked:
    """A joined script or style sheet, and its source map."""

    text: bytes
    map: bytes


class Line(NamedTuple):
    """A line of a joined text. row: the line's number in its source file, from 0; None: the linker wrote the line."""

    text: str
    row: int | None = None


@dataclass(frozen=True, slots=True)
class Module:
    """A module: its imports, and its text as the body of a function."""

    name: str  # path below ui/static, such as "rate/page.js"
    imports: tuple[str, ...]  # names of imported modules
    later: tuple[str, ...]  # names of modules that are imported only when needed, with import()
    body: tuple[Line, ...]


@cache
def read_module(name: str, text: str) -> Module:
    """Read a module. Raises NotLinkable."""
    text = f"\n{text}"
    imports = tuple(_path(name, path) for _, path in _IMPORT.findall(text))
    # Computed paths ("$") are skipped.
    later = tuple(_path(name, path) for _, path in _LATER.findall(text) if "$" not in path)
    exports = [exported for _, exported in _EXPORT.findall(text)]
    head, end = Line(f"{json.dumps(name)}() {{"), Line(f"return {{ {', '.join(exports)} }};\n}},")
    return Module(name, imports, later, (head, *_without_comments(_inside(name, text)), end))


def link(modules: Sequence[Module], starts: Iterable[str], address: str, later: str) -> Linked:
    """Join modules into a script that runs some of them.

    starts: the modules to run. modules: `starts` and all their direct and indirect imports. address: the script's path
    below ui/static; the source map names the sources relative to this path. later: name of a second script, made by
    `link_later`. It contains the modules that are loaded only when a call of import() needs them.
    """
    runtime = [Line("};"), Line((_RUNTIME % later).rstrip()), *(Line(f"$take({json.dumps(name)});") for name in starts)]
    return _written([("", [Line("const $modules = {")]), *_bodies(modules), ("", runtime)], address)


def link_later(modules: Sequence[Module], address: str) -> Linked:
    """Join modules into a script that runs none of them.

    The script from `link` loads this script later and runs its modules.
    """
    head, end = [Line("export const modules = ($take, $import) => ({")], [Line("});")]
    return _written([("", head), *_bodies(modules), ("", end)], address)


def join_sheets(sheets: Iterable[tuple[str, str]], address: str) -> Linked:
    """Join style sheets in the order of the cascade.

    sheets: (name, text) of each sheet. The sheets must not have relative addresses or `@import`.
    """
    parts = [(name, [Line(text, row) for row, text in enumerate(sheet.splitlines())]) for name, sheet in sheets]
    return _written(parts, address, "/*# %s */")


def _bodies(modules: Iterable[Module]) -> list[tuple[str, Sequence[Line]]]:
    return [(module.name, module.body) for module in modules]


def _inside(name: str, text: str) -> str:
    """Return a module's text as the body of a function. All lines keep their numbers."""

    def import_(found: re.Match[str]) -> str:
        names = found[1].replace(" as ", ": ")
        return f"\nconst {{{names}}} = $take({json.dumps(_path(name, found[2]))});"

    text = _IMPORT.sub(import_, text)
    text = _EXPORT.sub(r"\n\1 \2", text)
    text = _LATER.sub(lambda found: f"$import({found[1]}{_path(name, found[2])}{found[1]})", text)
    if left := _LEFT.search(text):
        raise NotLinkable(f"{name}: the linker does not support this statement: {left[1]}")
    return text[1:]


def _without_comments(text: str) -> Iterator[Line]:
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
        yield Line(line, at)
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


def _written(parts: Sequence[tuple[str, Sequence[Line]]], address: str, comment: str = "//# %s") -> Linked:
    """Join the lines of sources into one text. Returns it with its source map (revision 3)."""
    groups: list[str] = []
    sources = [name for name, _ in parts if name]
    last_source, last_row = 0, 0
    for name, lines in parts:
        source = sources.index(name) if name else 0
        for line, row in lines:
            if row is None:
                groups += [""] * (line.count("\n") + 1)
                continue
            groups.append(_segment(source - last_source, row - last_row))
            last_source, last_row = source, row
    folder, file = posixpath.split(address)
    paths = [posixpath.relpath(name, folder) for name in sources]
    described = {"version": 3, "file": file, "sources": paths, "names": [], "mappings": ";".join(groups)}
    texts = [line.text for _, lines in parts for line in lines]
    text = "\n".join([*texts, comment % f"sourceMappingURL={file}.map", ""])
    return Linked(text.encode(), json.dumps(described, separators=(",", ":")).encode())


_BASE64 = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


@cache
def _segment(source: int, row: int) -> str:
    """Return a source-map segment for the start of a line.

    It has four fields: column 0, source, row, column 0. Source maps store differences instead of indices. source: index
    of the line's source file minus the index for the line before. row: row in the source file minus the row of the line
    before.
    """
    return f"A{_digits(source)}{_digits(row)}A"


def _digits(number: int) -> str:
    """Return a number as source maps write it (base64 VLQ).

    Each digit has five bits. The lowest bit of the number is its sign.
    """
    rest, digits = (abs(number) << 1) | (number < 0), ""
    while True:
        rest, five = rest >> 5, rest & 31
        digits += _BASE64[five | (32 if rest else 0)]
        if not rest:
            return digits


def _path(name: str, path: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), path))

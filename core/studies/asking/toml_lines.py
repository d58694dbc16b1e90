"""Find the line of a value in a TOML file, because tomllib does not report lines."""

import re
from collections.abc import Iterator

Path = tuple[str | int, ...]  # names of tables and keys, and positions in lists from 0

_HEADER = re.compile(r"\s*(\[\[?)\s*([^\]#]+?)\s*\]\]?\s*(?:#.*)?$")
_STRING = re.compile(r"""\"(?:\\.|[^\"\\])*+\"|'[^']*+'""")
_BRACE = re.compile(r"[{}]")
_KEY = re.compile(r"""\s*["']?([\w-]+)["']?\s*=""")


def line_of(text: str, path: Path) -> int | None:
    """Return the line (from 1) at which a value of a TOML file is written.

    path: the keys and list positions that lead to the value. If the value's line is unknown, the line of the nearest
    table around the value is returned. Returns None if no line is known.
    """
    lines: dict[Path, int] = {}
    for place, line in _places(text):
        lines.setdefault(place, line)
        lines.setdefault(place[:-1], line)  # a list of tables gets the line of its first table
    return next((lines[path[:end]] for end in range(len(path), 0, -1) if path[:end] in lines), None)


def _places(text: str) -> Iterator[tuple[Path, int]]:
    """Yield the line of every table, every key, and every inline table in a list. Multi-line texts are skipped."""
    table: Path = ()
    counts: dict[Path, int] = {}
    key, entries, depth = table, 0, 0
    quoted = ""  # quotes that will end the current multi-line text; "": the line is outside such a text
    for number, line in enumerate(text.splitlines(), 1):
        if quoted:
            quoted = "" if line.count(quoted) % 2 else quoted
            continue
        quoted = next((quotes for quotes in ('"""', "'''") if line.count(quotes) % 2), "")
        if header := _HEADER.match(line):
            table = _table(header[2], header[1] == "[[", counts)
            yield table, number
        elif entry := _KEY.match(line):
            key, entries, depth = (*table, entry[1]), 0, 0
            yield key, number
        for brace in _BRACE.findall(_STRING.sub("", line).partition("#")[0]):  # a line may have several inline tables
            if brace == "{" and depth == 0:
                yield (*key, entries), number
                entries += 1
            depth += 1 if brace == "{" else -1


def _table(name: str, is_list: bool, counts: dict[Path, int]) -> Path:
    """Return the path of a table header.

    Example: the third [[criteria]] has the path ("criteria", 2). A following [criteria.abstain] has the path
    ("criteria", 2, "abstain").
    """
    path: Path = ()
    parts = [part.strip().strip("\"'") for part in name.split(".")]
    for place, part in enumerate(parts, 1):
        path = (*path, part)
        if place == len(parts) and is_list:
            counts[path] = counts.get(path, -1) + 1
        if path in counts:
            path = (*path, counts[path])
    return path

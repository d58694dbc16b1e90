"""Find the line of a value in a TOML file, because tomllib does not report lines."""

import re

Path = tuple[str | int, ...]  # names of tables and keys, and positions in lists from 0

_TEXT = re.compile(r'"""(?:\\.|[^\\])*?"""|\'\'\'.*?\'\'\'|"(?:\\.|[^"\\\n])*"|\'[^\'\n]*\'|#[^\n]*', re.DOTALL)
_HEADER = re.compile(r"^[ \t]*\[\[?[ \t]*([^\]\n]*[^\]\s])[ \t]*\]", re.MULTILINE)
_ENTRY = re.compile(r"^[ \t]*(?:\[|[\w-]+[ \t]*=)", re.MULTILINE)
_BRACE = re.compile(r"{")


def line_of(text: str, path: Path) -> int | None:
    """Return the line (from 1) at which a value of a TOML file is written.

    path: the keys and list positions that lead to the value. If the value's line is unknown, the line of the nearest
    table around the value is returned. Returns None if no line is known.
    """
    plain = _TEXT.sub(lambda found: re.sub(r"[^\n]", " ", found[0]), text)  # without quoted texts and comments
    start, end, line = 0, len(plain), None
    names: list[str] = []
    rest = list(path)
    while rest:
        part, nth = rest.pop(0), 0
        if isinstance(part, int):  # an inline table in a list
            found, nth = list(_BRACE.finditer(plain, start, end)), part
        else:
            names.append(part)
            found = [one for one in _HEADER.finditer(plain, start, end) if one[1] == ".".join(names)]
            if not found:  # no table has this name, so it is a key before the next table
                header = _HEADER.search(plain, start, end)
                key = re.compile(rf"(?:^|[{{,])[ \t]*{re.escape(part)}[ \t]*=", re.MULTILINE)
                found = list(key.finditer(plain, start, header.start() if header else end))[:1]
                following = _ENTRY.search(plain, found[0].end(), end) if found else None
                end = following.start() if following else end
            elif rest and isinstance(rest[0], int):
                nth = int(rest.pop(0))
        if nth >= len(found):
            break
        end = found[nth + 1].start() if nth + 1 < len(found) else end
        start = found[nth].start() if isinstance(part, int) else found[nth].end()
        line = plain.count("\n", 0, found[nth].end()) + 1
    return line

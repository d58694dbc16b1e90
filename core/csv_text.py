"""Write CSV for every file of Capscope: one rule for quotes, and one for text that a spreadsheet would run.

Every cell with a control character is quoted, so that a bare carriage return in a caption does not end a row. Text that
a spreadsheet would run as a formula gets a ' in front (`neutralised`). Numbers are written exactly.
"""

import re
from collections.abc import Iterable, Sequence

_FORMULA_STARTS = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")
_NUMBER = re.compile(r"-[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?")
_QUOTED = re.compile(r'[",\x00-\x1f\x7f-\x9f\u2028\u2029]')


def neutralised(text: str) -> str:
    """Return a text that a spreadsheet does not run as a formula.

    Text that looks like a formula gets a ' in front. A negative number stays as it is.
    """
    bare = text.lstrip("'")
    return f"'{text}" if bare.startswith(_FORMULA_STARTS) and not _NUMBER.fullmatch(text) else text


def csv_line(cells: Sequence[object], ending: str = "\n") -> str:
    """Return one row of CSV. None is an empty cell. Texts are neutralised."""
    return ",".join(map(_cell, cells)) + ending


def csv_text(rows: Iterable[Sequence[object]], ending: str = "\n") -> str:
    """Return rows as CSV."""
    return "".join(csv_line(row, ending) for row in rows)


def _cell(value: object) -> str:
    if value is None:
        return ""
    text = neutralised(value) if isinstance(value, str) else str(value)
    return f'"{text.replace(chr(34), chr(34) * 2)}"' if _QUOTED.search(text) else text

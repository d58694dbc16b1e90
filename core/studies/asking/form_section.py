"""One table of a form file: values are removed by name and checked. Errors state the line."""

import re
from collections.abc import Mapping
from typing import Any, TypeVar

from core.errors import BadForm
from core.studies.asking.toml_lines import line_of

LONGEST_KEY, LONGEST_TEXT = 60, 4_000  # characters
_KEY = re.compile(r"[a-z][a-z0-9_-]*")
_Choice = TypeVar("_Choice", bound=str)


class Section:
    """A table of a form file. Values are removed by name and checked; values that remain are refused."""

    def __init__(self, values: Mapping[str, Any], name: str, text: str, path: tuple[str | int, ...] = ()) -> None:
        self._values, self._name, self._text, self._path = dict(values), name, text, path

    def bad(self, key: str, expected: str, found: object) -> BadForm:
        """Return the error for a value of this table.

        key: the value's name; "" for the table itself.
        """
        path = (*self._path, key) if key else self._path
        shown = ".".join(str(part + 1) if isinstance(part, int) else part for part in path)
        return BadForm(self._name, line_of(self._text, path), shown, expected, found)

    def has(self, key: str) -> bool:
        """Return whether the table still has a value with this name."""
        return key in self._values

    def words(self, key: str, default: str | None = None, longest: int = LONGEST_TEXT) -> str:
        """Remove and return a text of 1 to `longest` characters. Raises BadForm."""
        found = self._values.pop(key, default)
        if not isinstance(found, str) or len(found) > longest or not (found.strip() or found == default):
            raise self.bad(key, f"a text of 1 to {longest:,} characters", "nothing" if found is None else found)
        if any(not (c.isprintable() or c == "\n") for c in found):
            raise self.bad(key, "a text without control characters", found)
        return found

    def name(self, key: str) -> str:
        """Remove and return a short name of small letters, digits, - and _. Raises BadForm."""
        found = self.words(key, longest=LONGEST_KEY)
        if not _KEY.fullmatch(found):
            raise self.bad(key, "small letters, digits, - and _, starting with a letter", found)
        return found

    def flag(self, key: str, default: bool = False) -> bool:
        """Remove and return true or false. Raises BadForm."""
        found = self._values.pop(key, default)
        if not isinstance(found, bool):
            raise self.bad(key, "true or false", found)
        return found

    def whole(self, key: str, lowest: int, highest: int, default: int | None = None) -> int:
        """Remove and return a whole number in a range. Raises BadForm."""
        found = self._values.pop(key, default)
        if type(found) is not int or not lowest <= found <= highest:
            raise self.bad(key, f"a whole number from {lowest} to {highest}", "nothing" if found is None else found)
        return found

    def choice(self, key: str, choices: tuple[_Choice, ...], default: _Choice | None = None) -> _Choice:
        """Remove and return one of the choices. Raises BadForm."""
        found = self._values.pop(key, default)
        for choice in choices:
            if found == choice:
                return choice
        raise self.bad(key, f"one of {', '.join(choices)}", "nothing" if found is None else found)

    def texts(self, key: str) -> tuple[str, ...]:
        """Remove and return a list of non-empty texts. Raises BadForm."""
        found = self._values.pop(key, None)
        if not isinstance(found, list) or not all(isinstance(one, str) and one.strip() for one in found):
            raise self.bad(key, "a list of texts", found)
        return tuple(found)

    def section(self, key: str) -> "Section":
        """Remove and return a table; empty if it is missing. Raises BadForm."""
        found = self._values.pop(key, {})
        if not isinstance(found, dict):
            raise self.bad(key, "a table", found)
        return Section(found, self._name, self._text, (*self._path, key))

    def sections(self, key: str) -> list["Section"]:
        """Remove and return a list of tables; empty if it is missing. Raises BadForm."""
        found = self._values.pop(key, [])
        if not isinstance(found, list) or not all(isinstance(one, dict) for one in found):
            raise self.bad(key, "a list of tables", found)
        return [Section(one, self._name, self._text, (*self._path, key, n)) for n, one in enumerate(found)]

    def end(self) -> None:
        """Raise BadForm if the table still has values."""
        for key, found in self._values.items():
            raise self.bad(key, "no such name", found)

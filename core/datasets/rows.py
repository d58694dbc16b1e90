"""Strict access to the fields of one row.

A value with the wrong type raises BadRow. Types are never guessed.
"""

import math
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeGuard, TypeVar

from core.datasets.base import SYSTEM_EXPECTED, Record, Source, plain_name, system_name
from core.errors import BadRow, BadRows
from core.picture_names import file_name, parts_of
from core.types import LONGEST_TEXT

T = TypeVar("T")
LONGEST_NAME = 255  # maximum bytes of the name of a file or folder; file systems allow no more
TEXT = "text that is not blank"
LARGEST = sys.float_info.max
_SURROGATE = re.compile("[\ud800-\udfff]")
_WHOLE = re.compile(r"-?[0-9]{1,18}", re.ASCII)
_NUMBER = re.compile(r"[+-]?([0-9]+(\.[0-9]*)?|\.[0-9]+)([eE][+-]?[0-9]+)?")


class _Nothing:
    """A value that is shown as "nothing" in error messages if a field is missing."""

    def __repr__(self) -> str:
        return "nothing"


NOTHING = _Nothing()


@dataclass(frozen=True, slots=True)
class Row:
    """The fields of one row, and its position in the file."""

    file: Path
    number: int = 0  # as Record.row
    values: Mapping[str, object] = field(default_factory=dict)
    prefix: str = ""  # prefix of fields in nested rows, e.g. "scores[0]."
    part: str = ""  # name of the row's object or list in its file

    @property
    def key(self) -> str:
        """A key for files without ids: the file's name and the row's number, such as "nebula_test#1"."""
        return f"{plain_name(self.file).stem}#{self.number}"

    def bad(self, field: str, expected: str, found: object = NOTHING) -> BadRow:
        """Return an error that states what was expected and what was found in a field of this row."""
        return BadRow(self.file, self.number, self.prefix + field, expected, found)

    def get(self, field: str) -> object:
        """Return the field's value; None if it is absent or null."""
        return self.values.get(field)

    def text(self, field: str, expected: str = TEXT) -> str:
        """Return the text in a field, unchanged. Raises BadRow if it is blank."""
        value = self.any_text(field, expected)
        if not value.strip():
            raise self.bad(field, expected, value)
        return value

    def any_text(self, field: str, expected: str = "text") -> str:
        """Return the text in a field, which may be blank."""
        return self._checked_text(field, self.values.get(field, NOTHING), expected)

    def texts(self, field: str) -> tuple[str, ...]:
        """Return the texts in a field's list; () if the field is absent. Raises BadRow if a text is blank."""
        return tuple(self._items(field, lambda inner, name: inner.text(name)))

    def number_in(self, field: str, low: float = -math.inf, high: float = math.inf) -> float:
        """Return the finite number in a field, within [low, high].

        Booleans, and numbers written as text, raise BadRow.
        """
        value = self.values.get(field, NOTHING)
        if is_number(value) and low <= value <= high:
            return float(value)
        raise self.bad(field, "a finite number" if math.isinf(low) else f"a number from {low:g} to {high:g}", value)

    def numbers(self, field: str) -> tuple[float, ...]:
        """Return the finite numbers in a field's list; () if the field is absent."""
        return tuple(self._items(field, lambda inner, name: inner.number_in(name)))

    def whole(self, field: str, low: int, high: int) -> int:
        """Return the whole number in a field, within [low, high]. It may be written as 64.0."""
        value = self.values.get(field, NOTHING)
        number = None if isinstance(value, str) else whole_number(value)
        if number is None or not low <= number <= high:
            raise self.bad(field, f"a whole number from {low} to {high}", value)
        return number

    def identifier(self, field: str) -> str:
        """Return an id, which may be a text or a whole number. 7, 7.0 and "7" are the same id."""
        number = whole_number(self.values.get(field, NOTHING))
        return self.text(field, "a whole number or a text") if number is None or number < 0 else str(number)

    def picture(self, field: str) -> str:
        """Return the path of a picture with slashes between folders, in Unicode form C."""
        return "/".join(parts_of(self.text(field)))

    def file_name(self, field: str, expected: str = TEXT) -> str:
        """Return the last name in a picture's path or address."""
        return file_name(self.text(field, expected))

    def nested(self, field: str, expected: str = "an object") -> "Row":
        """Return the object in a field as a Row of its own."""
        value = self.values.get(field, NOTHING)
        if not isinstance(value, dict):
            raise self.bad(field, expected, value)
        return Row(self.file, self.number, value, f"{self.prefix}{field}.")

    def nested_list(self, field: str) -> list["Row"]:
        """Return the list of objects in a field as rows; [] if the field is absent."""
        return list(self._items(field, lambda inner, name: inner.nested(name)))

    def mapped(self, field: str, take: Callable[["Row", str], T], expected: str = "an object") -> dict[str, T]:
        """Return the values of a field's JSON object by their names, each taken by `take`; {} if it is absent."""
        if self.get(field) is None:
            return {}
        inner = self.nested(field, expected)
        return {inner.named(name): take(inner, name) for name in inner.values}

    def text_map(self, field: str) -> dict[str, str]:
        """Return a field's JSON object of names and texts, e.g. an explanation; {} if the field is absent."""
        return self.mapped(field, Row.any_text, "an object of texts")

    def system(self, *names: str) -> str | None:
        """Return the captioner's name, with single spaces, from the first field of `names` that names one."""
        for name in names:
            if self.get(name) not in (None, ""):
                found = system_name(self.text(name, SYSTEM_EXPECTED))
                if found is None:
                    raise self.bad(name, SYSTEM_EXPECTED, self.get(name))
                return found
        return None

    def named(self, name: str) -> str:
        """Return a name, such as a field's or a metric's name. Raises BadRow if it is blank."""
        if not name.strip():
            raise self.bad(name, "a name that is not blank", name)
        return self._checked_text(name, name, "a name")

    def record(self, key: str | None, image: str, candidate: str, **more: Any) -> Record:
        """Return a record of this row. more: other fields of Record."""
        return Record(self.file, self.number, image, candidate, key, **more)

    def _items(self, field: str, take: Callable[["Row", str], T]) -> Iterator[T]:
        value = self.values.get(field)
        if value is None:
            return
        if not isinstance(value, list):
            raise self.bad(field, "a list", value)
        inner = Row(self.file, self.number, {f"{field}[{i}]": item for i, item in enumerate(value)}, self.prefix)
        for name in inner.values:
            yield take(inner, name)

    def _checked_text(self, field: str, value: object, expected: str) -> str:
        if not isinstance(value, str):
            raise self.bad(field, expected, value)
        if not value.isascii() and _SURROGATE.search(value):
            raise self.bad(field, f"{expected} in whole Unicode characters (no lone surrogates)", value)
        if "\0" in value:
            raise self.bad(field, f"{expected} without NUL characters", value)
        return value


def records_of(source: Source, units: Iterable[T], make: Callable[[T], Record | list[Record]]) -> Iterator[Record]:
    """Yield the records of every valid unit. Bad units are passed to source.on_bad.

    A unit is what records are made from: a Row, or several rows. make: makes a record from a unit, or several records,
    such as the two captions of a pair. One bad record makes the whole unit bad, and so does a key that was used before.
    """
    rows_by_key: dict[str, int] = {}
    for unit in units:
        try:
            made = make(unit)
            records = made if isinstance(made, list) else [made]
            for record in records:
                _check(record, rows_by_key)
        except BadRow as bad:
            for one in bad.rows if isinstance(bad, BadRows) else (bad,):
                source.on_bad(one)
            continue
        rows_by_key |= {record.key: record.row for record in records if record.key is not None}
        yield from records


def _check(record: Record, rows_by_key: Mapping[str, int]) -> None:
    """Raise BadRow for texts or file names that are too long, and for a key that was already used.

    In researchers' own tables, a row with a used key may be a further judgement (core.datasets.joined_rows).
    """
    row = Row(record.file, record.row)
    for place, text in enumerate((record.candidate, *record.references), start=-1):
        if len(text) > LONGEST_TEXT:
            name = "caption" if place < 0 else f"references[{place}]"
            raise row.bad(name, f"at most {LONGEST_TEXT:,} characters", f"{len(text):,} characters")
    if "\0" in record.image or any(len(part.encode()) > LONGEST_NAME for part in parts_of(record.image)):
        raise row.bad("image", f"names of at most {LONGEST_NAME} bytes", record.image)
    may_repeat = record.image_is_relative and (record.human is not None or record.judgements)
    if record.key is not None and record.key in rows_by_key and not may_repeat:
        raise row.bad("id", f"a unique id; row {rows_by_key[record.key]} has the same id", record.key)


def whole_number(value: object) -> int | None:
    """Return the whole number that a value means, such as 64, 64.0 or "64"; None for other values."""
    if isinstance(value, str) and _WHOLE.fullmatch(value):
        return int(value)
    if isinstance(value, float) and value.is_integer():
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def as_number(text: str) -> float | str:
    """Return the decimal number in a text, such as "0.5" or "1e-3", or the text itself if it is no finite number."""
    is_decimal = _NUMBER.fullmatch(text.strip(" \t")) is not None
    return float(text) if is_decimal and math.isfinite(float(text)) else text


def is_number(value: object) -> TypeGuard[int | float]:
    """Return whether a value is a finite number that fits a float. Booleans are no numbers."""
    return isinstance(value, int | float) and not isinstance(value, bool) and -LARGEST <= value <= LARGEST

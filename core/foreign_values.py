"""Check values from outside, such as parsed JSON, with Pydantic.

A complaint describes a wrong value: its position in the data, the expected value and the found value.
"""

import re
from collections.abc import Callable, Sized
from dataclasses import dataclass
from functools import cache
from typing import Any, TypeVar

from pydantic import AfterValidator, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails, PydanticCustomError

_Shape = TypeVar("_Shape")
_Entries = TypeVar("_Entries", bound=Sized)
_ODD = re.compile("[\0\ud800-\udfff]")
_EXPECTED = {  # key: Pydantic's name of the error; value: message, with placeholders for values in braces
    "missing": "a value",
    **dict.fromkeys(("extra_forbidden", "unexpected_keyword_argument"), "no such name"),
    "string_type": "text",
    "bool_type": "true or false",
    **dict.fromkeys(("int_type", "int_parsing", "int_from_float"), "a whole number"),
    **dict.fromkeys(("float_type", "float_parsing", "finite_number"), "a number"),
    "datetime_from_date_parsing": "a time such as 2026-12-31T18:00",
    "greater_than_equal": "{ge} or more",
    "less_than_equal": "at most {le}",
    **dict.fromkeys(("list_type", "tuple_type"), "a list"),
    **dict.fromkeys(("dataclass_type", "model_type", "dict_type"), "a table of names and values"),
    "too_long": "at most {max_length} entries",
}
reader: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)  # type -> adapter that validates its values; cached


@dataclass(frozen=True, slots=True)
class Complaint:
    """A value that is not as expected: its position, the expected value and the found value."""

    place: tuple[str | int, ...]  # names of fields, and positions in lists from 0; empty: the whole value
    expected: str
    found: object

    @property
    def field(self) -> str:
        """The path of the wrong value in the data, such as "scores.1.value".

        Positions in lists count from 1. "" means the whole value.
        """
        return ".".join(str(part + 1) if isinstance(part, int) else part for part in self.place)

    def __str__(self) -> str:
        place = f"{self.field}: " if self.place else ""
        return f"{place}expected {self.expected}, found {self.found!r:.80}"


def shaped(shape: type[_Shape], values: object, refusal: Callable[[str], Exception]) -> _Shape:
    """Check untrusted values with Pydantic, and return them as the type `shape`.

    refusal: function that makes the error to raise. It gets a text that lists all wrong values.
    """
    try:
        checked: _Shape = reader(shape).validate_python(values)
    except ValidationError as error:
        raise refusal("; ".join(map(str, complaints(error)))) from error
    return checked


def complaints(error: ValidationError) -> tuple[Complaint, ...]:
    """Return Pydantic's complaints about a value, in the order of the fields."""
    return tuple(map(_complaint, error.errors(include_url=False)))


def odd_character(text: str) -> str | None:
    """Return the name of the first character that cannot be stored in a text; None if all can be stored."""
    match = _ODD.search(text)
    if match is None:
        return None
    return "the character NUL" if match[0] == "\0" else "half of a character (a lone surrogate)"


def wrong(expected: str, found: object) -> PydanticCustomError:
    """Return the error that a validator raises for a wrong value."""
    return PydanticCustomError("wrong", "expected {expected}", {"expected": expected, "found": found})


def text(longest: int, may_be_empty: bool = False) -> AfterValidator:
    """Return a Pydantic validator of texts that are not blank.

    longest: the maximum number of characters. may_be_empty: whether "" is also valid.
    """

    def check(found: str) -> str:
        if len(found) > longest or not (found.strip() or (may_be_empty and not found)):
            raise wrong(f"a text of 1 to {longest:,} characters", found)
        return found

    return AfterValidator(check)


def counted(least: int, most: int, what: str) -> AfterValidator:
    """Return a Pydantic validator of lists with `least` to `most` entries.

    what: the entries' name in error messages.
    """

    def check(entries: _Entries) -> _Entries:
        if not least <= len(entries) <= most:
            raise wrong(f"{least} to {most} {what}", len(entries))
        return entries

    return AfterValidator(check)


def _complaint(error: ErrorDetails) -> Complaint:
    kind, values, found = error["type"], error.get("ctx", {}), error["input"]
    if kind == "literal_error":
        expected = "one of " + values["expected"].replace("'", "").replace(" or ", ", ")
    elif kind == "wrong":
        expected, found = values["expected"], values["found"]
    else:
        expected = _EXPECTED[kind].format(**values) if kind in _EXPECTED else error["msg"]
    if kind == "missing":
        found = "nothing"
    elif kind == "too_long":
        found = values["actual_length"]
    return Complaint(error["loc"], expected, found)

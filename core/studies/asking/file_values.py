"""Types of the values in a form's file (the questions of a study), which Pydantic checks."""

import re
from typing import Annotated

from pydantic import AfterValidator, ConfigDict, Field

from core.foreign_values import text, wrong

LONGEST_KEY, LONGEST_TEXT, LARGEST = 60, 4_000, 100_000  # maximum characters of a key and of a text, bytes of a file
TABLE = ConfigDict(extra="forbid")
_KEY = re.compile(r"[a-z][a-z0-9_-]*")


def _printable(found: str) -> str:
    if any(not (c.isprintable() or c == "\n") for c in found):
        raise wrong("a text without control characters", found)
    return found


def _key(found: str) -> str:
    if not _KEY.fullmatch(found):
        raise wrong("small letters, digits, - and _, starting with a letter", found)
    return found


def holding(*placeholders: str) -> AfterValidator:
    """Return a Pydantic validator of texts that must contain all these placeholders, or be empty."""

    def check(found: str) -> str:
        if found and any(placeholder not in found for placeholder in placeholders):
            raise wrong(f"text with {' and '.join(placeholders)}", found)
        return found

    return AfterValidator(check)


PRINTABLE = AfterValidator(_printable)
Short = Annotated[str, text(LONGEST_KEY), PRINTABLE]
Words = Annotated[str, text(LONGEST_TEXT), PRINTABLE]
OptionalWords = Annotated[str, text(LONGEST_TEXT, may_be_empty=True), PRINTABLE]
Key = Annotated[Short, AfterValidator(_key)]
Lines = tuple[Annotated[str, text(LARGEST)], ...]
Flag = Annotated[bool, Field(strict=True)]

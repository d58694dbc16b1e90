"""Read the words and meanings in docs/glossary.md, which the app's pages show."""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from core.installation import DOCUMENTATION

FILE = DOCUMENTATION / "glossary.md"
_ROW = re.compile(r"^\| \*\*(?P<word>.+?)\*\* \| (?P<meaning>.+) \|$")


@dataclass(frozen=True, slots=True)
class Entry:
    """A word of the glossary."""

    word: str
    meaning: str

    @property
    def place(self) -> str:
        """Return the word's anchor in the page's address, such as "hice-s"."""
        return re.sub(r"\W+", "-", self.word.lower()).strip("-")


@cache
def glossary() -> Sequence[Entry]:
    """Return the entries in the file's order."""
    lines = FILE.read_text(encoding="utf-8").splitlines()
    found = (_ROW.match(line) for line in lines)
    return tuple(Entry(row["word"], row["meaning"].replace("`", "")) for row in found if row)

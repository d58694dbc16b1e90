"""Find the texts of raters' pages in scripts and templates, so that catalogues can translate them.

In scripts, the texts are the string literals in calls of the functions `t`, `tn`, `tx` and `later` (see
ui/static/shared/text.js). Templates also call `t`.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from ui.services.texts.server_texts import TEXTS

UI = Path(__file__).parents[2]
SERVER = "ui/services/texts/server_texts.py"
_STRING = r'"(?:[^"\\\n]|\\.)*"'
_LITERAL = rf"{_STRING}(?:\s*\+\s*{_STRING})*"
_CALL = re.compile(rf"(?<![\w.$])(?P<name>tn?|tx|later)\(\s*(?P<first>{_LITERAL})(?:\s*,\s*(?P<second>{_LITERAL}))?")
_COMMENT = re.compile(r"^\s*(//|/?\*).*$", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Message:
    """An English text and the files that contain it."""

    text: str
    plural: str | None  # English text for numbers other than 1; None: no plural
    places: tuple[str, ...]  # files that contain the text, in alphabetical order


def calls(source: str) -> Iterator[tuple[str, str | None]]:
    """Yield every text of a script or template with its plural form.

    The plural form is None if there is none. The texts are in order of occurrence.
    """
    for call in _CALL.finditer(_COMMENT.sub("", source)):
        is_plural = call["name"] == "tn"
        yield _joined(call["first"]), _joined(call["second"] or '""') if is_plural else None


def messages(ui: Path = UI) -> tuple[Message, ...]:
    """Return all texts that raters can read, in the order of files.

    The texts that the server writes come last. Raises ValueError for a text that has a plural in one place but not in
    another.
    """
    found: dict[str, tuple[str | None, list[str]]] = {}
    files = [*sorted((ui / "static").rglob("*.js")), *sorted((ui / "web" / "templates").glob("*.html"))]
    listed = [
        (text, plural, path.relative_to(ui.parent).as_posix())
        for path in files
        for text, plural in calls(path.read_text(encoding="utf-8"))
    ]
    for text, plural, place in [*listed, *((text, None, SERVER) for text in TEXTS)]:
        known, places = found.setdefault(text, (plural, []))
        if known != plural:
            raise ValueError(f"{place}: “{text}” has the plural {plural!r} here, and {known!r} in {places[0]}.")
        if place not in places:
            places.append(place)
    return tuple(Message(text, plural, tuple(places)) for text, (plural, places) in found.items())


def _joined(literal: str) -> str:
    """Return the text of JavaScript string literals joined by +. The literals must be valid JSON."""
    return "".join(json.loads(one) for one in re.findall(_STRING, literal))

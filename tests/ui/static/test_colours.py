"""Colours of the pages: each one is named once, in the shared style sheet, for light and for dark pages."""

import re
from pathlib import Path

import pytest

STATIC = Path(__file__).resolve().parents[3] / "ui" / "static"
SHEET = STATIC / "shared" / "style.css"
COLOUR = re.compile(
    r"#(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})\b|\b(?:rgba?|hsla?|oklch)\([\d\s.%,/]+\)", re.IGNORECASE
)
PROPERTY = re.compile(r"^\s*(--[\w-]+):\s*([^;]+);(?:\s*/\*.*\*/)?$")
FILES = sorted(path for kind in ("*.js", "*.css") for path in STATIC.rglob(kind))


def block(selector: str) -> dict[str, str]:
    """The custom properties that a rule of the shared style sheet sets."""
    text = SHEET.read_text(encoding="utf-8")
    rule = text[text.index(selector) :].partition("{")[2].partition("}")[0]
    return {found[1]: found[2] for line in rule.splitlines() if (found := PROPERTY.match(line))}


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(STATIC)))
def test_colours_are_custom_properties_of_the_shared_sheet(path: Path) -> None:
    lines = path.read_text(encoding="utf-8").splitlines()
    stray = [
        f"{number}: {line.strip()}"
        for number, line in enumerate(lines, start=1)
        if COLOUR.search(line) and not (path == SHEET and PROPERTY.match(line))
    ]
    assert not stray, "name the colour in ui/static/shared/style.css, and use var(--name), or colour() in scripts"


def test_dark_pages_change_only_colours_that_light_pages_have() -> None:
    light, dark = block("body,\n.on-paper"), block("\nbody.dark ")
    assert dark and set(dark) <= set(light)
    assert all(COLOUR.fullmatch(value) for value in (light | dark).values())


def test_the_check_knows_colours_from_selectors() -> None:
    assert all(COLOUR.search(text) for text in ("#fff", "#F0E44233", "rgb(0 0 0 / .5)", "rgba(1, 2, 3, 0.5)"))
    assert not any(COLOUR.search(text) for text in ("#finder", "&#x2014;", "rgb(var(--ink))", "#plots"))

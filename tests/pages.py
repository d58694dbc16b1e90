"""Reading the documents that tests follow. No test lives here."""

import re
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"


def blocks(page: str, language: str = "") -> list[str]:
    """Return the code blocks of a document that are of a language, in order."""
    text = (DOCS / page).read_text(encoding="utf-8")
    found = re.findall(r"^```(\w*)\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)
    return [code for named, code in found if named == language]

"""Catalogues for tests: every text in brackets, or with a few translations."""

from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import write_po

from ui.services.texts.catalogue import locale_of
from ui.services.texts.catalogues import FOLDER
from ui.services.texts.extraction import messages


def write_catalogue(data_dir: Path, code: str, opening: str, closing: str) -> None:
    """Write a language into a data folder in which every text stands between two marks."""
    catalog = Catalog(locale=str(locale_of(code)), fuzzy=False)
    for message in messages():
        if message.plural is None:
            catalog.add(message.text, f"{opening}{message.text}{closing}")
        else:
            said = (message.text, *[message.plural] * (catalog.num_plurals - 1))
            catalog.add((message.text, message.plural), tuple(f"{opening}{form}{closing}" for form in said))
    path = data_dir / FOLDER / f"{code}.po"
    path.parent.mkdir(exist_ok=True)
    with path.open("wb") as file:
        write_po(file, catalog)

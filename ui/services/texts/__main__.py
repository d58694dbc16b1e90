"""Update the shipped catalogues of translations: `python -m ui.services.texts [CODE ...]`.

Texts that are new in the source are added without a translation. Texts that the source no longer has are removed. If a
language's code has no catalogue, a new catalogue is made.
"""

import sys
from pathlib import Path

from babel.messages.catalog import Catalog
from babel.messages.pofile import read_po, write_po

from ui.services.texts.catalogue import locale_of
from ui.services.texts.catalogue_files import REVIEW
from ui.services.texts.catalogues import LOCALE, NAME
from ui.services.texts.extraction import messages

MACHINE = "machine-made, unreviewed"
_HEADER = f"""\
# Texts that raters read.
# {REVIEW} says who has checked this translation: {{review}}.
#"""


def write(path: Path, code: str) -> int:
    """Rewrite a language's catalogue and keep its translations. Returns the number of untranslated texts."""
    old = Catalog(locale=str(locale_of(code)))
    if path.exists():
        with path.open("rb") as file:
            old = read_po(file, locale=str(locale_of(code)))
    new = Catalog(locale=str(locale_of(code)), header_comment=_HEADER.format(review=MACHINE), fuzzy=False)
    for message in messages():
        identity = message.text if message.plural is None else (message.text, message.plural)
        known = old.get(message.text)
        said = known.string if known is not None and known.id == identity else None
        new.add(identity, said, locations=[(place, 0) for place in message.places])
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("wb") as file:
        write_po(file, new, width=120, omit_header=True, include_lineno=False)
    body = path.read_text(encoding="utf-8")
    path.write_text(_head(new, code) + body, encoding="utf-8")
    return sum(1 for one in new if one.id and not (one.string if isinstance(one.id, str) else all(one.string or [""])))


def _head(catalog: Catalog, code: str) -> str:
    """Return a catalogue's header without dates.

    Without dates, unchanged texts give an unchanged file.
    """
    fields = {
        "Language": code,
        "MIME-Version": "1.0",
        "Content-Type": "text/plain; charset=utf-8",
        "Content-Transfer-Encoding": "8bit",
        "Plural-Forms": catalog.plural_forms,
        REVIEW: MACHINE,
    }
    lines = "".join(f'"{name}: {value}\\n"\n' for name, value in fields.items())
    return f'{catalog.header_comment}\nmsgid ""\nmsgstr ""\n{lines}\n'


if __name__ == "__main__":
    for code in sys.argv[1:] or sorted(path.parent.name for path in LOCALE.glob(f"*/{NAME}")):
        print(f"{code}: {write(LOCALE / code / NAME, code)} texts without a translation")

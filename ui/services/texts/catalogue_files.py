"""Read one catalogue from a gettext PO file, and check its placeholders and plurals."""

import gettext
import re
from collections.abc import Mapping
from pathlib import Path

from babel import Locale
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError, read_po

from core.errors import BadFile
from ui.services.texts.catalogue import PLACEHOLDER, Catalogue, locale_of

REVIEW = "X-Review"  # header that names who checked a translation
_NUMBERS = (*range(201), 1_000_000)  # whole numbers; each plural category of each language applies to some of them


def read_catalogue(path: Path, code: str) -> Catalogue:
    """Read a PO file of a language. Raises BadFile, and BadSetting for an unknown language."""
    locale = locale_of(code)
    try:
        with path.open("rb") as file:
            # pass the locale, because the file's Language header may be missing or in another form
            messages = read_po(file, locale=str(locale), abort_invalid=True)
    except (PoFileError, UnicodeError, ValueError) as error:
        raise BadFile(path, f"this is not a PO file in UTF-8: {error}") from error
    forms = _categories(path, messages, locale)
    texts = dict(_texts(path, one, forms) for one in messages if one.id and not one.fuzzy and _is_said(one))
    review = next((value for name, value in messages.mime_headers if name == REVIEW), "")
    return Catalogue(code, locale.text_direction, texts, review or _review(path))


def _review(path: Path) -> str:
    """Return the value of the header X-Review, which Babel does not keep."""
    match = re.search(rf'^"{REVIEW}: (.*?)\\n"$', path.read_text(encoding="utf-8"), re.MULTILINE)
    return match[1] if match else ""


def _is_said(message: Message) -> bool:
    said = message.string
    return bool(said) if isinstance(said, str) else any(said or ())


def _texts(path: Path, message: Message, forms: Mapping[str, int]) -> tuple[str, str | dict[str, str]]:
    """Return the English text of a catalogue's message, and its translation.

    Raises BadFile if the translation lacks a placeholder or a plural form.
    """
    if isinstance(message.id, str):
        _check_placeholders(path, message.id, message.id, str(message.string), free=frozenset())
        return message.id, str(message.string)
    one, other = message.id
    said = tuple(message.string or ())
    if len(said) <= max(forms.values()) or not all(said):
        raise BadFile(path, f"“{one}” needs {max(forms.values()) + 1} plural forms, one for each category")
    for text in said:
        _check_placeholders(path, one, other, text, free=frozenset({"n"}))  # the translation of "one item" may omit {n}
    return one, {category: said[index] for category, index in forms.items()}


def _check_placeholders(path: Path, name: str, source: str, said: str, free: frozenset[str]) -> None:
    wanted, found = set(PLACEHOLDER.findall(source)), set(PLACEHOLDER.findall(said))
    if wanted - found - free or found - wanted:
        listed = ", ".join(f"{{{one}}}" for one in sorted(wanted)) or "none"
        raise BadFile(path, f"the translation of “{name}” must have the placeholders of the text: {listed}")


def _categories(path: Path, found: Catalog, locale: Locale) -> dict[str, int]:
    """Return which plural form belongs to each plural category of a language.

    key: category; value: index of the form. Raises BadFile.
    """
    try:
        index = gettext.c2py(found.plural_expr)
    except ValueError as error:
        raise BadFile(path, f"the header Plural-Forms cannot be read: {error}") from error
    forms: dict[str, int] = {}
    for number in _NUMBERS:
        forms.setdefault(locale.plural_form(number), int(index(number)))
    return forms | {"other": forms.get("other", max(forms.values()))}

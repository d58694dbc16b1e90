"""Catalogues: translations of raters' pages, read from gettext's PO files.

Shipped files are in ui/locale. A manager's own files are in the folder `languages` of the data folder. A manager's file
replaces the shipped file of the same language.
"""

import gettext
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from functools import cache, cached_property
from pathlib import Path

from babel import Locale, UnknownLocaleError
from babel.messages.catalog import Catalog, Message
from babel.messages.pofile import PoFileError, read_po
from babel.numbers import format_currency

from core.errors import BadFile, BadSetting
from core.studies.pay.money import money_text, plain_amount
from ui.services.texts.server_texts import TEXTS

ENGLISH = "en"
LOCALE = Path(__file__).parents[2] / "locale"
NAME = "rater.po"
FOLDER = "languages"  # name of the folder in the data folder
REVIEW = "X-Review"  # header that names who checked a translation
_PLACEHOLDER = re.compile(r"\{(\w+)\}")
_NUMBERS = (*range(201), 1_000_000)  # whole numbers with which every plural category of every language occurs


@dataclass(frozen=True, slots=True)
class Language:
    """A language of raters' pages."""

    code: str  # BCP 47
    name: str  # name of the language, in that language
    review: str  # who checked the translation; "": not stated


@dataclass(frozen=True)
class Catalogue:
    """The texts of a language. A text without a translation stays English."""

    language: str = ENGLISH
    direction: str = "ltr"  # or "rtl"
    texts: Mapping[str, str | Mapping[str, str]] = field(default_factory=dict)  # a plural has a text per category
    review: str = ""

    @cached_property
    def _patterns(self) -> tuple[tuple[re.Pattern[str], str], ...]:
        """Return patterns for those texts of the server that have placeholders.

        Each pattern has the text's translation. Texts with most characters outside of placeholders come first.
        """
        ranked = sorted(filter(_PLACEHOLDER.search, TEXTS), key=lambda text: -len(_PLACEHOLDER.sub("", text)))
        found = ((text, self.texts.get(text)) for text in ranked)
        return tuple((_pattern(text), said) for text, said in found if isinstance(said, str))

    def money(self, amount: int | None, currency: str | None) -> str | None:
        """Return an amount in minor units as the language writes it: £9.50, or 9,50 £. None stays None."""
        if amount is None or currency is None:
            return None
        if self.language == ENGLISH:
            return money_text(amount, currency)
        plain = Decimal(plain_amount(amount, currency))
        return format_currency(plain, currency, locale=locale_of(self.language))

    def translated(self, text: str) -> str:
        """Translate a server's text, with or without filled placeholders.

        Without a translation, return the text.
        """
        said = self.texts.get(text)
        if isinstance(said, str):
            return said
        for pattern, other in self._patterns:
            match = pattern.fullmatch(text)
            if match is not None:
                parts = _PLACEHOLDER.split(other)  # every second element is the name of a placeholder
                return "".join(self._value(match[part]) if at % 2 else part for at, part in enumerate(parts))
        return text

    def _value(self, value: str) -> str:
        """Return the translation of a value that fills a placeholder.

        For example, the value "A sentence" is itself a text of the server, so it is translated. The value "Fluency"
        comes from the study's form (its questions), so it stays unchanged.
        """
        is_form = value in self.texts and value not in TEXTS
        return value if is_form else self.translated(value)


SOURCE = Catalogue()


class Catalogues:
    """The catalogues of a server. Each is read at first use."""

    def __init__(self, data_dir: Path | None = None, shipped: Path = LOCALE) -> None:
        """Read shipped catalogues and a manager's own catalogues.

        data_dir: the data folder, which may contain a folder with a manager's own files.
        """
        self._own = None if data_dir is None else data_dir / FOLDER
        self._shipped = shipped
        self._read: dict[str, tuple[tuple[Path, float], Catalogue]] = {}

    def get(self, code: str) -> Catalogue:
        """Return the catalogue of a language. Raises BadSetting for an unknown language, and BadFile."""
        if code == ENGLISH:
            return SOURCE
        path = self._files().get(code)
        if path is None:
            raise BadSetting(f"There is no language {code}. Languages: {', '.join(self.codes())}.")
        stamp = path, path.stat().st_mtime
        known = self._read.get(code)
        if known is None or known[0] != stamp:  # the file has changed since it was read
            known = self._read[code] = stamp, read_catalogue(path, code)
        return known[1]

    def shown(self, code: str) -> Catalogue:
        """Return a language's catalogue. If its file is unusable, return English.

        A file is unusable if it is missing or damaged. English is returned because raters must be able to go on.
        """
        try:
            return self.get(code)
        except (BadSetting, BadFile, OSError):
            return SOURCE

    def described(self, code: str) -> str:
        """Return a language's English name, and who checked its translation.

        Reports contain this text. "": the language is English.
        """
        if code == ENGLISH:
            return ""
        review = self.shown(code).review
        return f"{english_name(code)} ({code}{f', translation {review}' if review else ''})"

    def codes(self) -> tuple[str, ...]:
        """Return the codes of all languages, English first."""
        return (ENGLISH, *sorted(self._files()))

    def languages(self) -> tuple[Language, ...]:
        """Return all languages, English first. Languages with damaged files are omitted."""
        found = (self._described(code) for code in self.codes())
        return tuple(language for language in found if language is not None)

    def _described(self, code: str) -> Language | None:
        try:
            return Language(code, own_name(code), self.get(code).review)
        except (BadSetting, BadFile, OSError):
            return None

    def _files(self) -> dict[str, Path]:
        shipped = {path.parent.name: path for path in self._shipped.glob(f"*/{NAME}")}
        own = {} if self._own is None else {path.stem: path for path in self._own.glob("*.po")}
        return shipped | own


def own_name(code: str) -> str:
    """Return a language's name in the language itself, such as Deutsch. Raises BadSetting."""
    return locale_of(code).get_display_name() or code


def english_name(code: str) -> str:
    """Return a language's name in English, such as German. Raises BadSetting."""
    return locale_of(code).get_display_name(ENGLISH) or code


@cache
def locale_of(code: str) -> Locale:
    """Return the Unicode data about a language. Raises BadSetting for an unknown language."""
    try:
        return Locale.parse(code, sep="-")
    except (UnknownLocaleError, ValueError) as error:
        raise BadSetting(f"{code} is not the code of a language that Capscope knows, such as de or zh-Hans.") from error


def read_catalogue(path: Path, code: str) -> Catalogue:
    """Read a PO file of a language. Raises BadFile, and BadSetting for an unknown language."""
    locale = locale_of(code)
    try:
        with path.open("rb") as file:
            # pass the locale, because the file's Language header may be missing or in another form
            found = read_po(file, locale=str(locale), abort_invalid=True)
    except (PoFileError, UnicodeError, ValueError) as error:
        raise BadFile(path, f"this is not a PO file in UTF-8: {error}") from error
    forms = _categories(path, found, locale)
    texts = dict(_texts(path, one, forms) for one in found if one.id and not one.fuzzy and _is_said(one))
    review = next((value for name, value in found.mime_headers if name == REVIEW), "")
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
    wanted, found = set(_PLACEHOLDER.findall(source)), set(_PLACEHOLDER.findall(said))
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


def _pattern(text: str) -> re.Pattern[str]:
    """Return a pattern that matches a text with any placeholder values."""
    seen: set[str] = set()

    def group(name: str) -> str:
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        return f"(?P<{name}>.+?)"

    parts = _PLACEHOLDER.split(text)
    return re.compile("".join(group(part) if at % 2 else re.escape(part) for at, part in enumerate(parts)), re.DOTALL)

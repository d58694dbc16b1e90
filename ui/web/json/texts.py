"""The texts of raters' pages as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass

from ui.services.texts.catalogue import Catalogue


@dataclass(frozen=True, slots=True)
class TextsJson:
    """A catalogue of translations in the form that ui/static/shared/text.js reads."""

    language: str  # language as a BCP 47 code
    direction: str  # direction of writing, "ltr" or "rtl"
    texts: Mapping[str, str | Mapping[str, str]]  # key: English text; a plural text has one text per CLDR category


@dataclass(frozen=True, slots=True)
class LanguageJson:
    """A language of raters' pages."""

    code: str  # BCP 47
    name: str  # name of the language, in that language
    review: str  # who checked the translation; "": not stated
    consent: str  # ready-made consent text, translated into this language; without a translation, the English text


def texts_json(catalogue: Catalogue) -> TextsJson:
    """Return a catalogue of translations for the browser."""
    return TextsJson(catalogue.language, catalogue.direction, catalogue.texts)

"""The texts of raters' pages as JSON."""

from collections.abc import Mapping
from dataclasses import dataclass

from ui.services.texts.catalogues import Catalogue


@dataclass(frozen=True, slots=True)
class TextsJson:
    """A catalogue, as ui/static/shared/text.js reads it."""

    language: str  # a BCP 47 code
    direction: str  # "ltr" or "rtl"
    texts: Mapping[str, str | Mapping[str, str]]  # by English text; a plural text has a text per CLDR category


@dataclass(frozen=True, slots=True)
class LanguageJson:
    """A language in which raters can read their pages."""

    code: str  # BCP 47
    name: str  # in the language itself
    review: str  # who has checked the translation; empty: the file does not say


def texts_json(catalogue: Catalogue) -> TextsJson:
    """Return a catalogue for the browser."""
    return TextsJson(catalogue.language, catalogue.direction, catalogue.texts)

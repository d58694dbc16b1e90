"""A catalogue: the translations of raters' pages into one language."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property

from babel import Locale, UnknownLocaleError

from core.errors import BadSetting
from ui.services.texts.server_texts import TEXTS

ENGLISH = "en"
PLACEHOLDER = re.compile(r"\{(\w+)\}")


@dataclass(frozen=True)
class Catalogue:
    """The texts of a language. A text without a translation stays English."""

    language: str = ENGLISH
    direction: str = "ltr"  # or "rtl"
    texts: Mapping[str, str | Mapping[str, str]] = field(default_factory=dict)  # a plural maps CLDR categories to texts
    review: str = ""

    @cached_property
    def _patterns(self) -> tuple[tuple[re.Pattern[str], str], ...]:
        """Return patterns that match the server's texts with filled placeholders.

        Each pattern comes with the translation of its text. Texts without a translation are skipped. Texts with most
        characters outside of placeholders come first.
        """
        ranked = sorted(filter(PLACEHOLDER.search, TEXTS), key=lambda text: -len(PLACEHOLDER.sub("", text)))
        translations = ((text, self.texts.get(text)) for text in ranked)
        return tuple((_pattern(text), said) for text, said in translations if isinstance(said, str))

    def translated(self, text: str) -> str:
        """Translate a server's text, with or without filled placeholders.

        Without a translation, return the text.
        """
        translation = self.texts.get(text)
        if isinstance(translation, str):
            return translation
        for pattern, other in self._patterns:
            match = pattern.fullmatch(text)
            if match is not None:
                parts = PLACEHOLDER.split(other)  # every second element is the name of a placeholder
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


def _pattern(text: str) -> re.Pattern[str]:
    """Return a pattern that matches a text with any placeholder values."""
    seen: set[str] = set()

    def group(name: str) -> str:
        if name in seen:
            return f"(?P={name})"
        seen.add(name)
        return f"(?P<{name}>.+?)"

    parts = PLACEHOLDER.split(text)
    return re.compile("".join(group(part) if at % 2 else re.escape(part) for at, part in enumerate(parts)), re.DOTALL)

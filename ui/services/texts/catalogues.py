"""Catalogues: translations of raters' pages, read from gettext's PO files.

Shipped files are in ui/locale. A manager's own files are in the folder `languages` of the data folder. A manager's file
replaces the shipped file of the same language.
"""

from dataclasses import dataclass
from pathlib import Path

from core.errors import BadFile, BadSetting
from ui.services.texts.catalogue import ENGLISH, SOURCE, Catalogue, english_name, own_name
from ui.services.texts.catalogue_files import read_catalogue

LOCALE = Path(__file__).parents[2] / "locale"
NAME = "rater.po"
FOLDER = "languages"  # name of the folder in the data folder


@dataclass(frozen=True, slots=True)
class Language:
    """A language of raters' pages."""

    code: str  # BCP 47
    name: str  # name of the language, in that language
    review: str  # who checked the translation; "": not stated


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

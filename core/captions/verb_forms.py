"""Convert English verbs from a form to its lemma (base form), and from a lemma to other forms."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

TABLE = Path(__file__).parents[2] / "assets" / "words" / "verbs.tsv"
VOWELS = frozenset("aeiou")
NEVER_DOUBLED = frozenset("wxyh")


@dataclass(frozen=True, slots=True)
class VerbForms:
    """Verbs by lemma, and the irregular forms of some verbs."""

    lemmas: frozenset[str]
    irregular: Mapping[str, str]  # key: irregular form of a verb; value: lemma

    @classmethod
    def read(cls, file: Path) -> "VerbForms":
        """Read a table of verbs.

        A line has either a lemma alone, or an irregular form, a tab and the form's lemma.
        """
        rows = [line.split("\t") for line in file.read_text(encoding="utf-8").splitlines() if line[:1] != "#"]
        return cls(frozenset(row[0] for row in rows if len(row) == 1), {row[0]: row[1] for row in rows if len(row) > 1})

    def lemma(self, form: str) -> str | None:
        """Return the lemma of a lower-case verb form: "huddle" for "huddled"; None if unknown."""
        if form in self.irregular:
            return self.irregular[form]
        return next((lemma for lemma in (*guesses(form), form) if lemma in self.lemmas), None)


@cache
def bundled_verbs() -> VerbForms:
    """Return the forms in Capscope's own table, read only once."""
    return VerbForms.read(TABLE)


def guesses(form: str) -> list[str]:
    """Return possible lemmas of a regular form, the most likely first."""
    for ending in ("ing", "ed"):
        if form.endswith(ending) and len(form) > len(ending) + 1:
            return stems(form.removesuffix(ending))
    if form.endswith("ies") and len(form) > 3:
        return [form[:-3] + "y", form[:-1]]
    if form.endswith("s") and not form.endswith("ss"):
        return [form[:-1], form[:-2]] if form.endswith("es") else [form[:-1]]
    return []


def stems(stem: str) -> list[str]:
    """Return possible lemmas (base forms) of a verb form whose "-ing" or "-ed" was removed.

    Example: "rid" (from "riding") comes from "ride", because the verb "rid" would double its d ("ridding").
    """
    if len(stem) > 3 and stem[-1] == stem[-2]:
        return [stem, stem[:-1], stem + "e"]
    if stem.endswith("i"):  # "skiing" comes from "ski", "carried" from "carry" ("sky" has no such "i": "skying")
        return [stem, stem[:-1] + "y", stem + "e"]
    short = len(stem) > 1 and stem[-1] not in VOWELS | NEVER_DOUBLED and stem[-2] in VOWELS
    only_vowel = sum(letter in VOWELS for letter in stem) == 1
    return [stem + "e", stem] if short and only_vowel else [stem, stem + "e"]


def present_participle(lemma: str) -> str:
    """Return the form in "-ing": "lying" for "lie", "jogging" for "jog"."""
    if lemma.endswith("ie"):
        return lemma[:-2] + "ying"
    if len(lemma) > 2 and lemma.endswith("e") and not lemma.endswith(("ee", "oe", "ye")):
        return lemma[:-1] + "ing"
    vowels = [place for place, letter in enumerate(lemma) if letter in VOWELS]
    doubled = len(lemma) > 2 and vowels == [len(lemma) - 2] and lemma[-1] not in NEVER_DOUBLED
    return lemma + (lemma[-1] if doubled else "") + "ing"

"""Write English words: articles, plurals, capital letters."""

from core.captions.word_splitting import IRREGULAR

IRREGULAR_PLURALS = {one: many for many, one in IRREGULAR.items() if one != many} | {
    "person": "people", "sheep": "sheep", "deer": "deer",
}  # fmt: skip
SIBILANTS = ("s", "x", "z", "ch", "sh")
VOWEL_LETTERS, VOWEL_SOUNDS = "aeiou", ("hour", "honest")
CONSONANT_SOUNDS = ("uni", "use", "one", "eu", "ukulele")  # beginnings that sound like consonants: "a unicorn"


def article(words: str) -> str:
    """Return "a" or "an", to fit the sound of the first word."""
    first = words.lower()
    if first.startswith(VOWEL_SOUNDS):
        return "an"
    return "an" if first[:1] in VOWEL_LETTERS and not first.startswith(CONSONANT_SOUNDS) else "a"


def plural(noun: str) -> str:
    """Return the plural of an English noun. With several words, the last becomes plural: "fire trucks"."""
    before, _, last = noun.rpartition(" ")
    return f"{before} {_plural(last)}" if before else _plural(last)


def _plural(noun: str) -> str:
    if noun in IRREGULAR_PLURALS:
        return IRREGULAR_PLURALS[noun]
    for ending, other in (("man", "men"), ("person", "people"), ("child", "children")):
        if noun.endswith(ending) and noun != "human":
            return noun.removesuffix(ending) + other
    if noun.endswith("y") and noun[-2:-1] not in VOWEL_LETTERS:
        return noun[:-1] + "ies"
    return noun + ("es" if noun.endswith(SIBILANTS) else "s")


def like(old: str, new: str) -> str:
    """Return the new text with capital letters as in the old text.

    If the old text begins with a capital, the new text does too. If the old text is all in capitals, the new text is
    too.
    """
    if len(old) > 1 and old.isupper():
        return new.upper()
    return new[:1].upper() + new[1:] if old[:1].isupper() else new

"""Split captions into sentences and words with their positions; join names; convert between singular and plural."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

WORD = re.compile(
    r"""[^\W\d_]+?(?=n['’]t\b)      # "do" of "don't"
      | n['’]t\b                    # "n't"
      | ['’](?:s|re|ve|ll|d|m)\b    # "'s"
      | \d+(?:[.,]\d+)*             # numbers
      | \w+(?:-\w+)*                # words, hyphens inside: "t-shirt"
      | [^\w\s]                     # any other mark alone
    """,
    re.VERBOSE,
)
# Match a run of punctuation only from its first character. Otherwise "....x" takes quadratic time.
SENTENCE = re.compile(r"\S(?:[.!?]++(?=\s|$)|.*?(?:(?<![.!?])[.!?]++[\"'”’)\]]*+(?=\s|$)|$))", re.DOTALL)
TITLES = frozenset("dr. mr. mrs. ms. prof. st. gen. col. capt. lt. sgt.".split())
UNFINISHED = TITLES | frozenset("e.g. i.e. cf. vs. approx.".split())  # abbreviations that end no sentence
LONGEST_SHORT = max(map(len, UNFINISHED)) + 1  # number of characters of the longest one, with the space before it
QUOTES = frozenset("\"'`“”‘’")
FINAL_MARKS = frozenset(".!?,;:")
MOST_DIGITS = 9  # longer runs of digits count nothing that a picture can show

# These exceptions and simple suffix rules are enough to compare words.
IRREGULAR = {
    "men": "man", "women": "woman", "gentlemen": "gentleman", "policemen": "policeman", "firemen": "fireman",
    "fishermen": "fisherman", "snowmen": "snowman", "children": "child", "people": "people", "feet": "foot",
    "teeth": "tooth", "geese": "goose", "mice": "mouse", "leaves": "leaf", "knives": "knife", "shelves": "shelf",
    "loaves": "loaf", "halves": "half", "wolves": "wolf", "calves": "calf", "scarves": "scarf", "hooves": "hoof",
    "buses": "bus", "glasses": "glass", "skis": "ski", "gas": "gas", "lens": "lens", "has": "has", "his": "his",
    "this": "this", "movies": "movie", "cookies": "cookie", "ties": "tie", "pies": "pie", "hoodies": "hoodie",
    "veggies": "veggie", "broccolis": "broccoli",
}  # fmt: skip
PLURALS = {one: many for many, one in IRREGULAR.items() if one != many} | {
    "person": "people", "sheep": "sheep", "deer": "deer",
}  # fmt: skip
VOWELS = "aeiou"

# Names of people and places: "Rear Admiral Grace Hopper", "the Eiffel Tower".
MOST_CAPITALS = 0.8  # with a larger share of capitalised long words, as in headings, capitals do not mark names
LONG = 4  # letters
NO_NAMES = frozenset(
    "a an the this that these those his her its their our my your he she it they we i you there here two three four "
    "five six seven eight nine ten some many several both one each every another no neither nobody in on at by with "
    "from to of for under over near behind beside and or but as while when where after before wearing is are".split()
)


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a caption."""

    text: str  # the word in lower case
    start: int  # index of the first character in the caption
    end: int  # exclusive
    is_name: bool = False  # True: `text` is a name of several words, joined by spaces


def sentences(caption: str) -> tuple[tuple[int, int], ...]:
    """Return the (start, end) of each sentence. A sentence ends at ``.``, ``!`` or ``?`` before a space.

    Closing quotation marks and brackets after the mark belong to the sentence.
    """
    found: list[tuple[int, int]] = []
    for match in SENTENCE.finditer(caption):
        start, end = match.span()
        if found and caption[max(0, found[-1][1] - LONGEST_SHORT) : found[-1][1]].split()[-1].lower() in UNFINISHED:
            start, _ = found.pop()  # "Dr." ends no sentence
        if match.group().strip():
            found.append((start, end))
    return tuple(found)


def without_surrogates(text: str) -> str:
    """Replace lone surrogates by "?", because models read only text that UTF-8 can encode."""
    return text.encode(errors="replace").decode()


def words(caption: str, start: int = 0, end: int | None = None) -> tuple[Word, ...]:
    """Return the words of a caption, or of a section of it.

    start, end: first and last position of the section in characters, end exclusive. If `end` is None, the section
    reaches to the end of the caption. Quotation marks, and punctuation at the end, are removed.
    """
    matches = WORD.finditer(caption, start, len(caption) if end is None else end)
    found = [Word(match.group().lower().replace("’", "'"), match.start(), match.end()) for match in matches]
    kept = [word for word in found if word.text not in QUOTES]
    while kept and kept[-1].text in FINAL_MARKS:
        kept.pop()
    return tuple(kept)


def whole_number(text: str) -> int | None:
    """Return the number that decimal digits of any script state. Returns None for other texts.

    Texts such as "²" or "½" state no amount of things, and neither does a number of more than nine digits.
    """
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None


def singular(word: str) -> str:
    """Return the singular of a lower-case English noun, guessed from its ending.

    Words that are no nouns mostly stay unchanged.
    """
    if word in IRREGULAR or len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return IRREGULAR.get(word, word)
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(("ches", "shes", "xes", "sses", "zzes")) else word[:-1]


def is_plural(word: str) -> bool:
    """Return whether a lower-case noun is plural: "dogs", "people"."""
    return singular(word) != word or word in ("people", "cattle", "police", "folk")


def plural(noun: str) -> str:
    """Return the plural of an English noun. With several words, the last becomes plural: "fire trucks"."""
    before, space, last = noun.rpartition(" ")
    if last in PLURALS:
        return before + space + PLURALS[last]
    for ending, other in (("man", "men"), ("person", "people"), ("child", "children")):
        if last.endswith(ending) and last != "human":
            return noun.removesuffix(ending) + other
    if last.endswith("y") and last[-2:-1] not in VOWELS:
        return noun[:-1] + "ies"
    return noun + ("es" if last.endswith(("s", "x", "z", "ch", "sh")) else "s")


def article(words: str) -> str:
    """Return "a" or "an", to fit the sound of the first word."""
    first = words.lower()
    sounds_like_consonant = first.startswith(("uni", "use", "one", "eu", "ukulele"))
    return "an" if first.startswith((*VOWELS, "hour", "honest")) and not sounds_like_consonant else "a"


def like(old: str, new: str) -> str:
    """Return the new text with capital letters as in the old text: all, only the first letter, or none."""
    if len(old) > 1 and old.isupper():
        return new.upper()
    return new[:1].upper() + new[1:] if old[:1].isupper() else new


def with_names(caption: str, words: Sequence[Word]) -> tuple[Word, ...]:
    """Return the words with each name joined to one word, such as "grace hopper"."""
    long = [word for word in words if len(word.text) >= LONG]
    capitals = sum(caption[word.start].isupper() for word in long)
    if capitals > MOST_CAPITALS * len(long) and len(long) > LONG:
        return tuple(words)  # a heading
    return tuple(_joined(run) for run in _runs(caption, words))


def _runs(caption: str, words: Sequence[Word]) -> Iterator[list[Word]]:
    run: list[Word] = []
    for word in words:
        is_part = caption[word.start].isupper() and word.text not in NO_NAMES and word.text.isalpha()
        is_title = word.text == "." and len(run) > 0 and f"{run[-1].text}." in TITLES
        if is_part or is_title:
            run.append(word)
            continue
        if run:
            yield run
        run = []
        yield [word]
    if run:
        yield run


def _joined(run: Sequence[Word]) -> Word:
    if len(run) == 1:
        return run[0]
    text = run[0].text + "".join(("" if b.start == a.end else " ") + b.text for a, b in pairwise(run))
    return Word(text, run[0].start, run[-1].end, is_name=True)

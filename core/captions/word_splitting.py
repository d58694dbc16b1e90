"""Split captions into sentences and words with their positions.

The module also returns nouns in the singular.
"""

import re
from dataclasses import dataclass

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
SENTENCE = re.compile(r"\S(?:[.!?]++(?=\s|$)|.*?(?:(?<![.!?])[.!?]++(?=\s|$)|$))", re.DOTALL)
TITLES = frozenset("dr. mr. mrs. ms. prof. st. gen. col. capt. lt. sgt.".split())
LONGEST_TITLE = max(map(len, TITLES)) + 1  # number of characters of the longest title, with the space before it
QUOTES = frozenset("\"'`“”‘’")
FINAL_MARKS = frozenset(".!?,;:")
MOST_DIGITS = 9  # longer runs of digits count nothing that a picture can show

# These exceptions and simple suffix rules are enough to compare words. The results are not always correct English, so
# they must not be printed.
IRREGULAR = {
    "men": "man", "women": "woman", "gentlemen": "gentleman", "policemen": "policeman", "firemen": "fireman",
    "fishermen": "fisherman", "snowmen": "snowman",
    "children": "child", "people": "people", "feet": "foot", "teeth": "tooth",
    "geese": "goose", "mice": "mouse", "leaves": "leaf", "knives": "knife", "shelves": "shelf", "loaves": "loaf",
    "halves": "half", "wolves": "wolf", "calves": "calf", "scarves": "scarf", "hooves": "hoof", "buses": "bus",
    "glasses": "glass", "skis": "ski", "gas": "gas", "lens": "lens", "has": "has", "his": "his", "this": "this",
    "movies": "movie", "cookies": "cookie", "ties": "tie", "pies": "pie", "hoodies": "hoodie", "veggies": "veggie",
    "broccolis": "broccoli",
}  # fmt: skip
KEPT_ENDINGS = ("ss", "us", "is")
SIBILANT_ENDINGS = ("ches", "shes", "xes", "sses", "zzes")


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a caption."""

    text: str  # the word in lower case
    start: int  # index of the first character in the caption
    end: int  # exclusive
    is_name: bool = False  # True: `text` is a name of several words, joined by spaces


def sentences(caption: str) -> tuple[tuple[int, int], ...]:
    """Return the (start, end) of each sentence. A sentence ends at ``.``, ``!`` or ``?`` before a space."""
    found: list[tuple[int, int]] = []
    for match in SENTENCE.finditer(caption):
        start, end = match.span()
        if found and caption[max(0, found[-1][1] - LONGEST_TITLE) : found[-1][1]].split()[-1].lower() in TITLES:
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
    words_and_marks = [word(match) for match in WORD.finditer(caption, start, len(caption) if end is None else end)]
    kept = [word for word in words_and_marks if word.text not in QUOTES]
    while kept and kept[-1].text in FINAL_MARKS:
        kept.pop()
    return tuple(kept)


def word(match: re.Match[str]) -> Word:
    """Return the word in a regular expression's match, in lower case and with plain apostrophes."""
    return Word(match.group().lower().replace("’", "'"), match.start(), match.end())


def whole_number(text: str) -> int | None:
    """Return the number that decimal digits of any script state. Returns None for other texts.

    Texts such as "²" or "½" state no amount of things, and neither does a number of more than nine digits.
    """
    return int(text) if text.isdecimal() and len(text) <= MOST_DIGITS else None


def singular(word: str) -> str:
    """Return the singular of a lower-case English noun, guessed from its ending.

    Words that are no nouns mostly stay unchanged.
    """
    if word in IRREGULAR or len(word) < 4 or not word.endswith("s") or word.endswith(KEPT_ENDINGS):
        return IRREGULAR.get(word, word)
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(SIBILANT_ENDINGS) else word[:-1]

"""Read a CoNLL-U treebank as spaCy documents, with copies that look like captions.

A caption is often a noun phrase, in lower case and without a full stop; a treebank of web text seldom has such
sentences. So next to every sentence as it was written there may stand a lower-cased copy without its final mark,
and a copy of one noun phrase cut out of it. Which sentences get copies is drawn with a fixed seed.
"""

import gzip
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from spacy.tokens import Doc
from spacy.vocab import Vocab

LOWERED_SHARE = 0.4  # of all sentences get a lower-cased copy
FRAGMENT_SHARE = 0.6  # of the sentences with a fitting noun phrase give one of them as a fragment
FRAGMENT_LENGTHS = range(2, 16)  # words
FRAGMENT_ROLES = {"nsubj", "nsubj:pass", "obj", "obl", "nmod", "conj", "root"}
CLAUSE_MARKS = {"nsubj", "cop", "aux", "aux:pass", "expl", "parataxis", "conj", "cc", "discourse", "vocative"}
FUNCTION_ROLES = {"case", "mark", "cc", "punct"}
FINAL_MARKS = {".", "!", "?"}


@dataclass(frozen=True, slots=True)
class Word:
    """One word of a sentence, as CoNLL-U gives it."""

    text: str
    lemma: str
    upos: str
    tag: str  # Penn Treebank tag
    head: int  # index in the sentence; the root points at itself
    role: str  # Universal Dependencies relation; "ROOT" for the root
    space: bool  # whether a space follows


Sentence = tuple[Word, ...]


def read_sentences(path: Path) -> Iterator[Sentence]:
    """Yield the sentences of a CoNLL-U file, plain or gzipped."""
    opened = gzip.open(path, "rt", encoding="utf-8") if path.suffix == ".gz" else path.open(encoding="utf-8")
    with opened as file:
        rows: list[list[str]] = []
        for line in file:
            if line.strip():
                rows += [] if line.startswith("#") else [line.rstrip("\n").split("\t")]
            elif rows:
                yield sentence(rows)
                rows = []
    if rows:
        yield sentence(rows)


def sentence(rows: list[list[str]]) -> Sentence:
    """Return the words of a sentence's CoNLL-U rows; empty nodes (8.1) are left out."""
    joined = spaces_inside_multiwords(rows)
    words = [row for row in rows if row[0].isdigit()]
    return tuple(word(row, joined) for row in words)


def spaces_inside_multiwords(rows: list[list[str]]) -> dict[int, bool]:
    """Say for each word of a contraction ("do" + "n't", row 3-4) whether a space follows it."""
    spaces = {}
    for row in rows:
        if "-" in row[0]:
            first, last = map(int, row[0].split("-"))
            spaces |= dict.fromkeys(range(first, last), False)
            spaces[last] = "SpaceAfter=No" not in row[9]
    return spaces


def word(row: list[str], joined: dict[int, bool]) -> Word:
    """Return the word of one CoNLL-U row; `joined` overrules its own SpaceAfter."""
    number, head = int(row[0]), int(row[6])
    space = joined.get(number, "SpaceAfter=No" not in row[9])
    role = "ROOT" if head == 0 else row[7]
    return Word(row[1], row[2], row[3], row[4], number - 1 if head == 0 else head - 1, role, space)


def with_caption_like_copies(sentences: list[Sentence], seed: int) -> list[Sentence]:
    """Return the sentences followed by lower-cased copies and noun phrases, drawn with the seed."""
    draw = random.Random(seed)
    lowered = [lower_cased(words) for words in sentences if draw.random() < LOWERED_SHARE]
    fragments = []
    for words in sentences:
        heads = [index for index in range(len(words)) if is_fragment_head(words, index)]
        if heads and draw.random() < FRAGMENT_SHARE:
            fragments.append(lower_cased(fragment(words, draw.choice(heads))))
    return sentences + lowered + fragments


def lower_cased(words: Sentence) -> Sentence:
    """Return the sentence in lower case, without a final mark that nothing depends on."""
    last = len(words) - 1
    final = last > 0 and words[last].text in FINAL_MARKS and all(word.head != last for word in words)
    kept = words[:last] if final else words
    return tuple(replace(word, text=word.text.lower(), lemma=word.lemma.lower()) for word in kept)


def is_fragment_head(words: Sentence, index: int) -> bool:
    """Say whether the words below a noun make a phrase that could stand alone as a caption."""
    if words[index].upos != "NOUN" or words[index].role.lower() not in FRAGMENT_ROLES:
        return False
    if any(word.head == index and word.role in CLAUSE_MARKS for word in words):
        return False
    inside = fragment_indices(words, index)
    contiguous = inside[-1] - inside[0] + 1 == len(inside)
    return contiguous and len(inside) in FRAGMENT_LENGTHS


def fragment_indices(words: Sentence, root: int) -> list[int]:
    """Return the indices of a noun and all below it, less its own preposition, conjunction and punctuation."""
    inside = {root}
    grown = True
    while grown:
        below = {i for i, word in enumerate(words) if word.head in inside and not is_outer_function(word, root)}
        grown = not below <= inside
        inside |= below
    return sorted(inside)


def is_outer_function(word: Word, root: int) -> bool:
    """Say whether a word links the phrase to its sentence, rather than being part of it."""
    return word.head == root and word.role in FUNCTION_ROLES


def fragment(words: Sentence, root: int) -> Sentence:
    """Return the noun phrase below `root` as a sentence of its own."""
    inside = fragment_indices(words, root)
    place = {old: new for new, old in enumerate(inside)}
    return tuple(
        replace(words[old], head=place[root if old == root else words[old].head], role=role_in(words, old, root))
        for old in inside
    )


def role_in(words: Sentence, index: int, root: int) -> str:
    """Return the relation of a word within the fragment under `root`."""
    return "ROOT" if index == root else words[index].role


def document(vocab: Vocab, words: Sentence) -> Doc:
    """Return the sentence as a spaCy document with tags, lemmas and dependencies."""
    doc = Doc(
        vocab,
        words=[word.text for word in words],
        spaces=[word.space for word in words],
        tags=[word.tag for word in words],
        pos=[word.upos for word in words],
        lemmas=[word.lemma for word in words],
        heads=[word.head for word in words],
        deps=[word.role for word in words],
    )
    return doc

"""Edits that make a caption worse in one specific way, to test whether metrics notice.

The bundled parser finds the words that can be edited. Edits are chosen at random with a seed, so the same caption gets
the same edits.
"""

import random
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from core.captions import probe_rules as rules
from core.captions.nouns import NounTable
from core.captions.probe_rules import Read
from core.captions.probe_words import PADDING
from core.captions.replacements import Replaced, Replacement, Span, replace_parts
from core.captions.tree import Tree
from core.captions.word_splitting import sentences, singular

WORD = re.compile(r"\w+(?:['’-]\w+)*")
Rule = Callable[[Read], Sequence[Replacement]]  # returns one edit's replacements; empty if the caption allows none


@dataclass(frozen=True, slots=True)
class ProbeEdit:
    """An edited caption, the kind of edit, and the positions of the changed parts."""

    kind: str  # of KINDS
    caption: str
    before: tuple[Span, ...]  # changed character ranges of the original; an empty range: something was inserted there
    after: tuple[Span, ...]  # changed character ranges of the edited caption; empty range: something was removed there


def probe_edits(
    caption: str, trees: Sequence[Tree], known: Collection[str], nouns: NounTable, seed: int = 0
) -> tuple[ProbeEdit, ...]:
    """Return at most one edit of each kind, in the order of KINDS.

    known: texts about the same picture, such as its references and labels. No edit inserts a word from these texts. The
    edited caption always differs from the original.
    """
    said = frozenset(singular(word.lower()) for text in (caption, *known) for word in WORD.findall(text))
    edits = []
    for kind, rule in KINDS.items():
        read = Read(caption, tuple(trees), said, nouns, random.Random(f"{seed} {kind} {caption}"))
        edit = _edit(kind, caption, rule(read))
        edits += [edit] if edit else []
    return tuple(edits)


def _edit(kind: str, caption: str, parts: Sequence[Replacement]) -> ProbeEdit | None:
    if not parts:
        return None
    made: Replaced = replace_parts(caption, parts)
    if made.caption == caption or not made.caption.strip():
        return None
    return ProbeEdit(kind, made.caption, made.before, made.after)


def shuffled(read: Read) -> Sequence[Replacement]:
    """Put the words of the caption in a random order. The final punctuation mark stays at the end.

    Returns () if the caption has fewer than three different words.
    """
    found = [match.span() for match in WORD.finditer(read.caption)]
    words = [read.caption[start:end] for start, end in found]
    if len({word.lower() for word in words}) < 3:
        return ()
    order = words[:]
    while order == words:
        read.random.shuffle(order)
    text = " ".join(order)
    return (Replacement(found[0][0], found[-1][1], text),)


def padded(read: Read) -> Sequence[Replacement]:
    """Add a sentence that is true of any picture."""
    end = len(read.caption.rstrip())
    if not end:
        return ()
    stop = "" if read.caption[end - 1] in ".!?" else "."
    return (Replacement(end, end, f"{stop} {read.random.choice(PADDING)}"),)


def with_thing_added(read: Read) -> Sequence[Replacement]:
    """Add an object to the end of the first sentence. No text about the picture names this object."""
    found = sentences(read.caption)
    return rules.thing_added(read, *found[0]) if found else ()


KINDS: Mapping[str, Rule] = {
    "object exchanged": rules.thing_exchanged,
    "object left out": rules.thing_left_out,
    "object added": with_thing_added,
    "colour changed": rules.colour_changed,
    "number changed": rules.number_changed,
    "relation changed": rules.relation_changed,
    "words shuffled": shuffled,
    "sentence of padding": padded,
}

"""Scene graphs as text: the facts of a caption, in the notation of the FACTUAL corpus.

The caption "a large pig on grass" becomes ``( pig , is , large ) , ( pig , on , grass )``. The predicate ``is`` states
a quantity if its object consists of digits. With any other object it states an attribute. Every other predicate relates
two things. ``( boy )`` is a thing alone.

The published parser (zhuang-li/FactualSceneGraph, utils.py) differs in three ways. Here the facts keep their order in
the caption, ``pv:`` marks are removed completely, and an object may contain commas.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from core.captions.word_splitting import whole_number

PROMPT = "Generate Scene Graph:"  # the prompt of the FACTUAL models, which they sometimes repeat
BETWEEN_FACTS = re.compile(r"\)\s*,\s*(?=\(|$)")
VERB_MARK = re.compile(r"\b(?:pv|v):")  # marks of verbs (v) and passive verbs (pv), written by the "-sg-id" models
NODE_MARK = re.compile(r":\d+(?=\s*(?:[,)]|$))")  # number that "-sg-id" models add to tell equal things apart

FactKind = Literal["relation", "attribute", "quantity", "entity"]


@dataclass(frozen=True, slots=True)
class Fact:
    """One fact of a scene graph. A thing without any statement about it has no predicate and no object."""

    subject: str
    predicate: str = ""
    object: str = ""

    @property
    def kind(self) -> FactKind:
        """Return the kind of fact: a thing, a quantity, an attribute or a relation."""
        if not self.predicate:
            return "entity"
        if self.predicate != "is":
            return "relation"
        return "quantity" if whole_number(self.object) is not None else "attribute"

    @property
    def text(self) -> str:
        """Return the fact as words: "dog sit on sofa" (HICE-S, section 3.2: "subject predicate object")."""
        return " ".join(part for part in (self.subject, self.predicate, self.object) if part)

    def __str__(self) -> str:
        return f"( {' , '.join(part for part in (self.subject, self.predicate, self.object) if part)} )"


def read_facts(text: str) -> tuple[Fact, ...]:
    """Return the facts of a graph's text, without repeats, in order of mention.

    If the last ``)`` is missing, the incomplete last fact is dropped. But if it is the only fact, its first field is
    returned as a thing alone. Facts with two fields are dropped. A text without facts gives ().
    """
    stripped = re.sub(r"\s+", " ", text.replace(PROMPT, " ")).strip()
    pieces = BETWEEN_FACTS.split(stripped)
    if stripped.endswith(")"):
        return distinct(
            fact for piece in pieces if (fact := read_fact(piece.strip()[:-1] if piece is pieces[-1] else piece))
        )
    whole = pieces[:-1]
    if whole:
        return distinct(fact for piece in whole if (fact := read_fact(piece)))
    first = fields(pieces[-1])[0]
    return (Fact(first),) if first else ()


def read_fact(piece: str) -> Fact | None:
    """Return the fact of a text like ``( man , wear , hat``.

    Returns None for a text without fields or with two fields.
    """
    texts = fields(piece)
    if len(texts) == 3 and all(texts):
        return Fact(*texts)
    return Fact(texts[0]) if len(texts) == 1 and texts[0] else None


def fields(piece: str) -> list[str]:
    """Return up to three fields of a fact: subject, predicate, object.

    Commas after the second comma belong to the object.
    """
    unmarked = NODE_MARK.sub("", VERB_MARK.sub("", piece.strip().removeprefix("(")))
    return [field.strip() for field in unmarked.split(",", maxsplit=2)]


def write_facts(facts: Iterable[Fact]) -> str:
    """Return the facts as text for `read_facts`."""
    return " , ".join(str(fact) for fact in facts)


def distinct(facts: Iterable[Fact]) -> tuple[Fact, ...]:
    """Return the facts without repeats, in order of first mention."""
    return tuple(dict.fromkeys(facts))


def heads_of(fact: Fact) -> tuple[str, ...]:
    """Return the things that a fact names."""
    return (fact.subject, fact.object) if fact.kind == "relation" else (fact.subject,)

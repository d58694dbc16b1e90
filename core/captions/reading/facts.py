"""Scene graphs as text: the facts of a caption, in the notation of the FACTUAL corpus.

The caption "a large pig on grass" becomes ``( pig , is , large ) , ( pig , on , grass )``. The predicate ``is`` states
a quantity if its object consists of digits. With any other object it states an attribute. Every other predicate relates
two things. ``( boy )`` is a thing alone.

The published parser (zhuang-li/FactualSceneGraph, utils.py) differs in three ways. Here the facts keep their order in
the caption, ``pv:`` marks are removed completely, and an object may contain commas.
"""

import re
from dataclasses import dataclass
from typing import Literal

from core.captions.reading.words import whole_number

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
    def things(self) -> tuple[str, ...]:
        """Return the things that the fact names: its subject and, for a relation, its object."""
        return (self.subject, self.object) if self.kind == "relation" else (self.subject,)

    @property
    def text(self) -> str:
        """Return the fact as words: "dog sit on sofa" (HICE-S: "subject predicate object")."""
        return " ".join(part for part in (self.subject, self.predicate, self.object) if part)


def read_facts(text: str) -> tuple[Fact, ...]:
    """Return the facts of a graph's text, without repeats, in order of mention.

    If the last ``)`` is missing, the incomplete last fact is dropped. But if it is the only fact, its first field is
    returned as a thing alone. Facts with two fields are dropped. A text without facts gives ().
    """
    stripped = re.sub(r"\s+", " ", text.replace(PROMPT, " ")).strip()
    *pieces, last = BETWEEN_FACTS.split(stripped)
    if stripped.endswith(")"):
        pieces.append(last.strip()[:-1])
    elif not pieces:
        first = _fields(last)[0]
        return (Fact(first),) if first else ()
    found = (_fields(piece) for piece in pieces)
    return tuple(dict.fromkeys(Fact(*texts) for texts in found if len(texts) != 2 and all(texts)))


def _fields(piece: str) -> list[str]:
    """Return up to three fields of a fact: subject, predicate, object.

    Commas after the second comma belong to the object.
    """
    unmarked = NODE_MARK.sub("", VERB_MARK.sub("", piece.strip().removeprefix("(")))
    return [field.strip() for field in unmarked.split(",", maxsplit=2)]

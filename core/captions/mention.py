"""A fact together with the words of the caption that state it."""

from dataclasses import dataclass

from core.captions.facts import Fact
from core.captions.tree import Tree


@dataclass(frozen=True, slots=True)
class Mention:
    """A fact and the tokens that state it."""

    fact: Fact
    subject: int  # token of the subject
    words: tuple[int, ...]  # tokens of subject, object or attribute; a preposition or verb in between is not named

    @property
    def object(self) -> int:
        """Return the token of the object or attribute; the subject's own where there is none."""
        return self.words[-1]


def relates(tree: Tree, subject: int, predicate: str, object: int) -> Mention:
    """Return that two things of the tree relate."""
    return Mention(Fact(tree[subject].text, predicate, tree[object].text), subject, (subject, object))


def describes(tree: Tree, subject: int, attribute: str, *words: int) -> Mention:
    """Return that a thing has an attribute or quantity, which the words state."""
    return Mention(Fact(tree[subject].text, "is", attribute), subject, (subject, *words))


def stands_alone(tree: Tree, subject: int) -> Mention:
    """Return that a thing is there."""
    return Mention(Fact(tree[subject].text), subject, (subject,))

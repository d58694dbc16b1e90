"""A fact, and the words of the caption that state the fact."""

from dataclasses import dataclass

from core.captions.facts import Fact
from core.captions.tree import Tree


@dataclass(frozen=True, slots=True)
class Mention:
    """A fact, and the tokens (words) of the caption that state the fact."""

    fact: Fact
    subject: int  # token of the subject
    words: tuple[int, ...]  # tokens of the fact's subject, object or attribute, without its preposition or verb
    verb: int | None = None  # token of the verb or predicate that states the fact; None: a noun phrase states it
    absent: tuple[int, ...] = ()  # tokens of the fact's things that the caption calls absent
    is_denied: bool = False  # True: the caption denies the fact

    @property
    def things(self) -> tuple[int, ...]:
        """Return the tokens of the fact's things: the subject and, for a relation, the object."""
        return (self.subject, self.object) if self.fact.kind == "relation" else (self.subject,)

    @property
    def object(self) -> int:
        """Return the token of the object or attribute, or the subject's token if there is neither."""
        return self.words[-1]


def relates(tree: Tree, subject: int, predicate: str, object: int) -> Mention:
    """Return the mention that states a relation between two things. subject, object: tokens."""
    return Mention(Fact(tree[subject].text, predicate, tree[object].text), subject, (subject, object))


def describes(tree: Tree, subject: int, attribute: str, *words: int) -> Mention:
    """Return the mention that states an attribute or quantity of a thing. words: the tokens that state it."""
    return Mention(Fact(tree[subject].text, "is", attribute), subject, (subject, *words))


def stands_alone(tree: Tree, subject: int) -> Mention:
    """Return the mention that states only that a thing is present."""
    return Mention(Fact(tree[subject].text), subject, (subject,))

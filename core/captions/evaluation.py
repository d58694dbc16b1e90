"""How well facts agree with a gold scene graph: set match and SPICE-style F, as FACTUAL's evaluation defines them.

Set match (Li et al. 2023, section 5.1) is 1 where both sides state exactly the same facts. SPICE-style F is F1 over
tuples: a thing (1), a thing and its attribute or quantity (2), a relation (3). Before comparing, every word but "is"
is reduced to its singular by the plain suffix rules below on both sides; the original uses WordNet's lemmatiser and
afterwards also matches synonyms (METEOR's). Here matching is exact only, so figures are a little lower than there.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from core.captions.facts import Fact, heads_of
from core.captions.singular import singular

Tuple = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Agreement:
    """Mean agreement over captions, each in [0, 100]."""

    captions: int
    set_match: float
    spice_f: float


def evaluate(candidates: Sequence[Sequence[Fact]], golds: Sequence[Sequence[Fact]]) -> Agreement:
    """Return the mean agreement of candidates with golds, one pair a caption. Raises ValueError on unequal lengths."""
    pairs = list(zip(candidates, golds, strict=True))
    if not pairs:
        return Agreement(0, 0.0, 0.0)
    matches = sum(set_match(candidate, gold) for candidate, gold in pairs)
    f_scores = sum(spice_f(candidate, gold) for candidate, gold in pairs)
    return Agreement(len(pairs), 100 * matches / len(pairs), 100 * f_scores / len(pairs))


def set_match(candidate: Iterable[Fact], gold: Iterable[Fact]) -> bool:
    """Say whether both sides state the same facts after lemmatising."""
    return {lemmatised(fact) for fact in candidate} == {lemmatised(fact) for fact in gold}


def spice_f(candidate: Iterable[Fact], gold: Iterable[Fact]) -> float:
    """Return F1 over tuples in [0, 1]; two empty sides agree."""
    found, expected = tuples(candidate), tuples(gold)
    if not found or not expected:
        return float(found == expected)
    return 2 * len(found & expected) / (len(found) + len(expected))


def tuples(facts: Iterable[Fact]) -> set[Tuple]:
    """Return the SPICE tuples of facts (Anderson et al. 2016, section 3.2), lemmatised."""
    found: set[Tuple] = set()
    for fact in map(lemmatised, facts):
        found |= {(head,) for head in heads_of(fact)}
        if fact.kind == "relation":
            found.add((fact.subject, fact.predicate, fact.object))
        elif fact.predicate:
            found.add((fact.subject, fact.object))
    return found


def lemmatised(fact: Fact) -> Fact:
    """Return the fact in lower case with every word singular."""
    return Fact(*(singular_words(part) for part in (fact.subject, fact.predicate, fact.object)))


def singular_words(text: str) -> str:
    """Return the text in lower case with every word singular."""
    return " ".join(singular(word) for word in text.lower().split())

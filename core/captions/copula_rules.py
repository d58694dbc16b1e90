"""What a clause without a full verb says: "the cat is on the sofa", "the wall is white"."""

from collections.abc import Iterator

from core.captions.conventions import NUMBERS, RELATIVES
from core.captions.mention import Mention, describes, relates
from core.captions.noun_rules import adjectives, located
from core.captions.tree import Tree


def predication(tree: Tree, word: int) -> Iterator[Mention]:
    """Yield what a clause without a full verb says of its subject: "the cat is on the sofa", "the wall is white"."""
    nouns = [noun for k in tree.under(word, "nsubj") if tree.is_noun(k) for noun in tree.company(k)]
    relative = any(tree[k].text in RELATIVES for k in tree.under(word, "nsubj"))
    if not nouns and relative and tree.is_noun(tree[word].head) and tree[word].head != word:
        nouns = [tree[word].head]
    for noun in nouns:
        yield from predicated(tree, noun, word)


def predicated(tree: Tree, subject: int, word: int) -> Iterator[Mention]:
    """Yield what the predicate `word` says of one subject."""
    token, preposition = tree[word], tree.preposition(word)
    if tree.is_noun(word) and preposition:
        for target in tree.coordinated(word):
            yield from located(tree, subject, preposition, target)
    elif tree.is_noun(word):
        yield from [describes(tree, subject, token.text, word)] if tree.under(word, "cop") else []
    elif token.text in NUMBERS or token.tag == "CD":
        yield describes(tree, subject, NUMBERS.get(token.text, token.text), word)
    else:
        yield from described(tree, subject, word)


def described(tree: Tree, subject: int, word: int) -> Iterator[Mention]:
    """Yield what an adjective or adverb says of a subject: "is white", "is full of food", "is on"."""
    yield from adjectives(tree, subject, word)
    for other in tree.under(word, "obl", "nmod"):
        predicate = "have" if tree[word].text == "full" else tree.preposition(other)
        if predicate:
            yield from (relates(tree, subject, predicate, target) for target in tree.coordinated(other))

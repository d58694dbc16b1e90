"""Whole sentences made of trusted captions: "man riding horse" becomes "a man rides a horse", with its tree.

FACTUAL's captions are noun phrases, so a parser taught on them takes the verb of "a plane flies over a city" for a
plural noun. A trusted caption with a participle behind its noun says what subject and verb are, and the noun's number
says how the verb must end; so the finite sentence and its tree follow without parsing anything anew.
"""

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from spacy.tokens import Doc, Token
from spacy.vocab import Vocab

from core.captions.verb_forms import VOWELS, third_person
from core.captions.word_splitting import singular

ARTICLES = ("a", "a", "a", "the", "one", "this")
PLURAL_ARTICLES = ("", "", "two", "some", "the", "several")
DESCRIBING = frozenset({"det", "amod", "compound", "nummod", "nmod", "nmod:poss", "case", "flat", "fixed"})
OF_CLAUSES = ("nsubj", "aux", "cop", "mark", "conj", "cc", "parataxis")
OWN_VERB = 0.6  # of the sentences keep the verb that their subject had; the others exchange it
ANY_VERB = 0.4  # of the verbs without an object are exchanged for any verb, so that its ending tells and not its stem
PLACED = 0.45  # of the subjects get another noun behind a preposition
PREPOSITIONS = ("in", "with", "on", "near", "of", "behind")
LONGEST = 24  # words


@dataclass(frozen=True, slots=True)
class Node:
    """One word of a tree."""

    text: str
    lemma: str
    tag: str  # Penn Treebank
    head: int  # index in its phrase; the phrase's own head points at itself
    role: str  # Universal Dependencies; "ROOT" for the phrase's own head


Phrase = tuple[Node, ...]


@dataclass(frozen=True, slots=True)
class Parts:
    """A caption taken apart: a noun with what describes it, and what it is doing."""

    subject: Phrase
    action: Phrase  # its head is a participle
    plural: bool


@dataclass(frozen=True, slots=True)
class Stock:
    """What sentences are made of."""

    parts: tuple[Parts, ...]
    verbs: tuple[str, ...]  # lemmas that any subject may take


def composed(
    vocab: Vocab, trusted: Iterable[Doc], lemmas: Mapping[str, str], verbs: Iterable[str], count: int, seed: int
) -> list[Doc]:
    """Return sentences of random shapes made of captions whose participle is one of those with a lemma."""
    draw = random.Random(seed)
    stock = Stock(tuple(parts for doc in trusted if (parts := taken_apart(doc, lemmas))), tuple(sorted(verbs)))
    made = (sentence(draw, stock) for _ in range(count))
    return [document(vocab, nodes) for nodes in made if len(nodes) <= LONGEST]


def taken_apart(doc: Doc, lemmas: Mapping[str, str]) -> Parts | None:
    """Return subject and action of a caption like "a man in red riding a horse", or None for another shape."""
    root = next(token for token in doc if token.dep_ == "ROOT")
    if root.tag_ == "VBG":
        noun, verb = next((token for token in root.children if token.dep_ == "nsubj"), None), root
    else:
        noun, verb = root, next((token for token in root.children if (token.dep_, token.tag_) == ("acl", "VBG")), None)
    if noun is None or verb is None or noun.tag_ not in ("NN", "NNS") or noun.i > verb.i or verb.text not in lemmas:
        return None
    plural = singular(noun.text) != noun.text or noun.text == "people"
    if plural != (noun.tag_ == "NNS"):
        return None
    around = [token for token in (*noun.children, *verb.children) if token not in (noun, verb)]
    if any(token.dep_.split(":")[0] in OF_CLAUSES for token in around):
        return None
    subject, action = list(doc[: verb.i]), list(doc[verb.i :])
    if any(token.head not in subject for token in subject if token != noun) or any(
        token.head not in action for token in action if token != verb
    ):
        return None
    if any(token.dep_ not in DESCRIBING for token in noun.children if token != verb):
        return None
    acting = phrase(action, verb)
    return Parts(phrase(subject, noun), (replace(acting[0], lemma=lemmas[verb.text]), *acting[1:]), plural)


def phrase(tokens: Sequence[Token], head: Token) -> Phrase:
    """Return neighbouring words, all below the head, as a phrase of their own."""
    first = tokens[0].i
    return tuple(
        Node(token.text, token.lemma_, token.tag_, token.i - first, "ROOT")
        if token.i == head.i
        else Node(token.text, token.lemma_, token.tag_, token.head.i - first, token.dep_)
        for token in tokens
    )


def sentence(draw: random.Random, stock: Stock) -> Phrase:
    """Return one sentence: a clause, two with one subject, two beside each other, or one behind a participle."""
    shape = draw.random()
    own, other = draw.choice(stock.parts), draw.choice(stock.parts)
    if shape < 0.3:
        return clause(draw, placed(draw, own, stock), own.action if draw.random() < OWN_VERB else other.action)
    if shape < 0.5:  # "a woman smiles", "a dog runs on the beach"
        return clause(draw, placed(draw, own, stock), shortened(draw, other.action, stock))
    if shape < 0.65:  # "a woman wearing glasses smiles"
        behind = joined(subject_of(draw, own), own.action, "acl")
        return finite(behind, own.plural, draw.choice((shortened(draw, other.action, stock), other.action)))
    if shape < 0.75:  # "a man sits and reads a book"
        first = clause(draw, placed(draw, own, stock), draw.choice((shortened(draw, own.action, stock), own.action)))
        second = draw.choice((shortened(draw, other.action, stock), other.action))
        return linked(first, "and", "CC", "cc", conjugated(second, own.plural), "conj")
    if shape < 0.9:  # "a man sits while a dog runs"
        word = draw.choice(("while", "as", "while"))
        second = draw.choice((shortened(draw, other.action, stock), other.action))
        return linked(clause(draw, own, own.action), word, "IN", "mark", clause(draw, other, second), "advcl")
    return progressive(draw, own)


def placed(draw: random.Random, parts: Parts, stock: Stock) -> Parts:
    """Return a subject that may have got another noun: "a man in a dark suit"."""
    nouns = [node.tag for node in parts.subject if node.role == "nmod"]
    if nouns or draw.random() >= PLACED:
        return parts
    other = subject_of(draw, draw.choice(stock.parts))
    preposition = Node(draw.choice(PREPOSITIONS), "", "IN", root(other) + 1, "case")
    behind = (replace(preposition, lemma=preposition.text), *shifted(other, 1))
    return replace(parts, subject=joined(parts.subject, behind, "nmod"))


def clause(draw: random.Random, parts: Parts, action: Phrase) -> Phrase:
    """Return a subject with a finite verb that agrees with it."""
    return finite(subject_of(draw, parts), parts.plural, action)


def finite(subject: Phrase, plural: bool, action: Phrase) -> Phrase:
    """Return a subject before an action, whose verb becomes finite and the root."""
    return under(subject, conjugated(action, plural), "nsubj")


def subject_of(draw: random.Random, parts: Parts) -> Phrase:
    """Return the subject, with an article where it has no determiner."""
    head = root(parts.subject)
    if any(node.head == head and node.role in ("det", "nummod", "nmod:poss") for node in parts.subject):
        return parts.subject
    article = draw.choice(PLURAL_ARTICLES if parts.plural else ARTICLES)
    if not article:
        return parts.subject
    article = "an" if article == "a" and parts.subject[0].text[0] in VOWELS else article
    numeral, several = article in ("one", "two"), article == "several"
    tag, role = ("CD", "nummod") if numeral else ("JJ", "amod") if several else ("DT", "det")
    return (Node(article, "a" if article == "an" else article, tag, head + 1, role), *shifted(parts.subject, 1))


def conjugated(action: Phrase, plural: bool) -> Phrase:
    """Return an action with its participle in the present tense."""
    verb = action[0]
    text = verb.lemma if plural else third_person(verb.lemma)
    return (replace(verb, text=text, tag="VBP" if plural else "VBZ"), *action[1:])


def progressive(draw: random.Random, parts: Parts) -> Phrase:
    """Return "a man is riding a horse"."""
    be = Node("are" if parts.plural else "is", "be", "VBP" if parts.plural else "VBZ", 1, "aux")
    return under(subject_of(draw, parts), (be, *shifted(parts.action, 1)), "nsubj")


def shortened(draw: random.Random, action: Phrase, stock: Stock) -> Phrase:
    """Return an action without its object: the verb alone, or with its first place; perhaps with any other verb."""
    verb = root(action)
    first = next((k for k, node in enumerate(action) if node.head == verb and node.role.startswith("obl")), None)
    kept = [verb] if first is None else [k for k in range(len(action)) if k in (verb, first)
                                         or leads_to(action, k, first)]  # fmt: skip
    short = picked(action, kept)
    return (replace(short[0], lemma=draw.choice(stock.verbs)), *short[1:]) if draw.random() < ANY_VERB else short


def leads_to(nodes: Phrase, index: int, goal: int) -> bool:
    """Say whether a word is below another."""
    while nodes[index].head != index:
        index = nodes[index].head
        if index == goal:
            return True
    return False


def picked(nodes: Phrase, kept: Sequence[int]) -> Phrase:
    """Return only some words of a phrase, heads among them."""
    place = {old: new for new, old in enumerate(kept)}
    return tuple(replace(nodes[old], head=place[nodes[old].head]) for old in kept)


def under(below: Phrase, above: Phrase, role: str) -> Phrase:
    """Return two phrases in a row, the first depending on the second's head."""
    moved, goal = shifted(above, len(below)), root(above) + len(below)
    return (*hung(below, goal, role), *moved)


def joined(above: Phrase, below: Phrase, role: str) -> Phrase:
    """Return two phrases in a row, the second depending on the first's head."""
    return (*above, *hung(shifted(below, len(above)), root(above), role))


def linked(first: Phrase, word: str, tag: str, word_role: str, second: Phrase, role: str) -> Phrase:
    """Return two clauses with a word between them, both it and the second clause's head below their heads."""
    between = (Node(word, word, tag, root(second) + 1, word_role), *shifted(second, 1))
    return joined(first, between, role)


def hung(nodes: Phrase, goal: int, role: str) -> Phrase:
    """Return the nodes with their own head, which points at itself or is a root, below the goal."""
    return tuple(replace(node, head=goal, role=role) if node.role == "ROOT" else node for node in nodes)


def shifted(nodes: Phrase, by: int) -> Phrase:
    """Return the nodes with all heads moved to the right."""
    return tuple(replace(node, head=node.head + by) for node in nodes)


def root(nodes: Phrase) -> int:
    """Return the index of the phrase's own head."""
    return next(index for index, node in enumerate(nodes) if node.role == "ROOT")


def document(vocab: Vocab, nodes: Phrase) -> Doc:
    """Return a sentence as a training document."""
    return Doc(
        vocab,
        words=[node.text for node in nodes],
        spaces=[True] * (len(nodes) - 1) + [False],
        tags=[node.tag for node in nodes],
        lemmas=[node.lemma for node in nodes],
        heads=[node.head for node in nodes],
        deps=[node.role for node in nodes],
    )

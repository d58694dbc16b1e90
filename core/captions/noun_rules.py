"""Facts from a noun phrase: attributes, quantities, possession and locations."""

from collections.abc import Iterator, Mapping
from dataclasses import replace

from core.captions.denial import INSTEAD, NOT, is_devoid_of
from core.captions.facts import Fact
from core.captions.factual_conventions import (
    ACTORS,
    ATTRIBUTES,
    COLOURS,
    CONTAINERS,
    HAD_WITH,
    NUMBERS,
    OWNED,
    SHADES,
    SURFACES,
    TIMES,
    VAGUE,
    VIEWPOINTS,
    WORN_IN,
    WORN_WITH,
)
from core.captions.mention import Mention, describes, relates
from core.captions.tree import Tree
from core.captions.word_splitting import singular, whole_number

GROUPS = frozenset({"", "group of"})  # amounts; in "large group of birds", "large" does not describe the birds

Compounds = Mapping[tuple[str, str], str]  # (modifier, head) -> "have" or "in", if the nouns name two related things


def attributes(tree: Tree, noun: int, compounds: Compounds) -> Iterator[Mention]:
    """Yield facts from the words around a noun: "two large brick buildings"."""
    is_part = any(tree[k].kind == "measure" and whole_number(tree[k].text) is not None for k in tree.children[noun])
    group = next((k for k in tree.children[noun] if tree[k].kind == "measure" and tree[k].text in GROUPS), -1)
    for word in tree.children[noun]:
        token = tree[word]
        if word < group and token.relation == "amod":
            continue  # in "a large number of birds", "large" does not describe the birds
        if token.kind == "measure":
            yield from [describes(tree, noun, token.text, word)] if token.text else []
        elif is_part and token.text in NUMBERS:
            continue  # "seven of the ten bottles" means seven bottles
        elif token.text in NUMBERS or token.relation == "nummod":
            if tree.preposition(word) in ("", "of"):  # "a bench for two" is one bench
                yield from quantity(tree, noun, word)
        elif token.relation == "compound" and word < noun:
            yield from compound(tree, noun, word, compounds)
        elif token.relation == "amod" and not (word > noun and tree.under(word, "obl", "nmod")):
            yield from adjectives(tree, noun, word)


def quantity(tree: Tree, noun: int, word: int) -> Iterator[Mention]:
    """Yield the quantity that a word states for a noun, in digits.

    For the word "one", nothing is yielded.
    """
    number = NUMBERS.get(tree[word].text, tree[word].text)
    if whole_number(number) not in (None, 1):
        yield describes(tree, noun, number, word)


def compound(tree: Tree, noun: int, word: int, compounds: Compounds) -> Iterator[Mention]:
    """Yield the fact that a noun states about the noun after it.

    The table `compounds` says whether the fact is a possession ("have"), a location ("in") or a kind.
    """
    relation, one = compounds.get((tree[word].text, tree[noun].text)), singular(tree[word].text)
    if one in ACTORS and one != tree[word].text:  # "mans hat": here a plural word for a person means the owner
        yield Mention(Fact(one, "have", tree[noun].text), word, (word, noun))
    elif relation == "have":
        yield relates(tree, word, "have", noun)
    elif relation == "in":
        yield relates(tree, noun, "in", word)
    else:
        yield from adjectives(tree, noun, word)


def adjectives(tree: Tree, noun: int, word: int) -> Iterator[Mention]:
    """Yield an adjective as an attribute of a noun, and the adjectives joined to it by "and"."""
    token = tree[word]
    if token.text in NOT:
        return
    if token.kind != "preposition" and token.text not in VAGUE and not shades_the_next(tree, word, noun):
        before = qualifiers(tree, word)
        parts = [*(tree[part].text for part in before), ATTRIBUTES.get(token.text, token.text)]
        yield describes(tree, noun, " ".join(parts), *before, word)
    for other in tree.under(word, "conj", "amod"):
        if not tree.under(other, "nsubj"):
            yield from adjectives(tree, noun, other)


def shades_the_next(tree: Tree, word: int, noun: int) -> bool:
    """Return whether a word is a shade before a colour: "light" of "light blue".

    The shade gives no fact of its own, because the colour's fact contains it ("light blue").
    """
    follows = word + 1 < noun and tree[word + 1].text in COLOURS
    return tree[word].text in SHADES and follows


def qualifiers(tree: Tree, word: int) -> list[int]:
    """Return the words that belong to an attribute: "light" of "light blue", "double" of "double decker"."""
    shade = word > 0 and tree[word].text in COLOURS and tree[word - 1].text in SHADES
    parts = [part for part in tree.under(word, "compound") if part < word and tree[part].text not in VAGUE]
    return sorted({*parts, *([word - 1] if shade else [])})


def possessions(tree: Tree, noun: int) -> Iterator[Mention]:
    """Yield the facts that somebody or something has the noun's thing.

    Example: "man's hat" states that the man has the hat. For "his hand", the owner is the noun that "his" refers to.
    The FACTUAL corpus states the owner for "his" or "her" only before some nouns.
    """
    for owner in tree.under(noun, "nmod:poss"):
        if tree.is_noun(owner):
            yield from (relates(tree, owner, "have", thing) for thing in tree.company(noun))
        elif tree[noun].text in OWNED:
            yield from (relates(tree, person, "have", noun) for person in owners(tree, noun))


def owners(tree: Tree, noun: int) -> list[int]:
    """Return the noun that "his" or "her" before a noun means: the nearest subject or thing above it in the tree.

    Returns [] if that noun is not a person or an animal.
    """
    for head in tree.heads(noun):
        subjects = [k for k in tree.under(head, "nsubj") if tree.is_noun(k) and k != noun]
        if subjects:
            return [k for k in subjects[:1] if is_living(tree, k)]
        if tree.is_noun(head) and tree[head].relation in ("ROOT", "nsubj"):
            return [head] if is_living(tree, head) else []
    return []


def is_living(tree: Tree, noun: int) -> bool:
    """Return whether a noun names a person or an animal."""
    return tree[noun].is_person or singular(tree[noun].text.split()[-1]) in ACTORS


def places(tree: Tree, noun: int) -> Iterator[Mention]:
    """Yield the relations that prepositions state between a noun and other nouns: "cat on sofa", "leg of man"."""
    for other in tree.under(noun, "nmod", "obl"):
        preposition = tree.preposition(other)
        if (
            preposition
            and tree[other].role != "nmod:poss"
            and tree[other].text not in NUMBERS
            and preposition not in INSTEAD
        ):
            for target in tree.coordinated(other):
                yield from place(tree, noun, preposition, target)
    for word in tree.under(noun, "amod", "acl"):
        if tree[word].tag.startswith("JJ") and word > noun:
            yield from adjective_places(tree, noun, word)


def adjective_places(tree: Tree, noun: int, adjective: int) -> Iterator[Mention]:
    """Yield facts about a noun from the words after its adjective: "plate full of food"."""
    for other in tree.under(adjective, "obl", "nmod"):
        predicate = "have" if tree[adjective].text == "full" else tree.preposition(other)
        verb = adjective if is_devoid_of(tree, adjective, other) else None  # "free" states the fact in "free of cars"
        if predicate:
            yield from (
                replace(relates(tree, noun, predicate, target), verb=verb) for target in tree.coordinated(other)
            )


def place(tree: Tree, noun: int, preposition: str, target: int) -> Iterator[Mention]:
    """Yield the relation that a preposition states, for a noun and all nouns joined to it by "and"."""
    if preposition == "of":
        yield belonging(tree, noun, target)
        return
    subjects = [s for s in tree.under(noun, "nsubj") if tree.is_noun(s)] if tree.under(noun, "cop") else []
    if preposition == "without" and not subjects and singular(tree[target].text) == tree[target].text:
        subjects = [noun]  # in "a dog and a man without a hat" only the man lacks a hat
    for subject in subjects or tree.company(noun):
        if subject != target and not noun < target < subject:  # "in" is not about the dog: "a man in a shirt and a dog"
            yield from located(tree, subject, preposition, target)


def located(tree: Tree, subject: int, preposition: str, target: int) -> Iterator[Mention]:
    """Yield the fact that a preposition and its noun state.

    The fact is about the thing `subject`, in the wording of the FACTUAL corpus. It is a location, clothing or a
    possession. "in a hat" becomes the relation "wear", and "with a tail" becomes the relation "have".
    """
    name = tree[target].text
    if name in TIMES:
        return
    if name in VIEWPOINTS:
        yield describes(tree, subject, f"{preposition} the {name}", target)
    elif (preposition == "in" and name in WORN_IN) or (preposition == "with" and name in WORN_WITH):
        yield relates(tree, subject, "wear", target)
    else:
        had = preposition == "with" and name in HAD_WITH
        yield relates(tree, subject, "have" if had else preposition, target)


def belonging(tree: Tree, part: int, whole: int) -> Mention:
    """Return the relation between two nouns that "of" joins: "leg of man".

    part, whole: the nouns before and after "of".
    """
    name = tree[part].text
    if name in CONTAINERS:
        return relates(tree, whole, "in", part)
    if name in SURFACES:
        return relates(tree, whole, "on", part)
    return relates(tree, whole, "in", part) if name == "line" else relates(tree, whole, "have", part)

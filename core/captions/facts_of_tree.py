"""Convert a caption's dependency tree to its facts, by the conventions of the FACTUAL corpus.

The corpus (Li et al. 2023, https://aclanthology.org/2023.findings-acl.398) drops articles and keeps plurals. A
predicate is a verb's base form with its preposition. The word "of" becomes "have", number words become digits, and
passives become active.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from core.captions.denial import DEVOID, is_absent, lacked, with_denial
from core.captions.facts import Fact
from core.captions.factual_conventions import NUMBERS, PICTURES, RELATIVES, TIMES, VIEWPOINTS
from core.captions.mention import Mention, describes, relates, stands_alone
from core.captions.noun_rules import Compounds, adjectives, attributes, located, places, possessions
from core.captions.pronouns import PERSONAL, is_further, meaning, names_thing
from core.captions.tree import Tree
from core.captions.verb_rules import clause
from core.captions.word_splitting import singular

HOLDS = frozenset({"with", "have"})  # in "table with food on it", "it" means the thing before these words: the table


def mentions(tree: Tree, compounds: Compounds) -> tuple[Mention, ...]:
    """Return the mentions in a tree, in their order in the caption.

    A mention is a fact with the words that state it. Each fact is returned only once.
    """
    said = [with_meanings(tree, mention) for index in range(len(tree)) for mention in said_at(tree, index, compounds)]
    stated = resolved(tree, said)
    ordered = sorted(stated, key=lambda mention: (min(mention.words), max(mention.words)))
    first: dict[Fact, Mention] = {}
    for mention in ordered:
        if not relates_to_itself(tree, mention):
            first.setdefault(mention.fact, mention)
    found = [with_denial(tree, mention) for mention in first.values()] or whole_things(tree, things_alone(tree))
    denied = {thing for mention in found if not describes_absent(mention) for thing in mention.absent}
    return tuple(mention for mention in found if not (mention.subject in denied and describes_absent(mention)))


def relates_to_itself(tree: Tree, mention: Mention) -> bool:
    """Return whether a mention wrongly relates a thing to itself.

    Such a mention is an error of the parser. Two equal nouns are no error if they name different things: "a dog chases
    another dog".
    """
    if mention.fact.subject != mention.fact.object:
        return False
    if is_further(tree, mention.subject) or is_further(tree, mention.object):
        return False
    one, other = (noun if (noun := meaning(tree, k)) is not None else k for k in (mention.subject, mention.object))
    return one == other or mention.fact.kind != "relation"


def describes_absent(mention: Mention) -> bool:
    """Return whether a mention only describes an absent thing: "red" in "no red cars are parked"."""
    return mention.verb is None and mention.fact.kind == "attribute" and mention.subject in mention.absent


def things_without_facts(tree: Tree, said: Sequence[Mention]) -> tuple[Mention, ...]:
    """Return the things without any fact, such as things that the parser failed to connect.

    Example: "rain" of "a bus waits in the rain". said: the tree's mentions.
    """
    in_facts = {token for mention in said for token in (mention.subject, *mention.words)}
    in_facts |= {noun for k in in_facts if (noun := meaning(tree, k)) is not None}
    alone = (k for k in range(len(tree)) if tree.is_entity(k) and k not in in_facts and meaning(tree, k) is None)
    things = (
        stands_alone(tree, k)
        for k in alone
        if not names_next(tree, k) and tree[k].text not in PICTURES | TIMES | VIEWPOINTS
    )
    return tuple(whole_things(tree, things))


def whole_things(tree: Tree, things: Iterable[Mention]) -> list[Mention]:
    """Return the mentions of single things, and mark the denied ones.

    A mention is left out if the caption denies the thing only at an unknown place. Example: "nobody is near it" does
    not say that nobody is in the picture.
    """
    found = [with_denial(tree, thing) for thing in things]
    return [one for one in found if not (one.absent and has_pronoun_as_place(tree, one.subject))]


def has_pronoun_as_place(tree: Tree, thing: int) -> bool:
    """Return whether the caption states a thing's location only by a pronoun.

    Example: "it" states the location in "nobody is near it".
    """
    head = tree[thing].head
    places = (head, *tree.under(head, "obl", "nmod"))
    return tree[thing].relation == "nsubj" and any(tree[k].seen in PERSONAL and tree.preposition(k) for k in places)


def names_next(tree: Tree, noun: int) -> bool:
    """Return whether a noun may belong to the next noun's name.

    Example: "news" in "news stand".
    """
    return noun + 1 < len(tree) and tree.is_noun(noun + 1) and not tree.under(noun + 1, "det", "case", "cc")


def said_at(tree: Tree, index: int, compounds: Compounds) -> Iterator[Mention]:
    """Yield the facts of one token and its dependents."""
    if tree.is_entity(index):
        yield from attributes(tree, index, compounds)
        yield from possessions(tree, index)
        yield from places(tree, index)
    if tree.is_verb(index):
        yield from (replace(mention, verb=index) for mention in clause(tree, index))
    else:
        yield from (replace(mention, verb=index) for mention in predication(tree, index))


def with_meanings(tree: Tree, mention: Mention) -> Mention:
    """Return the mention with nouns in place of pronouns whose meaning is certain: "girl" for "she"."""
    subject = meaning(tree, mention.subject)
    target = meaning(tree, mention.object) if mention.fact.kind == "relation" else None
    fact = mention.fact
    if subject is not None:
        is_one = tree[mention.subject].seen == "one"  # "one" after "two men" means only one man
        fact = replace(fact, subject=singular(tree[subject].text) if is_one else tree[subject].text)
    if target is not None:
        fact = replace(fact, object=tree[target].text)
    return replace(mention, fact=fact)


def resolved(tree: Tree, stated: list[Mention]) -> list[Mention]:
    """Replace the pronoun in "table with food on it" by its noun, the table.

    The result has the fact ( food , on , table ), but not ( table , with , food ). Relations to other pronouns are
    dropped.
    """
    kept: list[Mention] = []
    spent: set[Mention] = set()
    for mention in stated:
        if mention.fact.kind != "relation" or names_thing(tree, mention.object):
            kept.append(mention)
            continue
        holder = next((h for h in stated if h.object == mention.subject and h.fact.predicate in HOLDS), None)
        if holder:
            spent.add(holder)
            kept.append(relates(tree, mention.subject, mention.fact.predicate, holder.subject))
    return [mention for mention in kept if mention not in spent]


def things_alone(tree: Tree) -> tuple[Mention, ...]:
    """Return the main thing of a caption that states no facts.

    Two things joined by "and" are returned as a relation: the first is next to the second.
    """
    things = [k for k in range(len(tree)) if tree.is_entity(k) and tree[k].text not in PICTURES]
    if not things:
        return ()
    main = next((k for k in things if tree[k].relation == "ROOT"), things[0])
    company = tree.company(main)
    if tree.under(main, "expl") or tree.under(tree[main].head, "expl"):
        return tuple(stands_alone(tree, thing) for thing in company)  # "there are trees and bollards" gives two facts
    if len({is_absent(tree, thing) for thing in company}) > 1:  # "a bus, not a car"
        return tuple(stands_alone(tree, thing) for thing in company)
    if len(company) == 2:
        return (relates(tree, company[0], "next to", company[1]),)
    return (stands_alone(tree, main),)


def predication(tree: Tree, word: int) -> Iterator[Mention]:
    """Yield the facts of a clause without a full verb: "the cat is on the sofa", "the wall is white"."""
    subjects = [k for k in tree.under(word, "nsubj") if tree.is_noun(k)]
    owned = [k for k in subjects if any(tree[of].text == "whose" for of in tree.children[k])]
    nouns = [noun for k in owned or subjects for noun in tree.company(k)]  # "a man whose coat is beige": only "coat"
    nouns = nouns or [k for k in tree.under(word, "nsubj") if meaning(tree, k) is not None]
    relative = any(tree[k].text in RELATIVES for k in tree.under(word, "nsubj"))
    if not nouns and relative and tree.is_noun(tree[word].head) and tree[word].head != word:
        nouns = [tree[word].head]
    for noun in nouns:
        yield from predicated(tree, noun, word)


def predicated(tree: Tree, subject: int, word: int) -> Iterator[Mention]:
    """Yield the facts that the predicate `word` states about one subject."""
    token, preposition = tree[word], tree.preposition(word)
    if preposition and tree.is_noun(word):
        for target in tree.coordinated(word):
            yield from located(tree, subject, preposition, target)
    elif token.seen in PERSONAL:  # "a man is near it", but "the winner is him" states nothing that can be judged
        yield from [relates(tree, subject, preposition, word)] if preposition and names_thing(tree, word) else []
    elif tree.is_noun(word):
        yield from [describes(tree, subject, token.text, word)] if tree.under(word, "cop") else []
    elif token.text in NUMBERS or token.tag == "CD":
        yield describes(tree, subject, NUMBERS.get(token.text, token.text), word)
    else:
        yield from described(tree, subject, word)


def described(tree: Tree, subject: int, word: int) -> Iterator[Mention]:
    """Yield the facts that an adjective or adverb states about a subject: "is white", "is full of food", "is on"."""
    if tree[word].text == "full" and not tree.under(word, "obl", "nmod"):
        yield describes(tree, subject, "full", word)
    if not (tree[word].text in DEVOID and lacked(tree, word)):  # "empty of cars" is no attribute
        yield from adjectives(tree, subject, word)
    for other in tree.under(word, "obl", "nmod"):
        predicate = "have" if tree[word].text == "full" else tree.preposition(other)
        if predicate:
            yield from (relates(tree, subject, predicate, target) for target in tree.coordinated(other))

"""Convert a caption's dependency tree to its facts, by the conventions of the FACTUAL corpus.

The corpus (Li et al. 2023, https://aclanthology.org/2023.findings-acl.398) drops articles and keeps plurals. A
predicate is a verb's base form with its preposition. The word "of" becomes "have", number words become digits, and
passives become active.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from core.captions.reading.denial import DEVOID, INSTEAD, NOT, is_absent, is_devoid_of, is_verb_denied, lacked
from core.captions.reading.facts import Fact
from core.captions.reading.factual import (
    ATTRIBUTES,
    COLOURS,
    CONTAINERS,
    DIRECTIONS,
    DRESSING,
    HOLDING,
    NUMBERS,
    ONLY_PREPOSITIONS,
    PICTURES,
    PLACING,
    PRONOUNS,
    RELATIVES,
    SHADES,
    SURFACES,
    TIMES,
    VAGUE,
    VIEWPOINTS,
    WORN_IN,
    WORN_WITH,
)
from core.captions.reading.lexicon import present_participle
from core.captions.reading.phrases import Mention
from core.captions.reading.tree import PERSONAL, Tree, meaning, names_thing
from core.captions.reading.words import singular, whole_number

SHOWING = frozenset("show depict feature capture portray display reflect".split())  # verbs whose subject is a picture
# Verbs that need more words to state anything.
LIGHT = frozenset("do go try prepare be have wear hold carry look seem appear remain stay".split())


def mentions(tree: Tree) -> tuple[Mention, ...]:
    """Return the mentions (facts with the words that state them) in a tree, in their order in the caption.

    Each fact is returned only once.
    """
    said = [_with_meanings(tree, mention) for index in range(len(tree)) for mention in _said_at(tree, index)]
    named = (one for one in said if one.fact.kind != "relation" or names_thing(tree, one.object))
    first: dict[Fact, Mention] = {}
    for mention in sorted(named, key=lambda mention: (min(mention.words), max(mention.words))):
        if not _relates_to_itself(tree, mention):
            first.setdefault(mention.fact, mention)
    found = [_with_denial(tree, mention) for mention in first.values()]
    plain = [one for one in found if one.verb is not None or one.fact.kind != "attribute"]
    denied = {thing for one in plain for thing in one.absent}  # "red" in "no red cars are parked" is no fact
    return tuple(one for one in found if one in plain or one.subject not in denied) or _main_things(tree)


def things_without_facts(tree: Tree, said: Sequence[Mention]) -> tuple[Mention, ...]:
    """Return the things without any fact, such as "rain" of "a bus waits in the rain". said: the tree's mentions."""
    in_facts = {token for mention in said for token in (mention.subject, *mention.words)}
    in_facts |= {noun for k in in_facts if (noun := meaning(tree, k)) is not None}
    alone = (k for k in range(len(tree)) if tree.is_entity(k) and k not in in_facts and meaning(tree, k) is None)
    return tuple(_alone(tree, k) for k in alone if tree[k].text not in PICTURES | TIMES | VIEWPOINTS)


def _main_things(tree: Tree) -> tuple[Mention, ...]:
    """Return the main thing of a caption that states no facts.

    Two things joined by "and" are returned as a relation: the first is next to the second.
    """
    things = [k for k in range(len(tree)) if tree.is_entity(k) and tree[k].text not in PICTURES]
    if not things:
        return ()
    main = next((k for k in things if tree[k].relation == "ROOT"), things[0])
    company = tree.company(main)
    is_there = tree.under(main, "expl") or tree.under(tree[main].head, "expl")  # "there are trees and bollards"
    if is_there or len({is_absent(tree, thing) for thing in company}) > 1:  # "a bus, not a car"
        return tuple(_alone(tree, thing) for thing in company)
    if len(company) == 2:
        return (_with_denial(tree, _relates(tree, company[0], "next to", company[1])),)
    return (_alone(tree, main),)


def _relates(tree: Tree, subject: int, predicate: str, object: int) -> Mention:
    return Mention(Fact(tree[subject].text, predicate, tree[object].text), subject, (subject, object))


def _describes(tree: Tree, subject: int, attribute: str, *words: int) -> Mention:
    """Return the mention that states an attribute or quantity of a thing. words: the tokens that state it."""
    return Mention(Fact(tree[subject].text, "is", attribute), subject, (subject, *words))


def _alone(tree: Tree, subject: int) -> Mention:
    return _with_denial(tree, Mention(Fact(tree[subject].text), subject, (subject,)))


def _with_denial(tree: Tree, mention: Mention) -> Mention:
    """Return the mention with its absent things, and marked as denied if the caption denies the fact."""
    absent = tuple(thing for thing in mention.things if is_absent(tree, thing))
    target = mention.object
    follows_but = tree[target].relation == "conj" and any(tree[k].text == "but" for k in tree.under(target, "cc"))
    verb = None if follows_but else mention.verb  # "but on the floor" in "not on the desk but on the floor"
    is_denied = bool(absent) or (verb is not None and is_verb_denied(tree, verb))
    return replace(mention, absent=absent, is_denied=is_denied)


def _with_meanings(tree: Tree, mention: Mention) -> Mention:
    """Return the mention with nouns in place of pronouns whose meaning is certain: "girl" for "she"."""
    fact, subject = mention.fact, meaning(tree, mention.subject)
    target = meaning(tree, mention.object) if fact.kind == "relation" else None
    if subject is not None:
        is_one = tree[mention.subject].seen == "one"  # "one" after "two men" means only one man
        fact = replace(fact, subject=singular(tree[subject].text) if is_one else tree[subject].text)
    return replace(mention, fact=fact if target is None else replace(fact, object=tree[target].text))


def _relates_to_itself(tree: Tree, mention: Mention) -> bool:
    """Return whether a mention relates a thing to itself, by an error of the parser."""
    one, other = (noun if (noun := meaning(tree, k)) is not None else k for k in (mention.subject, mention.object))
    return mention.fact.subject == mention.fact.object and (one == other or mention.fact.kind != "relation")


def _said_at(tree: Tree, index: int) -> Iterator[Mention]:
    if tree.is_entity(index):
        yield from _attributes(tree, index)
        for owner in tree.under(index, "nmod:poss"):
            if tree.is_noun(owner):
                yield from (_relates(tree, owner, "have", thing) for thing in tree.company(index))
        yield from _places(tree, index)
    stated = _clause(tree, index) if tree.is_verb(index) else _predication(tree, index)
    yield from (replace(mention, verb=index) for mention in stated)


def _attributes(tree: Tree, noun: int) -> Iterator[Mention]:
    """Yield facts from the words around a noun: "two large brick buildings"."""
    measures = [k for k in tree.children[noun] if tree[k].kind == "measure"]
    is_part = any(whole_number(tree[k].text) is not None for k in measures)  # "seven of the ten bottles": seven bottles
    for word in tree.children[noun]:
        token = tree[word]
        if token.kind == "measure":
            yield from [_describes(tree, noun, token.text, word)] if token.text else []
        elif token.text in NUMBERS or token.relation == "nummod":
            number = NUMBERS.get(token.text, token.text)
            is_amount = tree.preposition(word) in ("", "of")  # "a bench for two" is one bench
            if is_amount and not is_part and whole_number(number) not in (None, 1):
                yield _describes(tree, noun, number, word)
        elif measures and word < measures[0]:
            continue  # in "a large number of birds", "large" does not describe the birds
        elif token.relation == "compound" and word < noun:
            yield from _adjectives(tree, noun, word)
        elif token.relation == "amod" and not (word > noun and tree.under(word, "obl", "nmod")):
            yield from _adjectives(tree, noun, word)


def _adjectives(tree: Tree, noun: int, word: int) -> Iterator[Mention]:
    """Yield an adjective as an attribute of a noun, and the adjectives joined to it by "and"."""
    token = tree[word]
    if token.text in NOT:
        return
    is_shade = token.text in SHADES and word + 1 < noun and tree[word + 1].text in COLOURS  # "light" of "light blue"
    if token.kind != "preposition" and token.text not in VAGUE and not is_shade:
        before = [part for part in tree.under(word, "compound") if part < word and tree[part].text not in VAGUE]
        if word and token.text in COLOURS and tree[word - 1].text in SHADES:
            before = sorted({*before, word - 1})
        parts = [*(tree[part].text for part in before), ATTRIBUTES.get(token.text, token.text)]
        yield _describes(tree, noun, " ".join(parts), *before, word)
    for other in tree.under(word, "conj", "amod"):
        if not tree.under(other, "nsubj"):
            yield from _adjectives(tree, noun, other)


def _places(tree: Tree, noun: int) -> Iterator[Mention]:
    """Yield the relations that prepositions state between a noun and other nouns: "cat on sofa", "leg of man"."""
    for other in tree.under(noun, "nmod", "obl"):
        preposition = tree.preposition(other)
        if not preposition or tree[other].role == "nmod:poss" or tree[other].text in NUMBERS or preposition in INSTEAD:
            continue
        for target in tree.coordinated(other):
            yield from _place(tree, noun, preposition, target)
    for word in tree.under(noun, "amod", "acl"):
        if tree[word].tag.startswith("JJ") and word > noun:
            yield from _filled(tree, noun, word)


def _filled(tree: Tree, noun: int, adjective: int) -> Iterator[Mention]:
    """Yield facts about a noun from the words after its adjective: "plate full of food", "street empty of cars"."""
    for other in tree.under(adjective, "obl", "nmod"):
        predicate = "have" if tree[adjective].text == "full" else tree.preposition(other)
        verb = adjective if is_devoid_of(tree, adjective, other) else None  # "free" states the fact in "free of cars"
        for target in tree.coordinated(other) if predicate else ():
            yield replace(_relates(tree, noun, predicate, target), verb=verb)


def _place(tree: Tree, noun: int, preposition: str, target: int) -> Iterator[Mention]:
    """Yield the relation that a preposition states, for a noun and all nouns joined to it by "and"."""
    if preposition == "of":  # "glass of wine", "plate of food", "leg of man"
        name = tree[noun].text
        predicate = "in" if name in CONTAINERS or name == "line" else "on" if name in SURFACES else "have"
        yield _relates(tree, target, predicate, noun)
        return
    subjects = [s for s in tree.under(noun, "nsubj") if tree.is_noun(s)] if tree.under(noun, "cop") else []
    for subject in subjects or tree.company(noun):
        if subject != target and not noun < target < subject:  # "in" is not about the dog: "a man in a shirt and a dog"
            yield from _located(tree, subject, preposition, target)


def _located(tree: Tree, subject: int, preposition: str, target: int) -> Iterator[Mention]:
    """Yield the fact that a preposition and its noun state about a thing: its location or its clothing."""
    name = tree[target].text
    if name not in TIMES | VIEWPOINTS:
        is_worn = name in {"in": WORN_IN, "with": WORN_WITH}.get(preposition, ())
        yield _relates(tree, subject, "wear" if is_worn else preposition, target)


def _predication(tree: Tree, word: int) -> Iterator[Mention]:
    """Yield the facts of a clause without a full verb: "the cat is on the sofa", "the wall is white"."""
    own = tree.under(word, "nsubj")
    subjects = [k for k in own if tree.is_noun(k)]
    owned = [k for k in subjects if any(tree[of].text == "whose" for of in tree.children[k])]
    nouns = [noun for k in owned or subjects for noun in tree.company(k)]  # "a man whose coat is beige": only "coat"
    nouns = nouns or [k for k in own if meaning(tree, k) is not None]
    is_relative = any(tree[k].text in RELATIVES for k in own) and tree.is_noun(tree[word].head)
    for noun in nouns or [tree[word].head] * is_relative:
        yield from _predicated(tree, noun, word) if noun != word else ()


def _predicated(tree: Tree, subject: int, word: int) -> Iterator[Mention]:
    token, preposition = tree[word], tree.preposition(word)
    if preposition and tree.is_noun(word):
        for target in tree.coordinated(word):
            yield from _located(tree, subject, preposition, target)
    elif token.seen in PERSONAL:  # "a man is near it", but "the winner is him" states nothing that can be judged
        yield from [_relates(tree, subject, preposition, word)] if preposition and names_thing(tree, word) else []
    elif tree.is_noun(word):
        yield from [_describes(tree, subject, token.text, word)] if tree.under(word, "cop") else []
    elif token.text in NUMBERS or token.tag == "CD":
        yield _describes(tree, subject, NUMBERS.get(token.text, token.text), word)
    else:
        if token.text == "full" and not tree.under(word, "obl", "nmod"):
            yield _describes(tree, subject, "full", word)
        if not (token.text in DEVOID and lacked(tree, word)):  # "empty of cars" is no attribute
            yield from _adjectives(tree, subject, word)
        yield from _filled(tree, subject, word)


def _clause(tree: Tree, verb: int) -> Iterator[Mention]:
    """Yield the facts that a full verb states about its subjects."""
    doers = _subjects(tree, verb)
    if any(tree[doer].text in PICTURES for doer in doers) and tree[verb].lemma in SHOWING:
        return  # "the photo shows a canal" says no more than "a canal"
    stated = [mention for doer in doers for mention in _actions(tree, doer, verb)]
    yield from stated
    if not stated and _says_enough_alone(tree, verb):
        yield from (_describes(tree, doer, _participle(tree, verb), verb) for doer in doers)


def _subjects(tree: Tree, verb: int) -> list[int]:
    """Return the subjects of a verb, its own or those of the nearest clause or noun above it in the tree."""
    own = tree.under(verb, "nsubj")
    nouns = [noun for subject in own if tree.is_noun(subject) for noun in tree.company(subject)]
    nouns = nouns or [subject for subject in own if meaning(tree, subject) is not None]
    if nouns or own:
        is_relative = own and tree[own[0]].text in RELATIVES and tree.is_noun(tree[verb].head)
        return nouns or ([tree[verb].head] if is_relative else [])
    for head in tree.heads(verb):
        above = tree.under(head, "nsubj")
        nouns = [noun for subject in above if tree.is_noun(subject) for noun in tree.company(subject)]
        if tree.is_noun(head) and (tree[verb].relation == "acl" or not nouns):
            return tree.company(head)
        if nouns:
            return nouns
        if any(tree[k].text in RELATIVES for k in above) and tree.is_noun(tree[head].head):
            return [tree[head].head]
    return []


def _actions(tree: Tree, doer: int, verb: int) -> Iterator[Mention]:
    """Yield the relations of a verb's subject to its objects, and to the nouns after its prepositions."""
    # The particle "on" is skipped, because the corpus treats it as a preposition.
    particles = "".join(f" {tree[k].text}" for k in tree.under(verb, "compound:prt") if tree[k].text != "on")
    predicate, objects = tree.verb(verb) + particles, _objects(tree, verb, doer)
    for target in objects if not tree.is_be(verb) else ():
        yield _relates(tree, doer, predicate, target)
    for other in tree.under(verb, "obl", "nmod", "obj"):
        preposition = tree.preposition(other)
        if preposition and names_thing(tree, other) and tree[other].text not in TIMES:
            for target in tree.coordinated(other):
                if tree.is_be(verb):  # "there are people on the beach"
                    yield from _located(tree, doer, preposition, target)
                else:
                    yield from _oblique(tree, doer, verb, predicate, preposition, target, objects)


def _objects(tree: Tree, verb: int, doer: int) -> list[int]:
    """Return the verb's objects. In "the hat that the man wears", the object is the noun above the verb."""
    direct = [k for k in tree.under(verb, "obj") if names_thing(tree, k) and not tree.preposition(k)]
    objects = [noun for k in direct for noun in tree.coordinated(k)]
    head = tree[verb].head
    is_gap = tree[verb].role == "acl:relcl" and tree.is_noun(head) and head != doer
    is_gap &= not any(tree[k].text in RELATIVES for k in tree.under(verb, "obl"))  # "on which the cat sits"
    is_gap &= not any(  # "the bench the cat sits on"
        k > verb and tree[k].tag in ("IN", "RP") and not tree.children[k] for k in tree.children[verb]
    )
    return objects or ([head] if is_gap else [])


def _oblique(
    tree: Tree, doer: int, verb: int, predicate: str, preposition: str, target: int, objects: list[int]
) -> Iterator[Mention]:
    """Yield the relation that a verb and a preposition after it state.

    A passive verb becomes active: "chased by a dog" states that the dog chases. If the verb has objects, the fact is a
    location, without the verb. Usually this is the location of the subject. But it is the location of the objects if,
    for example, the subject holds them.
    """
    lemma = tree.verb(verb)
    if preposition == "by" and tree[verb].tag in ("VBN", "VBD") and lemma not in PLACING:
        yield _relates(tree, target, predicate, doer)
    elif lemma in DRESSING and preposition == "in":
        yield _relates(tree, doer, "wear", target)
    elif objects and (lemma in HOLDING | SHOWING or preposition in DIRECTIONS):
        yield from (mention for held in objects for mention in _located(tree, held, preposition, target))
    elif objects and preposition not in ("with", "for"):
        yield from _located(tree, doer, preposition, target)
    else:
        yield _relates(tree, doer, f"{predicate} {preposition}", target)


def _says_enough_alone(tree: Tree, verb: int) -> bool:
    """Return whether a verb without an object says something: yes for "man smiling", no for "man doing it"."""
    is_followed = any(tree.is_verb(k) for k in tree.under(verb, "xcomp")) or bool(tree.under(verb, "obj"))
    is_vague = any(tree[k].text in PRONOUNS and k > verb for k in tree.under(verb, "iobj", "xcomp", "ccomp"))
    is_light = tree.verb(verb) in LIGHT | ONLY_PREPOSITIONS or tree.is_be(verb)
    return not (is_followed or is_vague or is_light)


def _participle(tree: Tree, verb: int) -> str:
    """Return a verb as an attribute: "smiling" for "smiles"."""
    token = tree[verb]  # the tagger may call "white" in "black and white" a verb
    is_one = token.tag in ("VBG", "VBN", "VBD") or token.text in COLOURS
    return token.text if is_one else present_participle(token.lemma)

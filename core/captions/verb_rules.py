"""Facts from a clause with a full verb: who does what to whom, and where."""

from collections.abc import Iterator

from core.captions.factual_conventions import (
    ACTS,
    BODY_PARTS,
    COLOURS,
    COVERING,
    DIRECTIONS,
    DRESSING,
    HOLDING,
    MOVING,
    ONLY_PREPOSITIONS,
    PICTURES,
    PLACING,
    PRONOUNS,
    RELATIVES,
    STRIKING,
    TIMES,
)
from core.captions.mention import Mention, describes, relates
from core.captions.noun_rules import is_living, located
from core.captions.pronouns import meaning, names_thing
from core.captions.tree import Tree
from core.captions.verb_forms import present_participle
from core.captions.word_splitting import singular

SHOWING = frozenset("show depict feature capture portray display reflect".split())  # verbs whose subject is a picture
OF_OWN = frozenset({"one", "both", "each"})  # "one" in "on one arm" means that the arm is the actor's
STATES = frozenset("stand lie lay sit look seem appear remain stay".split())  # "stands empty"
LIGHT = frozenset("do go try prepare be have wear hold carry".split())  # verbs that need more words to state anything


def subjects(tree: Tree, verb: int) -> list[int]:
    """Return the subjects of a verb.

    If the verb has no subject of its own, the subjects are found among the tokens above it in the tree.
    """
    own = tree.under(verb, "nsubj")
    nouns = [noun for subject in own if tree.is_noun(subject) for noun in tree.company(subject)]
    nouns = nouns or [subject for subject in own if meaning(tree, subject) is not None]
    if nouns:
        return nouns
    head = tree[verb].head
    if own:
        relative = tree[own[0]].text in RELATIVES and tree.is_noun(head)
        if relative and tree[own[0]].text == "who":  # "the man in the hat who carries a suitcase": the man carries
            living = (noun for noun in (head, *tree.heads(head)) if tree.is_noun(noun) and is_living(tree, noun))
            head = next(living, head)
        return [head] if relative else []
    return inherited_subjects(tree, verb)


def inherited_subjects(tree: Tree, verb: int) -> list[int]:
    """Return the subjects for a verb that has none of its own.

    They are taken from the nearest clause or noun above the verb in the tree. If only people and animals do what the
    verb says, they are taken from the nearest person or animal above it.
    """
    candidates = list(subjects_above(tree, verb))
    if tree.verb(verb) in ACTS and (tree[verb].tag != "VBN" or tree.verb(verb) in DRESSING):
        actors = [nouns for nouns in candidates if is_living(tree, nouns[0])]
        candidates = actors or candidates
    return candidates[0] if candidates else []


def subjects_above(tree: Tree, verb: int) -> Iterator[list[int]]:
    """Yield possible subjects of a verb, from the nearest clause or noun above it to the root."""
    for head in tree.heads(verb):
        own = tree.under(head, "nsubj")
        nouns = [noun for subject in own if tree.is_noun(subject) for noun in tree.company(subject)]
        if tree.is_noun(head) and (tree[verb].relation == "acl" or not nouns):
            yield tree.company(head)
        if nouns:
            yield nouns
        elif any(tree[k].text in RELATIVES for k in own) and tree.is_noun(tree[head].head):
            yield [tree[head].head]


def clause(tree: Tree, verb: int) -> Iterator[Mention]:
    """Yield the facts that a full verb states about its subjects."""
    doers = subjects(tree, verb)
    if tree.is_be(verb):
        for doer in doers:
            yield from being(tree, doer, verb)
        return
    if any(tree[doer].text in PICTURES for doer in doers) and tree[verb].lemma in SHOWING:
        yield from pictured(tree, verb)
        return
    stated = [mention for doer in doers for mention in (*actions(tree, doer, verb), *results(tree, doer, verb))]
    yield from stated
    if not stated and says_enough_alone(tree, verb):
        yield from (describes(tree, doer, participle(tree, verb), verb) for doer in doers)


def pictured(tree: Tree, verb: int) -> Iterator[Mention]:
    """Yield the relations between things that a photo shows.

    Example: "the photo shows a canal with boats" relates the canal to the boats.
    """
    objects = [noun for k in tree.under(verb, "obj") if tree.is_noun(k) for noun in tree.coordinated(k)]
    for other in tree.under(verb, "obl", "nmod"):
        preposition = tree.preposition(other)
        if preposition and tree.is_noun(other):
            for target in tree.coordinated(other):
                yield from (mention for one in objects for mention in located(tree, one, preposition, target))


def results(tree: Tree, doer: int, verb: int) -> Iterator[Mention]:
    """Yield the state that a verb says a thing is in: "the walls are painted blue", "the hall stands empty"."""
    is_passive = bool(tree.under(verb, "nsubj:pass")) or tree[verb].lemma in STATES
    for word in tree.under(verb, "obj", "xcomp", "advmod") if is_passive else ():
        if tree[word].tag == "JJ" and tree[word].kind == "word" and word == verb + 1:
            yield describes(tree, doer, tree[word].text, word)


def being(tree: Tree, doer: int, verb: int) -> Iterator[Mention]:
    """Yield the location of a thing that is the subject of "be": "there are people on the beach"."""
    for other in tree.under(verb, "obl", "nmod"):
        preposition = tree.preposition(other)
        if preposition and tree.is_noun(other):
            for target in tree.coordinated(other):
                yield from located(tree, doer, preposition, target)


def actions(tree: Tree, doer: int, verb: int) -> Iterator[Mention]:
    """Yield the relations of a verb's subject to its objects, and to the nouns after its prepositions."""
    lemma, objects = tree.verb(verb), objects_of(tree, verb, doer)
    for target in objects:
        yield relates(tree, doer, lemma + particles(tree, verb), target)
    for other in tree.under(verb, "obl", "nmod", "obj"):
        preposition = tree.preposition(other)
        if preposition and names_thing(tree, other) and tree[other].text not in TIMES:
            for target in tree.coordinated(other):
                yield from oblique(tree, doer, verb, preposition, target, objects)


def particles(tree: Tree, verb: int) -> str:
    """Return the particles of a verb: " off" of "takes off".

    The particle "on" is skipped, because the corpus treats it as a preposition.
    """
    return "".join(f" {tree[k].text}" for k in tree.under(verb, "compound:prt") if tree[k].text != "on")


def objects_of(tree: Tree, verb: int, doer: int) -> list[int]:
    """Return the verb's objects.

    In "the hat that the man wears", the object is the noun above the verb.
    """
    direct = [k for k in tree.under(verb, "obj") if names_thing(tree, k) and not tree.preposition(k)]
    objects = [noun for k in direct for noun in tree.coordinated(k)]
    head = tree[verb].head
    is_place = any(tree[k].text in RELATIVES for k in tree.under(verb, "obl"))  # "on which the cat sits" is a place
    gap = tree[verb].role == "acl:relcl" and tree.is_noun(head) and head != doer and not is_place
    is_stranded = any(  # "on" of "the bench the cat sits on"
        k > verb and tree[k].tag in ("IN", "RP") and not tree.children[k] for k in tree.children[verb]
    )
    return objects or ([head] if gap and not is_stranded else [])


def oblique(tree: Tree, doer: int, verb: int, preposition: str, target: int, objects: list[int]) -> Iterator[Mention]:
    """Yield the relation that a verb and a preposition after it state.

    A passive verb becomes active: "chased by a dog" states that the dog chases. If the verb has objects, the fact is a
    location, without the verb. Usually this is the location of the subject. But it is the location of the objects if,
    for example, the subject holds them.
    """
    lemma = tree.verb(verb)
    by_agent = preposition == "by" and tree[verb].tag in ("VBN", "VBD") and lemma not in PLACING
    if by_agent or (lemma in COVERING and preposition in ("in", "with") and not objects):
        yield relates(tree, target, lemma + (particles(tree, verb) if by_agent else ""), doer)
    elif lemma in DRESSING and preposition == "in":
        yield relates(tree, doer, "wear", target)
    elif objects and is_place_of_object(tree, lemma, preposition, target):
        yield from (mention for held in objects for mention in located(tree, held, preposition, target))
    elif objects and preposition not in ("with", "for") and lemma not in STRIKING:
        yield from located(tree, doer, preposition, target)
    else:
        yield relates(tree, doer, f"{lemma}{particles(tree, verb)} {preposition}", target)


def is_place_of_object(tree: Tree, lemma: str, preposition: str, target: int) -> bool:
    """Return whether a location is that of the object, not of the actor.

    Examples: "pours milk into a cup", "carries a cat in her arms".
    """
    if lemma in HOLDING | SHOWING or (preposition in DIRECTIONS and lemma not in MOVING):
        return True
    return preposition != "with" and is_own_part(tree, target)


def is_own_part(tree: Tree, target: int) -> bool:
    """Return whether a noun is a part of the actor's body: "balances a ball on its nose"."""
    owned = bool(tree.under(target, "nmod:poss")) or any(tree[k].text in OF_OWN for k in tree.children[target])
    return owned and singular(tree[target].text) in BODY_PARTS


def says_enough_alone(tree: Tree, verb: int) -> bool:
    """Return whether a verb without an object says something about its subject.

    Examples: yes for "man smiling", no for "man doing it".
    """
    lemma = tree.verb(verb)
    followed = any(tree.is_verb(k) for k in tree.under(verb, "xcomp"))
    vague_object = any(tree[k].text in PRONOUNS and k > verb for k in tree.under(verb, "obj", "iobj", "xcomp", "ccomp"))
    return not followed and not vague_object and not tree.under(verb, "obj") and lemma not in LIGHT | ONLY_PREPOSITIONS


def participle(tree: Tree, verb: int) -> str:
    """Return a verb as an attribute: "smiling" for "smiles"."""
    token = tree[verb]
    if (
        token.tag in ("VBG", "VBN", "VBD") or token.text in COLOURS
    ):  # the tagger may call "white" in "black and white" a verb
        return token.text
    return present_participle(token.lemma)

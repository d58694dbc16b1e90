"""What a sentence about a caption and its picture says of the things it names: that they are there, or are not.

Explanations talk about what is absent: "there is no dog", "the caption does not mention the dog". Whoever looks for
nouns alone takes such a dog for one that is said to be there. Read off a dependency tree, from each noun upwards: every
word on the way that denies what is below turns it round, so that "does not fail to mention the dog" is no lack.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from core.captions import talk
from core.captions.conventions import RELATIVES
from core.captions.tree import HIGHEST_CLIMB, Tree

# said: to be there; denied: said not to be there; lacking: said to be missing in the caption, and so to be there;
# reported: said to be in the caption, with no word on the picture
Stance = Literal["said", "denied", "lacking", "reported"]
DENIALS: tuple[Stance, ...] = ("denied", "lacking")
OF_NOUNS = ("compound", "amod", "nummod")


@dataclass(frozen=True, slots=True)
class NounPhrase:
    """A thing that a sentence names, and what it says of its being there."""

    text: str  # the noun with the nouns before it, e.g. "tennis racket", in lower case
    start: int  # characters of the text: adjectives and numbers before the noun included
    end: int  # exclusive
    stance: Stance


def noun_phrases(tree: Tree) -> tuple[NounPhrase, ...]:
    """Return the things that a sentence names, in their order; nouns that talk of the text itself are left out."""
    nouns = [k for k in range(len(tree)) if _is_thing(tree, k)]
    stances = [_stance(tree, noun) for noun in nouns]
    for place in range(1, len(nouns)):  # lists that the parser has lost
        if stances[place] == "said":
            stances[place] = _of_its_list(tree, nouns, stances, place)
    for place, noun in enumerate(nouns):  # "a jet and a fountain, which are not mentioned"
        if _is_of_several(tree, noun) and stances[place] in DENIALS:
            for other in _list_around(tree, nouns, place):
                stances[other] = stances[place]
    return tuple(
        _phrase(tree, noun, stance)
        for noun, stance in zip(nouns, stances, strict=True)
        if tree[noun].text not in talk.TALK
    )


def _phrase(tree: Tree, noun: int, stance: Stance) -> NounPhrase:
    named = " ".join(tree[k].text for k in (*_right_before(tree, noun, "compound"), noun))
    return NounPhrase(named, *tree.span((*_right_before(tree, noun, *OF_NOUNS), noun)), stance)


def _list_around(tree: Tree, nouns: Sequence[int], place: int) -> range:
    """Return the places of the nouns of the list that one stands in."""
    first = last = place
    while first and _goes_on(tree, nouns[first - 1], nouns[first]):
        first -= 1
    while last + 1 < len(nouns) and _goes_on(tree, nouns[last], nouns[last + 1]):
        last += 1
    return range(first, last + 1)


def _is_of_several(tree: Tree, noun: int) -> bool:
    """Whether a clause after a noun is about more than it: "..., which are"."""
    clauses = [k for k in tree.under(noun, "acl") if any(tree[w].text in RELATIVES for w in tree.under(k, "nsubj"))]
    return any(tree[k].text in ("are", "were") for clause in clauses for k in tree.under(clause, "aux", "cop"))


def _is_thing(tree: Tree, index: int) -> bool:
    """Whether a token names a thing; "the set mentions" has a verb, whatever the tagger says."""
    is_verb = bool(tree.under(index, "nsubj")) and not tree.under(index, "cop", "case")
    after_text = index > 0 and tree[index - 1].text in talk.TEXTS
    is_verb = is_verb or (after_text and tree[index].text[:-1] in talk.TELLING | talk.MISSING | {"share"})
    is_word = not tree[index].tag.startswith("PRP") and tree[index].text not in talk.NOT
    return tree.is_entity(index) and is_word and not is_verb


def _right_before(tree: Tree, noun: int, *relations: str) -> list[int]:
    """Return the dependents that stand right before a noun, without a gap."""
    wanted, place = tree.under(noun, *relations), noun
    while place - 1 in wanted:
        place -= 1
    return list(range(place, noun))


def _of_its_list(tree: Tree, nouns: Sequence[int], stances: Sequence[Stance], place: int) -> Stance:
    """Return what is said of a noun that stands in a list: the same as of the one before, or of what the list is of."""
    noun, left = nouns[place], _words_before(tree, nouns[place])
    if tree[noun].role == "nmod:poss":  # whose it is: "the truck's colour"
        return "said"
    if left[-2:] == ["such", "as"] or left[-1:] == ["including"]:  # "lacks details that help, such as the flag"
        talks = (stances[k] for k in range(place) if tree[nouns[k]].text in talk.TALK and stances[k] in DENIALS)
        return next(talks, "said")
    before = next(
        (k for k in reversed(range(place)) if not tree.under(nouns[k], "case") or _opens_list(tree, nouns[k])), None
    )
    if before is None or stances[before] not in DENIALS or not {",", "or", "nor"} & set(left[-2:]):
        return "said"
    is_apart = any(tree.is_verb(k) or tree[k].text in RELATIVES for k in range(nouns[before] + 1, noun))
    return "said" if is_apart or _is_subject(tree, noun) else stances[before]


def _words_before(tree: Tree, noun: int) -> list[str]:
    """Return the words before a noun and what describes it, without articles."""
    first = min(_right_before(tree, noun, *OF_NOUNS), default=noun)
    return [tree[k].text for k in range(first) if tree[k].text not in talk.ARTICLES or k < first - 2]


def _opens_list(tree: Tree, noun: int) -> bool:
    """Whether a noun with a preposition is what a list begins with: "about the child", "such as the flag"."""
    return bool({"about", "such", "as", "on", "of"} & {tree[k].text for k in tree.under(noun, "case")}) and (
        tree[tree[noun].head].text in talk.TALK or "such" in {tree[k].text for k in tree.under(noun, "case")}
    )


def _is_subject(tree: Tree, noun: int) -> bool:
    return tree[noun].relation == "nsubj" and tree[tree[noun].head].tag in ("VBZ", "VBP", "VBD", "VBG")


def _goes_on(tree: Tree, before: int, noun: int) -> bool:
    """Whether a noun stands in a list right after another one."""
    first = min(_right_before(tree, noun, *OF_NOUNS), default=noun)
    between = [tree[k].text for k in range(before + 1, first)]
    return bool({",", "and", "or"} & set(between)) and talk.IN_LISTS.issuperset(between) and not _is_subject(tree, noun)


@dataclass(frozen=True, slots=True)
class _Way:
    """What was met on the way up from a noun."""

    denied: bool = False
    of_text: bool = False  # it is the caption that lacks it or tells of it
    told: bool = False
    is_definite: bool = False  # "the dog" is there, whatever it is said not to do
    settled: bool = False  # by a clause of its own: "a dog, which is not in the picture"

    def turned(self, times: int = 1, of_text: bool = False) -> "_Way":
        return replace(self, denied=self.denied != bool(times % 2), of_text=self.of_text or of_text)


def _stance(tree: Tree, noun: int) -> Stance:
    way = _up(tree, noun, _Way(is_definite=_is_definite(tree, noun)))
    if way.denied:
        return "lacking" if way.of_text else "denied"
    return "reported" if way.told else "said"


def _is_definite(tree: Tree, noun: int) -> bool:
    owned = tree.under(noun, "nmod:poss")
    return (
        bool(owned)
        or tree[noun].role == "nmod:poss"
        or any(tree[k].text in talk.DEFINITE for k in tree.under(noun, "det"))
    )


def _up(tree: Tree, noun: int, way: _Way) -> _Way:
    """Go up from a noun, and on as far as what is above says something of its being there."""
    way = _among_own_words(tree, noun, way)
    if way.settled:
        return way
    node = noun
    for _ in range(HIGHEST_CLIMB):
        head = tree[node].head
        if head == node:
            return _predicate(tree, node, way) if node == noun else way
        above = _above_noun if _is_thing(tree, head) and not tree.under(head, "cop") else _above_verb
        way, goes_on = above(tree, node, head, way)
        if not goes_on:
            return way
        node = head
    return way


def _among_own_words(tree: Tree, noun: int, way: _Way) -> _Way:
    """Take in "no dog", "not a dog", "without a dog", "instead of a dog", "a dog is missing"."""
    own = [k for k in tree.children[noun] if k < noun]
    words = [tree[k].text for k in own if tree[k].relation in ("det", "cc", "advmod", "nummod")]
    no = any(word in talk.NO for word in words) and not (tree.under(noun, "cop") and "nor" in words)
    is_not = any(tree[k].text == "not" and not _is_partial(tree, k) for k in own) and not tree.under(noun, "cop")
    way = way.turned(no + is_not + _is_without(tree, noun))
    if any(tree[k].text in talk.ABSENT for k in tree.under(noun, "amod")):
        way = way.turned()
    for verb in tree.under(noun, "acl"):
        way = _said_after(tree, verb, way)
    return way


def _said_after(tree: Tree, verb: int, way: _Way) -> _Way:
    """Take in "a dog that is not mentioned", "a dog described in the caption", "a dog missing from the caption"."""
    subjects = tree.under(verb, "nsubj")
    if any(tree[k].text not in RELATIVES for k in subjects) or tree[verb].lemma not in talk.THERE | talk.MISSING:
        return way
    if not subjects and tree[verb].tag != "VBN" and tree[verb].lemma not in talk.MISSING:
        return way
    if tree.under(verb, "obj"):
        return way
    of_text = _of_text_by(tree, verb)
    if tree[verb].lemma in talk.MISSING:
        denied = not _is_negated(tree, verb)
        return replace(way, denied=denied, of_text=of_text or tree[verb].lemma == "omit", settled=denied)
    if _is_negated(tree, verb):
        return replace(way, denied=True, of_text=of_text, settled=True)
    return replace(way, told=way.told or (of_text and tree[verb].tag == "VBN"))


def _above_noun(tree: Tree, node: int, noun: int, way: _Way) -> tuple[_Way, bool]:
    """Go from a noun's dependent to the noun: "no sign of a dog", "a lack of dogs", "no man with a racket"."""
    role, text = tree[node].relation, tree[noun].text
    if role == "conj":
        own = {tree[k].text for k in tree.under(node, "cc")}
        if "but" in own:
            return way, False
        shares = bool({"or", "nor"} & own) or not tree.under(node, "det")
        return (_among_own_words(tree, noun, way) if shares else way), True
    if text in talk.LACKS and role == "nmod":
        way = way.turned(of_text=_belongs_to_text(tree, noun))
        return _among_own_words(tree, noun, replace(way, is_definite=False)), True
    if text in talk.ABOUT and role in ("nmod", "acl"):
        way = replace(way, is_definite=False, of_text=way.of_text or text in talk.OF_THE_TEXT)
        return _among_own_words(tree, noun, way), True
    if way.denied or way.is_definite or role not in ("nmod", "acl", "appos"):
        return way, False
    return _among_own_words(tree, noun, replace(way, is_definite=_is_definite(tree, noun))), True


def _above_verb(tree: Tree, node: int, verb: int, way: _Way) -> tuple[_Way, bool]:
    """Go from a verb's dependent to the verb: "does not mention the dog", "the dog is not visible"."""
    role, lemma = tree[node].relation, tree[verb].lemma
    if role == "nsubj":
        way = _of_subject(tree, node, verb, way)
        return way, tree[verb].relation == "ccomp"
    if role in ("advcl", "parataxis", "vocative") or (role == "conj" and not _shares(tree, node, verb)):
        return way, False
    by = _teller(tree, verb)
    of_text = by == "text" and lemma in talk.TELLING | talk.SHOWING | talk.MISSING
    times = int(_denies(tree, node, verb, by, way))
    times += lemma in talk.MISSING and role in ("obj", "ccomp", "obl")
    times += lemma in talk.FAILING and role == "xcomp"
    times += tree[verb].text in talk.DEVOID and role == "obl"
    times += tree[verb].text in talk.ABSENT and role in ("obj", "dep") and lemma not in talk.MISSING
    times += _is_without(tree, verb)
    way = way.turned(times, of_text)
    if of_text and lemma in talk.TELLING and role in ("obj", "ccomp", "obl"):
        how = {tree[k].text for k in tree.under(verb, "advmod")}
        may = {tree[k].text for place in (verb, tree[verb].head) for k in tree.under(place, "aux")} & talk.MAY
        way = replace(way, told=not (may or how & (talk.RIGHTLY | talk.NOT)) or lemma in talk.MISSING)
    upwards = tree[verb].relation
    if upwards == "conj":
        return way, not _is_negated(tree, verb)
    return way, upwards in ("xcomp", "ccomp") or (upwards == "acl" and not way.denied and not _is_without(tree, verb))


def _of_subject(tree: Tree, node: int, verb: int, way: _Way) -> _Way:
    """Take in what is said of a subject: "is not visible", "is missing", "there are no dogs"."""
    token = tree[verb]
    if token.lemma in talk.MISSING and not tree.under(verb, "obj") or token.text in talk.ABSENT:
        if tree.under(verb, "obj"):
            return way
        return way.turned(1 + _is_negated(tree, verb), of_text=_of_text_by(tree, verb) or token.lemma == "omit")
    if not _is_negated(tree, verb):
        is_told = token.lemma in talk.TELLING and token.tag == "VBN" and _of_text_by(tree, verb)
        return replace(way, told=way.told or (is_told and tree[node].role == "nsubj:pass"))
    in_picture = tree[verb].text in talk.SHOWN | talk.TEXTS and bool(tree.preposition(verb))
    is_passive = tree[node].role == "nsubj:pass" and token.lemma in talk.THERE
    is_there = token.text in talk.THERE or token.lemma in ("appear", "exist") or in_picture
    if tree.under(verb, "expl") or is_passive or is_there:
        return way.turned(of_text=_of_text_by(tree, verb) or tree[verb].text in talk.TEXTS)
    return way


def _denies(tree: Tree, node: int, verb: int, by: str, way: _Way) -> bool:
    """Whether a negated verb takes back the thing below it."""
    if not _is_negated(tree, verb):
        return False
    lemma, role = tree[verb].lemma, tree[node].relation
    if role in ("xcomp", "ccomp", "conj"):
        return True
    if by == "text":
        return lemma in talk.TELLING | talk.SHOWING | talk.MISSING or (lemma == "be")
    if by == "picture":
        return lemma in talk.SHOWING | talk.MISSING | talk.TELLING
    return not way.is_definite and role in ("obj", "obl") or tree[verb].text in talk.DEVOID


def _predicate(tree: Tree, noun: int, way: _Way) -> _Way:
    """Take in "it is not a dog"."""
    is_denied = bool(tree.under(noun, "cop")) and _is_negated(tree, noun)
    return way.turned(int(is_denied and not (way.is_definite and tree.preposition(noun))))


def _shares(tree: Tree, verb: int, first: int) -> bool:
    """Whether a verb goes on with the one before it: "does not mention the dog or describe the cat"."""
    if tree.under(verb, "nsubj"):
        return False
    own = {tree[k].text for k in tree.under(verb, "cc")}
    return bool({"or", "nor"} & own) or (tree[verb].tag == "VB" == tree[first].tag and "but" not in own)


def _is_negated(tree: Tree, verb: int) -> bool:
    nots = [k for k in tree.children[verb] if tree[k].text in talk.NOT and not _is_partial(tree, k)]
    before = verb
    while before and (tree[before - 1].relation in ("aux", "advmod") or tree[before - 1].text == "cannot"):
        before -= 1
        nots += [before] if tree[before].text == "cannot" and before not in nots else []
    partly = any(tree[k].text in talk.PARTLY and nots and k > min(nots) for k in tree.under(verb, "advmod"))
    return len(nots) % 2 == 1 and not partly


def _is_partial(tree: Tree, word: int) -> bool:
    return word + 1 < len(tree) and tree[word + 1].text in talk.PARTLY


def _is_without(tree: Tree, word: int) -> bool:
    """Whether a word stands behind "without", "instead of" and their like."""
    before = [k for k in tree.under(word, "case", "mark", "cc") if k < word]
    marks = sorted({part for k in before for part in (k, *tree.under(k, "fixed"))})
    written = " ".join(tree[k].text for k in marks)
    return any(tree[k].text in talk.WITHOUT for k in marks) or any(phrase in written for phrase in talk.INSTEAD)


def _teller(tree: Tree, verb: int) -> str:
    """Return whose verb it is: "text", "picture" or "other"; a participle has that of the verb above it."""
    for _ in range(HIGHEST_CLIMB):
        subjects = [
            k for k in tree.under(verb, "nsubj", "expl") if tree[k].text != "there"
        ]  # "it" may seem to say nothing
        if subjects:
            return _kind(tree, subjects[0])
        if tree[verb].head == verb:
            return "other"
        above = tree[verb].head
        if tree[verb].relation == "acl" and tree.is_noun(above):
            return _kind(tree, above)
        verb = above
    return "other"


def _kind(tree: Tree, noun: int) -> str:
    text = tree[noun].text
    if text in RELATIVES:
        verb = tree[noun].head
        return _kind(tree, tree[verb].head) if tree[verb].relation == "acl" and tree[verb].head != verb else "other"
    return "text" if text in talk.TEXTS else "picture" if text in talk.SHOWN else "other"


def _of_text_by(tree: Tree, verb: int) -> bool:
    """Whether it is the caption in which something is told or missing, not the picture."""
    where = {_kind(tree, k) for k in tree.under(verb, "obl", "nmod")}
    if where & {"text", "picture"}:
        return "text" in where and "picture" not in where
    return tree[verb].lemma in talk.TELLING - talk.SHOWING


def _belongs_to_text(tree: Tree, noun: int) -> bool:
    owners = tree.under(noun, "nmod")
    if any(tree[k].text in talk.TEXTS for k in owners):
        return True
    head = tree[noun].head
    return head != noun and tree.is_verb(head) and _teller(tree, head) == "text"

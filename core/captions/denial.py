"""Denials of a caption: which facts it denies, which things it calls absent, and which of its words say so.

Examples are "no dog", "a man not wearing a hat", "nobody" and "a street empty of cars". Whether a thing is absent is
found in the dependency tree, upwards from the thing's noun. Every denying word on the way reverses the result.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.captions.factual_conventions import ARTICLES, PICTURES
from core.captions.mention import Mention
from core.captions.tree import HIGHEST_CLIMB, Tree

NO = frozenset("no neither nor zero".split())  # before a noun
NOT = frozenset("not n't never neither nor cannot".split())  # before a verb
PARTLY = frozenset(  # "not" before these words does not deny the thing: "not only a dog"
    "only just simply merely necessarily all every always entirely fully completely accurately precisely correctly "
    "clearly adequately properly exactly perfectly effectively quite directly sufficiently well truly really".split()
)
WITHOUT = frozenset("without minus sans excluding lacking omitting".split())
INSTEAD = ("instead of", "rather than", "opposed to", "in place of", "contrary to")
LACKS = frozenset("lack absence omission shortage exclusion".split())  # "a lack of cars"
SIGNS_OF = frozenset("sign evidence trace indication presence number".split())  # "no sign of a dog"
LACKING = frozenset("lack miss".split())  # verbs: "the table lacks a chair"
REFUSING = frozenset("fail neglect forget refrain avoid omit refuse decline".split())  # deny the verb after them
ABSENT = frozenset("absent missing invisible lacking".split())
THERE = frozenset("visible present there seen shown found evident exist appear".split())
DEVOID = frozenset("devoid void free bereft empty emptied clear cleared bare stripped vacant".split())  # before "of"
DEFINITE = frozenset("the this that these those his her its their".split())
NOBODY = {"nobody": "people", "anybody": "people", "anyone": "people"}  # pronoun -> the things that are absent
DENYING = NO | NOT | WITHOUT | DEVOID | {"nobody", "none"}  # words that deny something in the caption itself


def have_denial(texts: Sequence[str]) -> bool:
    """Return whether words contain a denial. "Empty" denies something only before "of": "empty of cars"."""
    after = (*texts[1:], "")
    return any(
        text in DENYING and (text not in DEVOID or following in ("of", "from"))
        for text, following in zip(texts, after, strict=False)
    )


def with_denial(tree: Tree, mention: Mention) -> Mention:
    """Return the mention (a fact with its words), marked as denied if the caption denies the fact.

    A denied mention also names the absent things.
    """
    absent = tuple(thing for thing in mention.things if is_absent(tree, thing))
    if len(absent) > 1 and mention.fact.predicate in WITHOUT:
        absent = absent[:1]  # "nobody is without a hat" denies no hat
    target = mention.object
    follows_but = tree[target].relation == "conj" and any(tree[k].text == "but" for k in tree.under(target, "cc"))
    verb = None if follows_but else mention.verb  # "but on the floor" in "not on the desk but on the floor"
    is_denied = bool(absent) or (verb is not None and is_verb_denied(tree, verb))
    return replace(mention, absent=absent, is_denied=is_denied) if is_denied else mention


def is_absent(tree: Tree, thing: int) -> bool:
    """Return whether the caption says that a thing is absent."""
    if tree[thing].text == "nobody" or any(tree[k].text in ("not", "n't") for k in tree.under(thing, "amod")):
        return True
    return _denials(tree, thing) % 2 == 1 and not _is_in_name(tree, thing)


def _is_in_name(tree: Tree, thing: int) -> bool:
    """Return whether "no" belongs to the thing's name, as in "a no parking sign"."""
    nos = [k for k in range(thing) if tree[k].text in NO and tree[k].head == thing]
    return any(k and tree[k - 1].text in ARTICLES for k in nos)


def _denials(tree: Tree, thing: int) -> int:
    """Return how many words on the way up from a noun deny that its thing is there."""
    count, is_definite, node = _own(tree, thing), _is_definite(tree, thing), thing
    for _ in range(HIGHEST_CLIMB):
        head, role = tree[node].head, tree[node].relation
        if head == node:
            is_predicate = node == thing and bool(tree.under(node, "cop"))  # "it is not a dog"
            return count + (is_predicate and is_negated(tree, node) and not (is_definite and tree.preposition(node)))
        if tree.is_entity(head) and not tree.under(head, "cop"):
            joining = {tree[k].text for k in tree.under(node, "cc")}
            if role == "conj" and "but" in joining:
                return count
            if role == "conj":
                shares = bool({"or", "nor"} & joining) or not tree.under(node, "det")
                count += _own(tree, head) if shares and not ("nor" in joining and count % 2) else 0
            elif tree[head].text in LACKS | SIGNS_OF and role in ("nmod", "acl"):
                count, is_definite = count + (tree[head].text in LACKS) + _own(tree, head), False
            elif count % 2 or is_definite or role not in ("nmod", "acl", "appos"):
                return count
            else:  # "no" in "no man with a racket" denies the racket
                count, is_definite = count + _own(tree, head), _is_definite(tree, head)
        else:
            more, goes_on = _by_verb(tree, node, head, is_definite)
            count += more
            if not goes_on or (tree[head].relation == "acl" and (count % 2 or is_without(tree, head))):
                return count
        node = head
    return count


def _own(tree: Tree, noun: int) -> int:
    """Count the denials among the words that depend on a noun: "no dog", "not a dog", "instead of a dog"."""
    own = [k for k in tree.children[noun] if k < noun]
    words = [tree[k].text for k in own if tree[k].relation in ("det", "cc", "advmod", "nummod")]
    is_predicate = bool(tree.under(noun, "cop"))
    no = bool(NO & set(words)) and not (is_predicate and "nor" in words)
    is_not = not is_predicate and any(tree[k].text == "not" and not _is_partial(tree, k) for k in own)
    return no + is_not + is_without(tree, noun) + any(tree[k].text in ABSENT for k in tree.under(noun, "amod"))


def _by_verb(tree: Tree, node: int, verb: int, is_definite: bool) -> tuple[int, bool]:
    """Count the denials of a thing by a verb or predicate, and return whether to go further up the tree."""
    role, token = tree[node].relation, tree[verb]
    if role == "nsubj":
        return _of_subject(tree, verb), token.relation == "ccomp"
    if role in ("advcl", "parataxis", "vocative") or (role == "conj" and not continues(tree, node, verb)):
        return 0, False
    is_lacked = is_devoid_of(tree, verb, node)
    negated = is_negated(tree, verb)
    denies = negated and (
        role in ("xcomp", "ccomp", "conj") or (not is_definite and role in ("obj", "obl")) or is_lacked
    )
    count = denies + is_lacked + is_without(tree, verb)
    count += token.lemma in LACKING and role in ("obj", "ccomp", "obl")
    count += token.lemma in REFUSING and role == "xcomp"
    if token.relation == "conj":
        return count, not negated
    return count, token.relation in ("xcomp", "ccomp", "acl")


def _of_subject(tree: Tree, verb: int) -> int:
    """Count what a predicate says about its subject: "is missing", "is not visible", "there are not any dogs"."""
    token, negated = tree[verb], is_negated(tree, verb)
    if (token.lemma in LACKING or token.text in ABSENT) and not tree.under(verb, "obj"):
        return 1 + negated
    in_picture = token.text in PICTURES and bool(tree.preposition(verb))
    return int(negated and (bool(tree.under(verb, "expl")) or token.text in THERE or in_picture))


def _is_definite(tree: Tree, noun: int) -> bool:
    is_owned = bool(tree.under(noun, "nmod:poss")) or tree[noun].role == "nmod:poss"
    return is_owned or any(tree[k].text in DEFINITE for k in tree.under(noun, "det"))


def is_negated(tree: Tree, verb: int) -> bool:
    """Return whether an odd number of words like "not" belong to a verb. Partial denials ("not only") do not count."""
    nots = [k for k in tree.children[verb] if tree[k].text in NOT and not _is_partial(tree, k)]
    before = verb
    while before and (tree[before - 1].relation in ("aux", "advmod") or tree[before - 1].text == "cannot"):
        before -= 1
        nots += [before] if tree[before].text == "cannot" and before not in nots else []
    partly = any(tree[k].text in PARTLY and nots and k > min(nots) for k in tree.under(verb, "advmod"))
    return len(nots) % 2 == 1 and not partly


def _is_partial(tree: Tree, word: int) -> bool:
    return word + 1 < len(tree) and tree[word + 1].text in PARTLY


def is_without(tree: Tree, word: int) -> bool:
    """Return whether a word depends on "without", "instead of" or a similar word before it."""
    before = [k for k in tree.under(word, "case", "mark", "cc") if k < word]
    marks = sorted({part for k in before for part in (k, *tree.under(k, "fixed"))})
    written = " ".join(tree[k].text for k in marks)
    return any(tree[k].text in WITHOUT for k in marks) or any(phrase in written for phrase in INSTEAD)


def is_devoid_of(tree: Tree, word: int, thing: int) -> bool:
    """Return whether a word such as "empty" says that a place lacks a thing: "empty of cars", "free from snow"."""
    return tree[word].text in DEVOID and thing in lacked(tree, word)


def lacked(tree: Tree, word: int) -> list[int]:
    """Return the nouns after "of" or "from" that depend on a word: "cars" of "empty of cars"."""
    return [k for k in tree.under(word, "obl", "nmod") if tree.preposition(k) in ("of", "from")]


def continues(tree: Tree, verb: int, first: int) -> bool:
    """Return whether a verb continues an earlier verb of the same clause, so that "not" applies to both."""
    if tree.under(verb, "nsubj"):
        return False
    own = {tree[k].text for k in tree.under(verb, "cc")}
    return bool({"or", "nor"} & own) or (tree[verb].tag == "VB" == tree[first].tag and "but" not in own)


def is_verb_denied(tree: Tree, verb: int) -> bool:
    """Return whether a verb or predicate is denied, by its own words or by the verb above it in the tree."""
    if is_negated(tree, verb):
        return True
    above = tree[verb].head
    if above == verb:
        return False
    if tree[verb].relation == "xcomp" and tree[above].lemma in REFUSING:
        return not is_verb_denied(tree, above)
    shares = tree[verb].relation == "xcomp" or (tree[verb].relation == "conj" and continues(tree, verb, above))
    return shares and is_verb_denied(tree, above)


def denied_span(tree: Tree, mention: Mention) -> tuple[int, int]:
    """Return the (start, end) of a denial in the caption, in characters: "not wearing a hat".

    A denial reaches from the denying word to the last denied word. mention: a denied fact with its words in the
    caption. If the caption says that things are absent, only the things are denied: "no people" of "no people walk".
    Otherwise the verb is denied, with the words after it. Without a denying word, returns the position of the mention's
    words.
    """
    verb = mention.verb
    follows_verb = (
        verb is not None and tree.is_verb(verb) and any(tree[k].text in ("not", "n't") for k in tree.children[verb])
    )
    if mention.absent and not follows_verb:
        words = sorted(mention.absent)
    else:
        words = sorted(mention.words if verb is None else (*mention.words, verb))
    starts = [k for k in range(words[-1] + 1) if tree[k].text in DENYING or tree[k].lemma in REFUSING]
    near = [k for k in starts if k <= words[0]] if mention.absent else starts
    if not (near or starts):
        return tree.span(mention.words)
    first = max(near or starts)
    if tree[first].text == "nor" and len(mention.absent) > 1:
        first = min(starts)
    if first and tree[first - 1].end == tree[first].start:
        first -= 1  # include "is" of "isn't", because the parser splits this word into "is" and "n't"
    return tree[first].start, tree[words[-1]].end

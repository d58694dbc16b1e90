"""Which words a sentence denies, and whether the sentence is about the caption or the picture."""

from core.captions import meta_words
from core.captions.factual_conventions import RELATIVES
from core.captions.tree import HIGHEST_CLIMB, Tree


def is_negated(tree: Tree, verb: int) -> bool:
    """Return whether a verb is denied.

    It is denied if an odd number of words like "not" belong to it. A denial that is only partial ("not only") does not
    count.
    """
    nots = [k for k in tree.children[verb] if tree[k].text in meta_words.NOT and not is_partial(tree, k)]
    before = verb
    while before and (tree[before - 1].relation in ("aux", "advmod") or tree[before - 1].text == "cannot"):
        before -= 1
        nots += [before] if tree[before].text == "cannot" and before not in nots else []
    partly = any(tree[k].text in meta_words.PARTLY and nots and k > min(nots) for k in tree.under(verb, "advmod"))
    return len(nots) % 2 == 1 and not partly


def is_partial(tree: Tree, word: int) -> bool:
    """Return whether a denial is only partial: "not only", "not entirely"."""
    return word + 1 < len(tree) and tree[word + 1].text in meta_words.PARTLY


def is_without(tree: Tree, word: int) -> bool:
    """Return whether a word depends on "without", "instead of" or a similar word before it."""
    before = [k for k in tree.under(word, "case", "mark", "cc") if k < word]
    marks = sorted({part for k in before for part in (k, *tree.under(k, "fixed"))})
    written = " ".join(tree[k].text for k in marks)
    return any(tree[k].text in meta_words.WITHOUT for k in marks) or any(
        phrase in written for phrase in meta_words.INSTEAD
    )


def is_devoid_of(tree: Tree, word: int, thing: int) -> bool:
    """Return whether a word such as "empty" says that a place lacks a thing: "empty of cars", "free from snow"."""
    return tree[word].text in meta_words.DEVOID and thing in lacked(tree, word)


def lacked(tree: Tree, word: int) -> list[int]:
    """Return the nouns after "of" or "from" that depend on a word: "cars" of "empty of cars"."""
    return [k for k in tree.under(word, "obl", "nmod") if tree.preposition(k) in ("of", "from")]


def teller(tree: Tree, verb: int) -> str:
    """Return the kind of a verb's subject: who "says" or "shows" something.

    The kind is "text" (the caption), "picture" or "other". A verb without a subject takes the subject of the verb or
    noun above it in the tree.
    """
    for _ in range(HIGHEST_CLIMB):
        # The parser marks some subjects as "expl", such as "it". "It" may mean the caption, but "there" never does.
        subjects = [k for k in tree.under(verb, "nsubj", "expl") if tree[k].text != "there"]
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
    return "text" if text in meta_words.TEXTS else "picture" if text in meta_words.SHOWN else "other"


def of_text_by(tree: Tree, verb: int) -> bool:
    """Return whether a verb says that the caption, not the picture, mentions or lacks a thing."""
    where = {_kind(tree, k) for k in tree.under(verb, "obl", "nmod")}
    if where & {"text", "picture"}:
        return "text" in where and "picture" not in where
    return tree[verb].lemma in meta_words.TELLING - meta_words.SHOWING


def belongs_to_text(tree: Tree, noun: int) -> bool:
    """Return whether a noun such as "lack" is about the caption: "the lack of a dog in the caption"."""
    owners = tree.under(noun, "nmod")
    if any(tree[k].text in meta_words.TEXTS for k in owners):
        return True
    head = tree[noun].head
    return head != noun and tree.is_verb(head) and teller(tree, head) == "text"

"""Facts that relate several things to one another: "two dogs sit together", "a cat and a dog lie side by side"."""

from collections.abc import Iterator

from core.captions.mention import Mention, relates
from core.captions.pronouns import EACH_OTHER, meaning
from core.captions.tree import Tree

TOGETHER = frozenset("stand sit lay lie walk pose park huddle".split())  # with these, "together" means "next to"


def near_each_other(tree: Tree, doer: int, verb: int) -> Iterator[Mention]:
    """Yield the relations between the subjects of a verb.

    If the verb has only one subject, in the plural, the relation has this noun on both sides: "two dogs sit together"
    relates the dogs to the dogs. If two subjects are joined, the first relates to the second.
    """
    company = tree.company(doer)
    for word in tree.children[verb]:
        place = _place(tree, verb, word)
        if place and len(company) == 1 and tree[word].text not in EACH_OTHER and meaning(tree, word) is not None:
            yield relates(tree, doer, f"{tree.verb(verb)} {place}", word)
        elif place and len(company) == 2 and doer == company[0]:
            yield relates(tree, doer, f"{tree.verb(verb)} {place}", company[1])


def _place(tree: Tree, verb: int, word: int) -> str:
    """Return the preposition that a word after a verb replaces, or "".

    Example: in "sit together", "together" replaces "next to".
    """
    text = tree[word].text
    if word < verb:
        return ""
    if text in EACH_OTHER:
        return tree.preposition(word)
    if text == "together" and tree.verb(verb) in TOGETHER:
        return "next to"
    return "side by side with" if text == "side by side" else ""

"""Find which characters of a caption a denial covers.

Example: in "a man in a coat, not wearing a hat", the denial covers "not wearing a hat".
"""

from core.captions.denied_facts import REFUSING
from core.captions.mention import Mention
from core.captions.shown_words import DENYING
from core.captions.tree import Tree


def denied_span(tree: Tree, mention: Mention) -> tuple[int, int]:
    """Return the (start, end) of a denial in the caption, in characters.

    A denial reaches from the denying word to the last denied word. mention: a denied fact with its words in the
    caption. If the caption says that things are absent, only the things are denied: "no people" of "no people walk".
    Otherwise the verb is denied, with the words after it. Without a denying word, returns the position of the mention's
    words.
    """
    if mention.absent and not _follows_verb(tree, mention):
        words = sorted(mention.absent)
    else:
        words = sorted(mention.words if mention.verb is None else (*mention.words, mention.verb))
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


def _follows_verb(tree: Tree, mention: Mention) -> bool:
    """Return whether a denying word before the verb denies it: "not wearing a hat", "does not hold a bag"."""
    verb = mention.verb
    return verb is not None and tree.is_verb(verb) and any(tree[k].text in ("not", "n't") for k in tree.children[verb])

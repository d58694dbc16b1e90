"""Find the things that an explanation's sentence names, what it says about them, and where they are.

A thing is in the picture, in the caption, or in neither. Things are found by the labels of the picture's regions, as in
the variant of HICE-S that compares captions with labels. No model weights are needed for this, but only things that
people have annotated can be found. Explanations also name absent things: "there is no dog", "the caption does not
mention the dog". Three expressions tell such sentences: words that deny what follows, words that deny what is before
them, and words about the caption.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Literal

from core.captions.judging.scene import LabelledScene
from core.captions.reading.factual import PICTURES
from core.captions.reading.tree import Tree

# What a text says about a thing. said: it is in the picture. denied: it is not in the picture. lacking: it is in the
# picture, but the caption does not mention it. reported: only that the caption mentions it.
Stance = Literal["said", "denied", "lacking", "reported"]
# picture: a region shows the thing; caption: only the caption names the thing; nowhere: neither is true.
# unknown: no region shows the thing, but annotators did not search for such a thing.
Where = Literal["picture", "caption", "nowhere", "unknown"]

NOT_THINGS = PICTURES | frozenset(  # nouns that name nothing in a picture
    "absence accuracy action actions activities activity addition aspect aspects candidate candidates caption captions "
    "clarity clear content contents context description descriptions descriptiveness detail details element elements "
    "essence evidence example explanation fact facts feature features fluency fluent focus foreground grammar image "
    "images inclusion indication information instance it key lack language likelihood manner meaning mention omission "
    "overall part parts photos phrase phrases pictures point points presence reference references relevance scene "
    "scenes score scores sense sentence set setting sets settings sign statement structure subject subjects text trace "
    "understanding visual visuals way word wording words".split()
)
_TELLING = (
    r"(?:mention|describ|includ|specif|provid|note|acknowledg|convey|reflect|stat(?:e|ing)|address|say|tell|identif|"
    r"offer|indicat|highlight|refer|cover|list|nam(?:e|ing)|captur|elaborat|explain|account)\w*"
)
DENIES_NEXT = re.compile(
    r"(?:\b(?:no|not|never|neither|cannot|without|lack(?:s|ing)?|omit\w*|miss(?:es|ing)(?! from)|fail\w*|ignor\w*|"
    r"neglect\w*|exclud\w*|instead of|rather than)\b|n't\b)(?! (?:only|just|fully|entirely|accurately|adequately))"
)
DENIES_BEFORE = re.compile(
    r"(?:\b(?:is|are|was|were|be|can|which|that)\b[^,.;]{0,8}(?:\bnot\b|n't\b|not\b)[^,.;]{0,12}"
    rf"\b(?:{_TELLING}|visible|seen|shown|present|evident|there|(?:in|on) the (?:image|picture|photo|caption))"
    r"|\b(?:is|are|was|were|,|which)? ?\b(?:missing|absent|omitted)\b(?: from\b|[^\w]*$))"
)
OF_CAPTION = re.compile(
    rf"\b(?:caption|description|candidate|sentence|text|reference)\b|\b{_TELLING}|"
    r"\b(?:information|details?) (?:of|about|on)\b"
)
_CLAUSE = re.compile(r",? \b(?:but|while|whereas|although|though|however|because)\b|;|, and (?:the|it)\b")
_DEFINITE = re.compile(r"\b(?:the|this|these|that|those|his|her|its|their)(?: [\w-]+){0,2} ?$")


@dataclass(frozen=True, slots=True)
class Hint:
    """A thing that a sentence names, what the sentence says about it, and where the thing is."""

    text: str  # the noun with the nouns before it, e.g. "tennis racket", in lower case
    start: int  # index of the first character of the noun or of its adjectives and numbers
    end: int  # exclusive
    stance: Stance
    where: Where = "unknown"
    regions: tuple[int, ...] = ()  # indices of the thing's regions among the picture's regions


def named_in(text: str, tree: Tree) -> tuple[Hint, ...]:
    """Return the things that a sentence names, in the sentence's order. tree: of the sentence, within the text."""
    found = []
    for noun in range(len(tree)):
        if not tree.is_entity(noun) or tree[noun].text in NOT_THINGS or _is_verb(tree, noun):
            continue
        first = _first_of(tree, noun, "compound", "amod", "nummod")
        named = " ".join(tree[k].text for k in range(_first_of(tree, noun, "compound"), noun + 1))
        start, end = tree[first].start, tree[noun].end
        found.append(Hint(named, start, end, stance_of(text, tree[0].start, start, end, tree[-1].end)))
    return tuple(found)


def _is_verb(tree: Tree, noun: int) -> bool:
    """Return whether a word that is tagged as a noun is a verb, as "mentions" in "the caption mentions"."""
    has_subject = bool(tree.under(noun, "nsubj")) and not tree.under(noun, "cop", "case")
    return has_subject or tree[noun].tag.startswith("PRP") or tree[noun].text in ("not", "no", "cannot")


def _first_of(tree: Tree, noun: int, *relations: str) -> int:
    wanted, place = tree.under(noun, *relations), noun
    while place - 1 in wanted:
        place -= 1
    return place


def stance_of(text: str, first: int, start: int, end: int, last: int) -> Stance:
    """Return what a sentence, from `first` to `last`, says about the thing from `start` to `end`."""
    sentence = text[first:last].lower()
    edges = [0, *(match.start() for match in _CLAUSE.finditer(sentence)), len(sentence)]
    begin = max(edge for edge in edges if edge <= start - first)
    stop = min(edge for edge in edges if edge >= end - first)
    before, after = sentence[begin : start - first], sentence[end - first : stop]
    is_of_caption = bool(OF_CAPTION.search(before))
    denials = list(DENIES_NEXT.finditer(before))
    is_of_picture = re.search(r"\b(?:image|picture|photo)\b", before) is not None
    if denials and _DEFINITE.search(before) and not (is_of_caption or is_of_picture):
        denials = []  # "no dog on the sofa" does not deny the sofa
    is_denied = len(denials) % 2 == 1
    if not denials and (behind := DENIES_BEFORE.search(after)):
        is_denied, is_of_caption = True, bool(OF_CAPTION.search(behind[0]) or "caption" in after)
    if is_denied:
        return "lacking" if is_of_caption else "denied"
    is_told = re.search(rf"\b(?:caption|description|it)\b.*\b{_TELLING}", before) is not None
    is_right = re.search(r"\b(?:accurately|correctly|rightly|fully|could|should|adding)\b", before) is not None
    return "reported" if is_told and not is_right and not is_of_picture else "said"


def hints(named: Iterable[Hint], caption: Iterable[str], scene: LabelledScene) -> tuple[Hint, ...]:
    """Return each thing that a sentence names, and where it is: picture, caption or neither.

    named: the things that the sentence names. caption: the nouns of the caption. scene: the picture's labels. If the
    picture has no labels, the result is empty.
    """
    nouns = tuple(caption)
    return tuple(_hint(one, nouns, scene) for one in named) if scene.labels else ()


def _hint(one: Hint, caption: tuple[str, ...], scene: LabelledScene) -> Hint:
    if regions := tuple(sorted(scene.regions_of(one.text))):
        return replace(one, where="picture", regions=regions)
    if scene.there(one.text) != "incorrect":  # annotators may not have looked for this thing
        return one
    is_named = any(scene.same_thing(one.text, noun) for noun in caption)
    return replace(one, where="caption" if is_named else "nowhere")

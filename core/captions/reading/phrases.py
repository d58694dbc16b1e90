"""Phrases of a caption, and the interface of phrase extractors.

A fact that a dependency tree states (a mention) becomes a phrase: the fact, its position, and the caption's own words
for it: "man is not wearing hat", "tea cup", "two men".
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, Protocol

from core.captions.reading.denial import DENYING, NO, NOBODY, NOT
from core.captions.reading.facts import Fact
from core.captions.reading.factual import ADJECTIVES, DRESSING, NUMBERS, SHADES
from core.captions.reading.tree import PARTS_OF_NOUNS, Tree, meaning
from core.captions.reading.words import singular
from core.types import Claim

PhraseKind = Literal["relation", "attribute", "entity", "caption", "denied"]
# Words that describe a thing but do not belong to its name, even if the parser takes them for nouns: "a light mane".
NOT_OF_NAMES = ADJECTIVES | SHADES | {"male", "female"}


@dataclass(frozen=True, slots=True)
class NamedThing:
    """An object that a phrase names."""

    text: str  # the fact's word for the thing, e.g. "cake"
    span: tuple[int, int]  # character positions of the noun and the nouns before it; start inclusive, end exclusive
    full: str = ""  # the thing with the nouns before it, in the caption's words, e.g. "birthday cake"; "" if unknown


@dataclass(frozen=True, slots=True)
class CaptionPhrase:
    """A phrase in which a caption describes its picture."""

    text: str  # text to compare with the picture, e.g. "dog sit on sofa"; verbs may be lemmas; never empty
    span: tuple[int, int]  # characters of the caption: start inclusive, end exclusive
    kind: PhraseKind  # the fact's kind (relation triplet, attribute, lone entity, denied fact), or the whole caption
    fact: Fact | None = None  # the fact; None for the whole caption
    things: tuple[NamedThing, ...] = ()  # the fact's subject and, for a relation, its object
    absent: tuple[NamedThing, ...] = ()  # the fact's things that the caption calls absent
    shown: str = ""  # the fact in the caption's own words, e.g. "no dog"; "" if unknown
    denied: tuple[int, int] | None = None  # characters from the denying word to the end of what it denies

    @property
    def is_triplet(self) -> bool:
        """Return whether the phrase is a relation or an attribute, stated or denied."""
        if self.kind == "denied":
            return self.fact is not None and self.fact.kind != "entity"
        return self.kind in ("relation", "attribute")

    @property
    def claim(self) -> Claim:
        """Return whether the caption states or denies the fact."""
        return "denied" if self.kind == "denied" else "stated"


class PhraseExtractor(Protocol):
    """Interface of extractors, which find the phrases of captions."""

    @property
    def name(self) -> str:
        """The extractor's name in signatures, e.g. ``rules-ewt`` or ``flan-t5-base-VG-factual-sg@<revision>``."""
        ...

    def phrases(self, captions: Sequence[str]) -> list[tuple[CaptionPhrase, ...]]:
        """Return each caption's phrases in order of mention, one tuple per caption.

        A tuple is empty if the caption has no phrases. A thing about which the caption states nothing is a phrase of
        the kind "entity". Such phrases come last.
        """
        ...


@dataclass(frozen=True, slots=True)
class Mention:
    """A fact, and the tokens (words) of the caption that state the fact."""

    fact: Fact
    subject: int  # token of the subject
    words: tuple[int, ...]  # tokens of the fact's subject, object or attribute, without its preposition or verb
    verb: int | None = None  # token of the verb or predicate that states the fact; None: a noun phrase states it
    absent: tuple[int, ...] = ()  # tokens of the fact's things that the caption calls absent
    is_denied: bool = False  # True: the caption denies the fact

    @property
    def things(self) -> tuple[int, ...]:
        """Return the tokens of the fact's things: the subject and, for a relation, the object."""
        return (self.subject, self.object) if self.fact.kind == "relation" else (self.subject,)

    @property
    def object(self) -> int:
        """Return the token of the object or attribute, or the subject's token if there is neither."""
        return self.words[-1]


def phrase_of(fact: Fact, span: tuple[int, int], is_denied: bool = False) -> CaptionPhrase:
    """Return a fact as a phrase whose things have no positions of their own."""
    kind: PhraseKind = "denied" if is_denied else "attribute" if fact.kind == "quantity" else fact.kind
    return CaptionPhrase(fact.text, span, kind, fact, tuple(NamedThing(name, span, name) for name in fact.things))


def mentioned_phrase(caption: str, tree: Tree, mention: Mention) -> CaptionPhrase:
    """Return a mentioned fact as a phrase, with its positions and words in the caption."""
    plain = phrase_of(mention.fact, tree.span(mention.words), mention.is_denied)
    things = {
        token: NamedThing(name, tree.span([*named_with(tree, token), token]), full_name(tree, token))
        for name, token in zip(mention.fact.things, mention.things, strict=True)
    }
    absent = tuple(things[token] for token in mention.absent)
    shown, denied = shown_words(caption, tree, mention), denied_span(tree, mention) if mention.is_denied else None
    return CaptionPhrase(
        plain.text, plain.span, plain.kind, mention.fact, tuple(things.values()), absent, shown, denied
    )


def denied_span(tree: Tree, mention: Mention) -> tuple[int, int]:
    """Return the (start, end) of a denial in the caption, in characters: "not wearing a hat".

    A denial reaches from the denying word to the last denied word. If the caption says that things are absent, only the
    things are denied: "no people" of "no people walk". Otherwise the verb is denied, with the words after it. Without a
    denying word, returns the position of the mention's words.
    """
    verb = mention.verb
    has_not = verb is not None and any(tree[k].text in ("not", "n't") for k in tree.children[verb])
    if mention.absent and not (has_not and verb is not None and tree.is_verb(verb)):
        words = sorted(mention.absent)
    else:
        words = sorted(mention.words if verb is None else (*mention.words, verb))
    starts = [k for k in range(words[-1] + 1) if tree[k].text in DENYING]
    near = [k for k in starts if k <= words[0]] if mention.absent else starts
    if not starts:
        return tree.span(mention.words)
    first = max(near or starts)
    if first and tree[first - 1].end == tree[first].start:
        first -= 1  # include "is" of "isn't", because the parser splits this word into "is" and "n't"
    return tree[first].start, tree[words[-1]].end


def shown_words(caption: str, tree: Tree, mention: Mention) -> str:
    """Return the words of the caption that state a fact, without articles."""
    tokens, written = _shown_tokens(tree, mention), ""
    lacks_denial = bool(mention.absent) and not any(tree[k].text in DENYING for k in tokens)
    for place, token in enumerate(tokens):
        is_apart = place and tree[tokens[place - 1]].end != tree[token].start
        if lacks_denial and place and token == min(_thing(tree, mention.absent[0])):
            written += " no"  # "man rides no bike" of "a man rides a horse, not a bike"
        after_preposition = place > 0 and tree[tokens[place - 1]].role == "case"
        is_no = tree[token].text in ("neither", "nor") and after_preposition  # "field with neither cows nor sheep"
        written += (" " if is_apart else "") + ("no" if is_no else _as_written(caption, tree, token))
    if lacks_denial and mention.subject in mention.absent:
        first, _, rest = written.partition(" ")
        return f"nobody {rest}".strip() if first in NOBODY else f"no {written}"
    return written


def _shown_tokens(tree: Tree, mention: Mention) -> list[int]:
    """Return the tokens that state a fact, in the order in which to show them."""
    one, other, subject, verb = mention.subject, mention.object, _thing(tree, mention.subject), _verb(tree, mention)
    if mention.fact.kind != "relation":
        of = _prepositions(tree, other) if mention.fact.kind == "quantity" else set()  # "family of four"
        return sorted(subject | verb | of | set(mention.words))
    is_inverted = mention.verb is not None and other < one and one in tree.under(mention.verb, "obl", "nmod")
    is_whole = mention.verb is None and other in tree.heads(one)  # true for "leg of the man": the man has the leg
    target = _thing(tree, other) | _prepositions(tree, one if is_inverted or is_whole else other)
    if mention.verb is None:
        first, last = sorted((one, other))
        is_list = mention.fact.predicate == "next to" and last in tree.company(first) and not tree.under(last, "case")
        return sorted(subject | target | {k for k in tree.under(last, "cc") if is_list and first < k < last})
    if is_inverted:  # "a boy chased by a dog"
        return sorted(subject | verb | target)
    return [*sorted(subject), *sorted(verb - subject - target), *sorted(target - subject)]


def named_with(tree: Tree, noun: int) -> list[int]:
    """Return the nouns directly before a noun that belong to its name: "birthday" of "birthday cake"."""
    place = noun
    parts = {part for k in tree.under(noun, *PARTS_OF_NOUNS) for part in (k, *tree.under(k, *PARTS_OF_NOUNS))}
    while place - 1 in parts and tree[place - 1].text not in NOT_OF_NAMES:
        place -= 1
    return list(range(place, noun))


def full_name(tree: Tree, noun: int) -> str:
    """Return a noun with the nouns that belong to its name. A pronoun is replaced by its noun."""
    meant = meaning(tree, noun)
    is_one = meant is not None and tree[noun].seen == "one"  # "one" after "two men" means only one man
    noun = noun if meant is None else meant
    last = singular(tree[noun].text) if is_one else tree[noun].text
    return " ".join((*(tree[k].text for k in named_with(tree, noun)), last))


def _thing(tree: Tree, noun: int) -> set[int]:
    """Return a thing's tokens: its noun, the nouns of its name before it, "another", and "no" with adjectives."""
    another = [k for k in tree.under(noun, "det") if tree[k].text == "another" and k < noun]
    no = [k for k in tree.under(noun, "det", "cc") if tree[k].text in NO and k < noun]
    described = [k for k in tree.under(noun, "amod") if no and no[0] < k < noun]  # adjectives: "no red cars"
    return {noun, *named_with(tree, noun), *no, *described, *another}


def _prepositions(tree: Tree, noun: int) -> set[int]:
    cases = tree.under(noun, "case")
    while not cases and tree[noun].relation == "conj" and tree[noun].head < noun:
        noun = tree[noun].head
        cases = tree.under(noun, "case")
    return {part for k in cases for part in (k, *tree.under(k, "fixed"))}


def _verb(tree: Tree, mention: Mention) -> set[int]:
    """Return the tokens of a fact's verb (which can be "is") with words such as "not"."""
    verb = mention.verb
    if verb is None or tree.is_be(verb):
        return set()
    around = set(tree.under(verb, "aux", "cop", "compound:prt"))
    around |= {k for k in tree.children[verb] if tree[k].text in NOT}
    if not tree.is_verb(verb):
        is_adjective = mention.fact.kind == "relation" and not tree.is_noun(verb)
        return {verb, *around} if is_adjective else around
    lemma = tree.verb(verb)
    is_stated = f"{mention.fact.predicate} ".startswith(f"{lemma} ") or lemma in DRESSING
    return {verb, *around} if mention.fact.kind != "relation" or is_stated else set()


def _as_written(caption: str, tree: Tree, token: int) -> str:
    """Return a token as the caption writes it, but without the capital letter of a sentence's first word.

    A pronoun is replaced by its noun.
    """
    noun = meaning(tree, token)
    if noun is not None and tree[token].seen != "one":
        return full_name(tree, noun)
    written = caption[tree[token].start : tree[token].end]
    if tree[token].kind == "measure" and written.lower().split()[0] in NUMBERS:
        written = written.split()[0]  # keeps only the number, "seven", of "seven of the ten bottles"
    return written[:1].lower() + written[1:] if token == 0 and tree[token].kind != "name" else written

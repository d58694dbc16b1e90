"""State a fact in the caption's own words: "man is not wearing hat", "tea cup", "two men"."""

from core.captions.denial import DENYING, NO, NOBODY, NOT, REFUSING
from core.captions.factual_conventions import ADJECTIVES, DRESSING, NUMBERS, SHADES
from core.captions.mention import Mention
from core.captions.pronouns import is_further, meaning
from core.captions.tree import PARTS_OF_NOUNS, Tree
from core.captions.word_splitting import singular

# Words that describe a thing but do not belong to its name, even if the parser takes them for nouns: "a light mane".
NOT_OF_NAMES = ADJECTIVES | SHADES | {"male", "female"}


def shown_words(caption: str, tree: Tree, mention: Mention) -> str:
    """Return the words of the caption that state a fact, without articles."""
    tokens = shown_tokens(tree, mention)
    written = ""
    if mention.verb is None and mention.fact.kind == "relation" and _is_resolved(tree, mention):
        names = (full_name(tree, mention.subject), mention.fact.predicate, full_name(tree, mention.object))
        return _denied(" ".join(names)) if mention.is_denied else " ".join(names)
    if mention.verb is None and mention.fact.kind == "relation" and not mention.is_denied:
        if (whose := _possession(tree, mention)) is not None:
            return whose
        tokens = sorted({*tokens, *_joining(tree, mention)})
    lacks_denial = bool(mention.absent) and not any(tree[k].text in DENYING for k in tokens)
    for place, token in enumerate(tokens):
        is_apart = place and tree[tokens[place - 1]].end != tree[token].start
        after_preposition = place > 0 and tree[tokens[place - 1]].role == "case"
        if tree[token].text in ("neither", "nor") and after_preposition:
            written += " no"  # "field with no cows" of "a field with neither cows nor sheep"
            continue
        if lacks_denial and place and token == _first_of(tree, mention.absent[0]):
            written += " no"  # "man rides no bike" of "a man rides a horse, not a bike"
        written += (" " if is_apart else "") + _as_written(caption, tree, token)
    if lacks_denial and mention.subject in mention.absent:
        return _denied(written)
    return written


def _first_of(tree: Tree, noun: int) -> int:
    return min(_thing(tree, noun))


def _possession(tree: Tree, mention: Mention) -> str | None:
    """Return a possessed thing with its owner's noun: "woman's shoulders" for "her shoulders".

    Returns None if the mention is not stated by a possessive pronoun such as "her".
    """
    owners = [tree[k] for k in tree.under(mention.object, "nmod:poss")]
    if mention.fact.predicate != "have" or not any(owner.tag == "PRP$" for owner in owners):
        return None
    if mention.object in tree.under(mention.subject, "nmod") and tree.preposition(mention.object) == "with":
        return None  # the fact comes from "with": the man has the dog in "a man with his dog"
    return f"{full_name(tree, mention.subject)}'s {full_name(tree, mention.object)}"


def _joining(tree: Tree, mention: Mention) -> list[int]:
    """Return the "and" between two things that a caption only lists: "boat and diver"."""
    first, last = sorted((mention.subject, mention.object))
    is_list = mention.fact.predicate == "next to" and last in tree.company(first) and not tree.under(last, "case")
    return [k for k in tree.under(last, "cc") if first < k < last] if is_list else []


def _denied(words: str) -> str:
    first, _, rest = words.partition(" ")
    return f"nobody {rest}".strip() if first in NOBODY else f"no {words}"


def shown_tokens(tree: Tree, mention: Mention) -> list[int]:
    """Return the tokens that state a fact, in the order in which to show them."""
    subject, verb = _thing(tree, mention.subject), _predicate(tree, mention)
    if mention.fact.kind != "relation":
        of = _prepositions(tree, mention.object) if mention.fact.kind == "quantity" else set()  # "family of four"
        return sorted(subject | verb | of | set(mention.words))
    target = _thing(tree, mention.object) | _prepositions(tree, mention.object)
    if mention.verb is None:
        is_whole = mention.object in tree.heads(mention.subject)  # true for "leg of the man": the man has the leg
        named = _prepositions(tree, mention.subject) | _thing(tree, mention.object) if is_whole else target
        return sorted(subject | named)
    if _is_inverted(tree, mention):
        return sorted(subject | _prepositions(tree, mention.subject) | verb | _thing(tree, mention.object))
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
    """Return a thing's tokens: its noun and the nouns of its name before it.

    If "no" belongs to the noun, also returns "no" and the adjectives after it: "no red cars". The word "another" before
    the noun is also returned.
    """
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


def _is_resolved(tree: Tree, mention: Mention) -> bool:
    """Return whether a pronoun in the caption stands for the fact's object.

    Example: in "a table with food on it", "it" stands for the table.
    """
    alike = (k for k in range(len(tree)) if tree[k].text in ("it", "them"))
    return mention.object < mention.subject and any(tree.preposition(k) == mention.fact.predicate for k in alike)


def _predicate(tree: Tree, mention: Mention) -> set[int]:
    """Return the tokens of a fact's verb (which can be "is") with words such as "not"."""
    verb = mention.verb
    if verb is None:
        return set()
    around = {k for k in tree.under(verb, "aux", "cop", "compound:prt")}
    around |= {k for k in tree.children[verb] if tree[k].text in NOT}
    if tree[verb].relation == "xcomp" and tree[tree[verb].head].lemma in REFUSING:
        around |= {tree[verb].head, *tree.under(verb, "mark")}  # keep "refuses to" in "refuses to jump"
    if not tree.is_verb(verb):
        is_adjective = mention.fact.kind == "relation" and not tree.is_noun(verb)
        return {verb, *around} if is_adjective else around
    if tree.is_be(verb):
        return set()
    stated = mention.fact.predicate.split()
    lemma = tree.verb(verb).split()
    is_stated = mention.fact.kind != "relation" or stated[: len(lemma)] == lemma or tree.verb(verb) in DRESSING
    return {verb, *around} if is_stated else set()


def _is_inverted(tree: Tree, mention: Mention) -> bool:
    """Return whether the caption has the fact's subject after the verb: "a boy chased by a dog"."""
    return mention.object < mention.subject and mention.subject in tree.under(mention.verb or 0, "obl", "nmod")


def _as_written(caption: str, tree: Tree, token: int) -> str:
    """Return a token as the caption writes it, but without the capital letter of a sentence's first word.

    A pronoun is replaced by its noun.
    """
    noun = meaning(tree, token)
    if noun is not None and is_further(tree, token):
        return f"{'another' if tree[token].text == 'another' else 'other'} {tree[noun].text}"
    if noun is not None and tree[token].seen != "one":
        return full_name(tree, noun)
    written = caption[tree[token].start : tree[token].end]
    if tree[token].kind == "measure" and written.lower().split()[0] in NUMBERS:
        written = written.split()[0]  # keeps only the number, "seven", of "seven of the ten bottles"
    return written[:1].lower() + written[1:] if token == 0 and tree[token].kind != "name" else written

"""Correct the noun to which the parser attached a verb.

The caption's dependency tree is corrected before the rules find facts in it. Examples: "a man whose tie is red shouts",
"a girl watches a boy mend a bike".
"""

from collections.abc import Sequence
from dataclasses import replace

from core.captions.factual_conventions import BE
from core.captions.seen_actions import SEEING
from core.captions.tree import Token, children
from core.captions.verb_forms import VerbForms

SHOWN_VERBS = frozenset({"sits", "uses", "holds", "picks"})  # what the parser saw in place of a verb
FINITE = frozenset({"VBZ", "VBP", "VBD"})
# Verbs without object that end a list of actions: "mend their shoes and wave".
GESTURES = frozenset(
    "wave smile laugh cheer pose shout sing clap dance jump talk chat grin rest sleep walk run swim play bow nod "
    "salute whistle cry yawn stretch".split()
)
AFTER_VERB = frozenset({".", "!", "?", ",", "in", "on", "at", "to", "for", "together", "loudly", "happily"})
# Words between two verbs that begin another clause. Then the second verb is not the main verb.
LINKING = frozenset("and or but , who that which whose while as when because if so".split())


def with_owners_verbs(tokens: Sequence[Token], verbs: VerbForms) -> list[Token]:
    """Return the tokens with the clause of "whose" apart from the main clause.

    Example: in "a man whose dog pulls the leash smiles" the dog pulls, and the man smiles.
    """
    owner = -1
    for whose in range(1, len(tokens) - 2):
        if tokens[whose].text != "whose":
            continue
        owner = whose - 1 if tokens[whose - 1].text != "and" else owner  # "whose hat is red and whose shoes are blue"
        if owner < 0 or not _is_noun(tokens[owner]):
            continue
        owned = next((k for k in range(whose + 1, len(tokens)) if _is_owned(tokens, k)), len(tokens))
        end = next((k for k in range(owned, len(tokens)) if tokens[k].text == "whose"), len(tokens))
        said = [k for k in range(owned + 1, end) if _may_be_verb(tokens, k, verbs)]
        between = {one.text for one in tokens[owned : said[-1]]} if said else LINKING
        if len(said) > 1 and not LINKING & between:
            return _apart(tokens, owner, whose, owned, said[0], said[-1])
        verb = tokens[whose - 1].head
        if said and verb in said and tokens[whose - 1].role == "nsubj" and verb in (tokens[owned].head, owned):
            return _without_main(tokens, whose, owned, verb)
    return list(tokens)


def _is_owned(tokens: Sequence[Token], place: int) -> bool:
    return _is_noun(tokens[place]) and not (place + 1 < len(tokens) and _is_noun(tokens[place + 1]))


def _may_be_verb(tokens: Sequence[Token], place: int, verbs: VerbForms) -> bool:
    """Return whether a word may be a finite verb, although the tagger took it for a plural noun."""
    token = tokens[place]
    if token.kind != "word" or token.relation == "compound":
        return False
    if token.tag in FINITE or (token.tag == "NNS" and token.seen != token.text and token.seen in SHOWN_VERBS):
        return True
    rest = [one for one in tokens[place + 1 :] if one.role != "punct"]
    has_be = any(one.head == place and one.role == "cop" for one in tokens)
    is_end = not rest or (has_be and rest[0].role == "case")  # example: "shouts" in "a man whose tie is red shouts"
    return is_end and token.tag == "NNS" and verbs.lemma(token.text) not in (None, token.text)


def _apart(tokens: Sequence[Token], owner: int, whose: int, owned: int, first: int, last: int) -> list[Token]:
    """Return the tokens, with the main clause and the "whose" clause separated.

    Example: in "a man whose dog pulls the leash smiles", the dog pulls and its owner smiles. owned: index of the owned
    thing, "dog". first: index of its verb, "pulls". last: index of the
    owner's verb, "smiles". owner: index of the owner.
    """
    mended = list(tokens)
    main = tokens[last].head if tokens[last].role in ("aux", "cop") and tokens[last].head > last else last
    said = _predicate_of(tokens, first, last)
    above = (first, said, main, owned)
    for k, token in enumerate(tokens):
        if token.head in above and k not in (owner, whose, *above):
            is_late = k > main or k < owner or token.role == "punct" or k == last != main
            mended[k] = replace(token, head=token.head if owner < k < owned else main if is_late else said)
    tag = "VBZ" if tokens[main].tag.startswith("NN") else tokens[main].tag
    mended[main] = replace(tokens[main], head=main, role="ROOT", tag=tag)
    mended[owner] = replace(tokens[owner], head=main, role="nsubj")
    mended[whose] = replace(tokens[whose], head=owned, role="nmod:poss")
    if said != first:
        mended[first] = replace(tokens[first], head=said, role="aux" if tokens[said].tag[:2] == "VB" else "cop")
    mended[said] = replace(tokens[said], head=owner, role="acl")
    mended[owned] = replace(tokens[owned], head=said, role="nsubj")
    return mended


def _without_main(tokens: Sequence[Token], whose: int, owned: int, verb: int) -> list[Token]:
    """Return the tokens, with the clause of "whose" attached to its noun.

    Example: "a woman whose long hair covers her face" has no main clause. The verb "covers" is attached to the noun
    "woman", and "woman" takes the place of this verb in the tree.
    """
    mended, owner = list(tokens), whose - 1
    above = owner if tokens[verb].head == verb else tokens[verb].head
    mended[owner] = replace(tokens[owner], head=above, role=tokens[verb].role)
    mended[whose] = replace(tokens[whose], head=owned, role="nmod:poss")
    mended[verb] = replace(tokens[verb], head=owner, role="acl")
    return mended


def _predicate_of(tokens: Sequence[Token], first: int, last: int) -> int:
    """Return the word that a form of "be" joins to its subject.

    Example: "red" of "is red". If the verb is not a form of "be", the verb itself is returned.
    """
    words = range(first + 1, last) if tokens[first].text in BE else ()
    return next((k for k in words if tokens[k].tag[:2] in ("JJ", "VB", "NN")), first)


def with_seen_actions(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with a seen action attached to its actor.

    Example: in "a girl watches a boy mend a bike", "mend" is attached to "boy".
    """
    mended = list(tokens)
    below = children(tokens)
    for verb, token in enumerate(tokens):
        seeing = token.head
        if token.tag not in ("VB", "VBP", "VBG") or token.relation not in ("advcl", "xcomp", "ccomp", "conj", "acl"):
            continue
        is_bare = token.tag == "VBG" and token.text == token.lemma  # the parser saw a participle for it
        if is_bare:
            mended[verb] = replace(token, tag="VB")
        if token.relation == "acl" and token.head == verb - 1 and not is_bare:
            above = tokens[verb - 1]
            if above.role == "obj" and tokens[above.head].lemma in SEEING and not _is_seen_thing(tokens, verb - 1):
                mended[verb] = replace(token, head=above.head, role="advcl")  # "watches TV sitting on a couch"
            continue
        if token.tag == "VBG" and not (is_bare or _is_seen_thing(tokens, verb - 1)):
            continue  # "a man watches a dog, smoking"
        if tokens[seeing].lemma not in SEEING or any(
            tokens[k].relation in ("nsubj", "mark", "aux", "cc") for k in below[verb]
        ):
            continue
        seen = [k for k in below[seeing] if tokens[k].role == "obj" and seeing < k < verb]
        if seen and _is_noun(tokens[seen[-1]]):
            mended[verb] = replace(mended[verb], head=seen[-1], role="acl")
    return mended


def _is_seen_thing(tokens: Sequence[Token], noun: int) -> bool:
    """Return whether a noun has an article or names several things. In "watches TV sitting on a couch" it has none."""
    has_article = any(one.head == noun and one.relation in ("det", "nmod", "nummod") for one in tokens[:noun])
    return _is_noun(tokens[noun]) and (has_article or tokens[noun].tag == "NNS" or tokens[noun].is_person)


def with_listed_verbs(tokens: Sequence[Token], verbs: VerbForms) -> list[Token]:
    """Return the tokens, with corrected tags for verbs after "and".

    The tagger mistook these verbs for nouns. Example: "wave" in "mend their shoes and wave".
    """
    mended = list(tokens)
    below = children(tokens)
    for place, token in enumerate(tokens):
        lemma = verbs.lemma(token.text)
        if token.relation != "conj" or not token.tag.startswith("NN") or lemma is None or place < 1:
            continue
        follows = tokens[place + 1].text if place + 1 < len(tokens) else "."
        if tokens[place - 1].text != "and" or follows not in AFTER_VERB:
            continue
        if any(tokens[k].relation not in ("cc", "punct", "obl", "nmod", "advmod") for k in below[place]):
            continue
        first = token.head
        verb = tokens[first].head if tokens[first].role == "obj" and lemma in GESTURES else first
        is_form = tokens[verb].tag in FINITE and (token.text != lemma) == (tokens[verb].tag == "VBZ")
        if is_form and tokens[verb].kind == "word":
            mended[place] = replace(token, head=verb, tag=tokens[verb].tag, lemma=lemma)
            for k in below[place]:
                if tokens[k].role == "nmod":
                    mended[k] = replace(tokens[k], role="obl")
    return mended


def _is_noun(token: Token) -> bool:
    return token.tag.startswith("NN") or token.kind in ("thing", "name")

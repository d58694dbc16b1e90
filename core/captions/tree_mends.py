"""Repair common parser errors before the rules find facts in a tree.

Examples: verbs tagged as nouns, and subjects that are not attached to their clause.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace

from core.captions.clause_mends import with_listed_verbs, with_owners_verbs, with_seen_actions
from core.captions.denial_mends import with_devoid, with_neither_after_prepositions
from core.captions.fragment_mends import with_lone_nouns, with_neither, with_whose
from core.captions.list_mends import with_lists_apart
from core.captions.manner_mends import with_made_pictures, with_manners, with_postures
from core.captions.nouns import bundled_nouns
from core.captions.tree import PARTS_OF_NOUNS, Token, children
from core.captions.verb_forms import bundled_verbs
from core.captions.whose_clauses import with_near_clauses, with_own_nouns
from core.captions.word_mends import (
    with_adverbs,
    with_company,
    with_each_other,
    with_listed_nouns,
    with_nouns,
    with_participles,
    with_riders,
    with_second_clauses,
    with_split_names,
    with_things_on_bodies,
    with_ways,
)

CLAUSES = frozenset({"ROOT", "conj", "advcl", "ccomp", "parataxis", "acl:relcl", "acl"})
OF_NOUNS = PARTS_OF_NOUNS | {"det", "amod", "nummod", "nmod:poss", "cc:preconj"}
MOST_BEFORE_NOUNS = 4  # maximum number of words between "none" and its noun: "none of the three old chairs"
LINKS = frozenset("and but while as because when where or nor , ;".split())


def mended(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with common errors repaired."""
    denials = with_neither_after_prepositions(with_devoid(with_near_clauses(tokens)))
    fragments = with_whose(with_neither(with_lone_nouns(denials, bundled_verbs())))
    nouns = with_split_names(with_nouns(with_adverbs(with_participles(with_each_other(fragments)))))
    tagged = with_listed_nouns(with_tagged_verbs(with_places(with_ways(with_none(nouns)))))
    verbs = with_seen_actions(
        with_owners_verbs(
            with_listed_verbs(with_lists_apart(tagged, bundled_nouns()), bundled_verbs()), bundled_verbs()
        )
    )
    clauses = with_lost_subjects(with_second_clauses(verbs))
    joined = with_near_participles(with_company(with_riders(with_things_on_bodies(clauses))))
    return with_postures(with_manners(with_made_pictures(with_own_nouns(joined))))


def with_places(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with clauses such as "on which books lie" attached to the noun before them."""
    mended = list(tokens)
    for place in range(1, len(tokens) - 3):
        is_start = tokens[place].kind == "preposition" or tokens[place].tag in ("IN", "TO")
        if is_start and tokens[place + 1].text in ("which", "whom") and _is_noun(tokens[place - 1]):
            verb = _relative_verb(tokens, place + 2)
            if verb is not None:
                mended = _with_clause(mended, place - 1, verb)
    return mended


def _relative_verb(tokens: Sequence[Token], first: int) -> int | None:
    """Return the verb of a relative clause: the first verb after the clause's subject."""
    for place in range(first + 1, len(tokens)):
        token, before = tokens[place], tokens[place - 1]
        is_verb = token.tag.startswith("VB") or (_is_clause_form(token) and before.kind != "preposition")
        if is_verb and token.role not in ("aux", "aux:pass", "cop", "amod", "compound"):
            return place
    return None


def _with_clause(tokens: Sequence[Token], noun: int, verb: int) -> list[Token]:
    """Return the tokens with a relative clause attached to the noun before it.

    The clause consists of a preposition, "which", a subject and a verb.
    """
    mended = list(tokens)
    preposition, which = noun + 1, noun + 2
    inside = range(which + 1, verb)
    subject = max(k for k in inside if tokens[k].relation not in ("aux", "cop", "advmod")) if inside else None
    if subject is None:
        return mended
    mended[preposition] = replace(tokens[preposition], head=which, role="case")
    mended[which] = replace(tokens[which], head=verb, role="obl")
    tag = "NNS" if tokens[subject].tag.startswith("VB") else tokens[subject].tag
    mended[subject] = replace(tokens[subject], head=verb, role="nsubj", tag=tag)
    mended[verb] = replace(tokens[verb], head=noun, role="acl:relcl", tag=_verb_tag(tokens[verb]))
    for k in inside:
        if k != subject and tokens[k].head not in inside:
            mended[k] = replace(tokens[k], head=verb if tokens[k].relation in ("aux", "advmod", "cop") else subject)
    if tokens[noun].head in (subject, verb) or tokens[verb].head == verb or tokens[subject].head == subject:
        mended = _with_main(mended, noun, verb, (subject, verb))
    return mended


def _with_main(tokens: Sequence[Token], noun: int, verb: int, lost: Collection[int]) -> list[Token]:
    """Return the tokens with a new root.

    The new root is the first full verb after the noun's relative clause. If there is no such verb, the noun is the
    root. verb: index of the relative clause's verb.
    """
    mended = list(tokens)
    main = next((k for k in range(verb + 1, len(tokens)) if tokens[k].tag in ("VBZ", "VBP", "VBD")), None)
    if main is None:
        mended[noun] = replace(tokens[noun], head=noun, role="ROOT")
        return mended
    mended[main] = replace(tokens[main], head=main, role="ROOT")
    mended[noun] = replace(tokens[noun], head=main, role="nsubj")
    return [
        replace(token, head=main) if place > verb and place != main and token.head in lost else token
        for place, token in enumerate(mended)
    ]


def _is_clause_form(token: Token) -> bool:
    return token.tag in ("NN", "NNS") and token.lemma != token.text


def _verb_tag(token: Token) -> str:
    return token.tag if token.tag.startswith("VB") else "VBZ"


def with_none(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with "none of" (read as "no") as a determiner: "none of the chairs"."""
    mended = list(tokens)
    for place, token in enumerate(tokens):
        noun = next((k for k in range(place + 1, len(tokens)) if _is_noun(tokens[k])), None)
        if token.text == "no" and token.role == "discourse" and noun is not None and noun - place <= MOST_BEFORE_NOUNS:
            mended[place] = replace(token, head=noun, role="det")
    return mended


def with_near_participles(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with a participle attached to the noun before it.

    Example: "crossed" belongs to "arms" in "a man with his arms crossed".
    """
    mended = list(tokens)
    for place, token in enumerate(tokens):
        before = tokens[place - 1] if place else token
        owned = any(tokens[k].role == "nmod:poss" and tokens[k].head == place - 1 for k in range(place))
        if token.role == "acl" and token.tag == "VBN" and before.role == "nmod" and before.head == token.head and owned:
            mended[place] = replace(token, head=place - 1)
    return mended


def with_tagged_verbs(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with a mistagged verb tagged as a verb, if it has a subject.

    Example: "leans" of "a man leans on a rail".
    """
    dependents = children(tokens)
    return [
        replace(token, tag="VBZ")
        if token.tag in ("NN", "NNS") and token.kind == "word" and _is_clause(tokens, place, dependents[place])
        else token
        for place, token in enumerate(tokens)
    ]


def _is_clause(tokens: Sequence[Token], place: int, below: Sequence[int]) -> bool:
    roles = {tokens[k].role for k in below}
    is_form = tokens[place].text.endswith("s") and tokens[place].lemma != tokens[place].text
    return is_form and tokens[place].role in CLAUSES and "nsubj" in roles and not roles & {"cop", "det", "amod", "case"}


def with_lost_subjects(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with subjects attached to their clauses if the parser failed to do so.

    Example: "tourist" of "a monkey jumps and the tourist screams".
    """
    mended = list(tokens)
    for verb, token in enumerate(tokens):
        if token.tag not in ("VBZ", "VBP") or token.role not in CLAUSES - {"ROOT", "acl:relcl", "acl"} or verb < 2:
            continue
        below = children(mended)
        if any(mended[k].relation in ("nsubj", "expl", "aux", "mark") for k in below[verb]):
            continue
        noun = verb - 1
        first = min((k for k in below[noun] if k < noun and mended[k].role in OF_NOUNS), default=noun)
        if not _is_noun(mended[noun]) or mended[noun].relation in ("nsubj", "obl", "nmod") or first == 0:
            continue
        if mended[first - 1].text not in LINKS or any(mended[k].role == "case" for k in below[noun]):
            continue
        above = mended[noun].head if mended[verb].head == noun else mended[verb].head
        for k in (*below[noun], first - 1):
            if mended[k].relation in ("cc", "mark", "punct") and mended[k].head == noun:
                mended[k] = replace(mended[k], head=verb)
        mended[verb] = replace(mended[verb], head=above if above != verb else mended[verb].head)
        mended[noun] = replace(mended[noun], head=verb, role="nsubj")
    return mended


def _is_noun(token: Token) -> bool:
    return token.tag.startswith("NN") or token.kind in ("thing", "name")

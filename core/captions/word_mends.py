"""Correct wrong parts of speech that the parser assigned to words.

Examples: nouns tagged as verbs, and "down" in "down the street" tagged as a particle instead of a preposition.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.captions.factual_conventions import ACTORS, BODY_PARTS, MOVING, ONLY_PREPOSITIONS, WORN_IN, WORN_WITH
from core.captions.pronouns import EACH_OTHER
from core.captions.tree import Token, children
from core.captions.word_splitting import singular

RIDDEN = frozenset(
    "ski board surfboard skateboard snowboard paddleboard horse horseback bicycle bike motorcycle scooter".split()
)
GOING = frozenset("go come ski race slide glide speed head do perform attempt try practice".split())
WAYS = frozenset("down up along through across around over in on off by".split())
ADVERBS = frozenset("barefoot downhill uphill downstairs upstairs overhead outdoors indoors downtown".split())
BESIDE = frozenset({"in front of", "next to", "beside", "behind", "near", "by"})
POSTURES = frozenset("sit stand lie lay sleep rest perch kneel wait lean walk run graze".split())
ARTICLES = frozenset({"a", "an", "the"})
ON_BODIES = BODY_PARTS | frozenset(
    "hair face eye leg wrist ankle waist forehead cheek chin belly fur feather wing shoe boot sock glove sleeve dress "
    "jacket scarf".split()
)
OWNERS = frozenset({"his", "her", "its", "their"})
JOINED = frozenset({"conj", "advcl", "ccomp", "parataxis"})
FINITE = frozenset({"VB", "VBP", "VBZ"})


def with_nouns(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens, with corrected tags for nouns that have the tag of another kind of word.

    Examples: "roses" in "a cake with sugar roses", "archer" in "the archer aims".
    """
    mended = list(tokens)
    dependents = children(tokens)
    for place, token in enumerate(tokens):
        below = [tokens[k] for k in dependents[place] if k < place]
        names = [k for k in dependents[place] if k < place and tokens[k].role == "compound"]
        below += [tokens[k] for name in names for k in dependents[name]]
        has_case = any(one.role == "case" for one in below) and token.role in ("obl", "nmod")
        has_article = any(one.role == "det" and one.text in ARTICLES for one in below) and token.relation == "nsubj"
        if (
            token.kind != "word"
            or token.text in ONLY_PREPOSITIONS
            or not ((has_case and token.tag in FINITE) or (has_article and token.tag in FINITE | {"RB", "IN", "JJ"}))
        ):
            continue
        mended[place] = replace(token, tag="NNS" if singular(token.text) != token.text else "NN")
    return mended


def with_adverbs(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens, with corrected tags for adverbs.

    The parser took these adverbs for objects. Example: "barefoot" in "walks barefoot over the snow".
    """
    mended = list(tokens)
    for place, token in enumerate(tokens):
        if (
            token.text not in ADVERBS
            or token.role not in ("obj", "obl")
            or place == 0
            or tokens[place - 1].role == "det"
        ):
            continue
        mended[place] = replace(token, tag="RB", role="advmod")
        for k, one in enumerate(tokens):
            if one.head == place and one.role in ("nmod", "obl"):
                mended[k] = replace(one, head=token.head, role="obl")
    return mended


def with_participles(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens, with a participle attached to the object before it.

    Example: "loaded" in "pulls a trailer loaded with hay" is attached to "trailer".
    """
    return [
        replace(token, head=place - 1, role="acl")
        if token.tag == "VBN"
        and token.role == "xcomp"
        and place > 0
        and tokens[place - 1].role == "obj"
        and tokens[place - 1].head == token.head
        and any(one.role == "obl" and one.head == place for one in tokens)
        else token
        for place, token in enumerate(tokens)
    ]


def with_split_names(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens, with two nouns joined if they form one name.

    Example: "string lights" in "dances under string lights". The parser takes "lights" for an object, but no article
    precedes this word. So both nouns are one name. In "a taxi driver", the parser takes both nouns for subjects.
    """
    mended = list(tokens)
    dependents = children(tokens)
    for place, token in enumerate(tokens):
        noun = place - 1
        if _is_first_of_name(tokens, place):
            mended[place] = replace(token, role="compound")
            for k in dependents[place]:
                mended[k] = replace(mended[k], head=place + 1)
        if token.role != "obj" or not token.tag.startswith("NN") or dependents[place] or noun < 1:
            continue
        before = mended[noun]
        is_place = before.role in ("obl", "nmod") and before.tag == "NN" and before.head == token.head < noun
        if not is_place or not any(tokens[k].role == "case" for k in dependents[noun]):
            continue
        mended[place] = replace(token, role=before.role)
        mended[noun] = replace(before, head=place, role="compound")
        for k in dependents[noun]:
            mended[k] = replace(mended[k], head=place)
    return mended


def _is_first_of_name(tokens: Sequence[Token], place: int) -> bool:
    """Return whether the parser took a noun for the subject of the noun right after it."""
    token, head = tokens[place], tokens[tokens[place].head]
    is_before = token.head == place + 1 and token.tag == "NN" and head.tag.startswith("NN")
    return is_before and token.role == head.role == "nsubj"


def with_second_clauses(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens, with the first verb's object separated from the second verb's subject.

    Example: "a man opens the gate and his son drives a car". The parser takes "the gate and his son" for the subject of
    the second verb. But this verb is singular, so "gate" is the first verb's object.
    """
    mended = list(tokens)
    dependents = children(tokens)
    for verb, token in enumerate(tokens):
        first, subject = token.head, next((k for k in dependents[verb] if tokens[k].role == "nsubj"), None)
        if subject is None or token.role not in JOINED or token.tag != "VBZ" or not first < subject < verb:
            continue
        joined = [k for k in dependents[subject] if tokens[k].role == "conj" and k < verb]
        takes_object = any(tokens[k].role == "nsubj" for k in dependents[first]) and not any(
            tokens[k].role == "obj" for k in dependents[first]
        )
        if len(joined) != 1 or not takes_object or not tokens[first].tag.startswith("VB"):
            continue
        mended[subject] = replace(tokens[subject], head=first, role="obj")
        mended[joined[0]] = replace(tokens[joined[0]], head=verb, role="nsubj")
        for k in dependents[joined[0]]:
            if tokens[k].role == "cc":
                mended[k] = replace(tokens[k], head=verb)
    return mended


def with_each_other(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens, with "each other" tagged as a pronoun.

    If "each other" follows a verb and has no preposition, it becomes the verb's object.
    """
    mended = list(tokens)
    for place, token in enumerate(tokens):
        if token.text not in EACH_OTHER:
            continue
        has_case = any(one.role == "case" and one.head == place for one in tokens)
        is_object = not has_case and place > 0 and tokens[place - 1].tag.startswith("VB")
        head, role = (place - 1, "obj") if is_object else (token.head, token.role)
        mended[place] = replace(token, tag="PRP", head=head, role=role)
    return mended


def with_listed_nouns(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens, with corrected tags for nouns after "and".

    The tagger mistook these nouns for verbs. Example: "sink" in "a toilet and sink in a room" must be a noun. A verb
    would agree with its subject, as in "a man eats and drinks".
    """
    mended = list(tokens)
    dependents = children(tokens)
    for place, token in enumerate(tokens):
        head, below = tokens[token.head], dependents[place]
        is_joined = token.role == "conj" and token.tag in ("VBP", "VB", "VBZ") and _is_noun(head) and place > 0
        if not is_joined or tokens[place - 1].text not in ("and", "or", "&"):
            continue
        if any(tokens[k].relation in ("nsubj", "obj", "aux", "xcomp", "advmod", "mark") for k in below):
            continue
        is_several = head.tag == "NNS"
        disagrees = is_several == (token.tag == "VBZ")
        in_list = head.relation in ("obj", "obl", "nmod") and any(
            tokens[k].role == "conj" and _is_noun(tokens[k]) and k < place for k in dependents[token.head]
        )
        if not (disagrees or in_list):
            continue
        mended[place] = replace(token, tag="NNS" if token.tag == "VBZ" else "NN")
        for k in below:
            if tokens[k].role == "obl":
                mended[k] = replace(tokens[k], role="nmod")
    return mended


def with_ways(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens, with a particle of a verb turned into the preposition of a noun.

    Example: "down" in "rides his horse down the street" becomes the preposition of "street".
    """
    mended = list(tokens)
    for place, token in enumerate(tokens):
        if token.role != "compound:prt" or token.text not in WAYS:
            continue
        objects = [k for k, one in enumerate(tokens) if one.head == token.head and one.role == "obj"]
        behind = [k for k in objects if k > place]
        if len(behind) == 1 and len(objects) > 1 and _opens(tokens, place + 1, behind[0]):
            mended[place] = replace(token, tag="IN", head=behind[0], role="case")
            mended[behind[0]] = replace(tokens[behind[0]], role="obl")
    return mended


def _opens(tokens: Sequence[Token], first: int, noun: int) -> bool:
    """Return whether a word begins the group of words around a noun.

    Examples: the article of the noun, or the noun itself.
    """
    return first == noun or (
        tokens[first].head == noun and tokens[first].relation in ("det", "nmod", "amod", "compound")
    )


def with_riders(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens, with a rider's location attached to the verb.

    Example: in "rides the waves on his board", the rider is on the board, not the waves.
    """
    mended = list(tokens)
    for place, token in enumerate(tokens):
        above = tokens[token.head]
        verb = tokens[above.head]
        if token.role != "nmod" or not _is_noun(above) or above.is_person or not verb.tag.startswith("VB"):
            continue
        own = [one for k, one in enumerate(tokens) if one.head == place and k < place]
        if singular(token.text) in BODY_PARTS or any(one.role == "case" and one.text == "of" for one in own):
            continue
        is_owned = any(one.role == "nmod:poss" and one.text in ("his", "her", "their") for one in own)
        is_ridden = singular(token.text) in RIDDEN and any(one.role == "case" and one.text == "on" for one in own)
        is_way = above.role == "obl" or (above.role == "obj" and verb.lemma in MOVING | GOING)
        if is_way and (is_owned or is_ridden):
            mended[place] = replace(token, head=above.head, role="obl")
    return mended


def with_things_on_bodies(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens, with body locations attached to the things located there.

    Example: in "a woman with hair on her shoulders", the hair is on the shoulders, not the woman. The same holds for
    clothes ("snow on his shoes"). It also holds for the place of a body part ("her hair in a bun").
    """
    mended = list(tokens)
    dependents = children(tokens)
    for place, token in enumerate(tokens):
        cases = [k for k in dependents[place] if tokens[k].role == "case" and k < place]
        thing = cases[0] - 1 if len(cases) == 1 else 0
        if token.role not in ("nmod", "obl") or thing < 1 or tokens[thing].head != token.head:
            continue
        if not _is_noun(tokens[thing]) or tokens[thing].is_person or tokens[cases[0]].text in ("with", "by"):
            continue
        is_on_body = any(_is_of_body(tokens, dependents, noun) for noun in (place, thing))
        if is_on_body and any(tokens[k].role == "case" and tokens[k].text == "with" for k in dependents[thing]):
            mended[place] = replace(token, head=thing, role="nmod")
    return mended


def _is_of_body(tokens: Sequence[Token], dependents: Sequence[Sequence[int]], noun: int) -> bool:
    """Return whether a noun is a body part or a garment with a stated owner: "her shoulders", "his shoes"."""
    is_owned = any(tokens[k].role == "nmod:poss" and tokens[k].text in OWNERS for k in dependents[noun])
    return is_owned and (singular(tokens[noun].text) in ON_BODIES or tokens[noun].text in WORN_IN | WORN_WITH)


def with_company(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens, with a second location attached to the actor and not to the first location.

    Example: "in front of a fire" in "a cat sits on a rug in front of a fire" is the cat's location.
    """
    mended = list(tokens)
    for place, token in enumerate(tokens):
        above = mended[token.head]
        case = next((one.text for one in tokens if one.head == place and one.role == "case"), "")
        if token.role != "nmod" or case not in BESIDE or above.role not in ("obl", "nmod") or above.is_person:
            continue
        top = mended[above.head]
        subject = next((one for one in tokens if one.role == "nsubj" and one.head == above.head), mended[top.head])
        actor = subject if above.role == "obl" and top.tag.startswith("VB") and top.lemma in POSTURES else top
        if _is_noun(actor) and (actor.is_person or singular(actor.text) in ACTORS):
            mended[place] = replace(token, head=above.head, role=above.role)
    return mended


def _is_noun(token: Token) -> bool:
    return token.tag.startswith("NN") or token.kind in ("thing", "name")

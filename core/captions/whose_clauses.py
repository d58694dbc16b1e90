"""Read clauses with "whose": "a house whose roof is red stands on a hill", "dogs whose owner sits on a bench play".

The parser takes the main verb after such a clause for a noun, or joins the clause to another noun.
"""

from collections.abc import Sequence
from dataclasses import replace

from core.captions.caption_pieces import Piece
from core.captions.factual_conventions import ACTS, BE
from core.captions.tree import Token
from core.captions.verb_forms import VerbForms
from core.captions.word_splitting import singular

ENDS = frozenset(", ; : . the a an his her its their of in on at to with and or".split())  # words before no main verb


def is_after_whose(pieces: Sequence[Piece], place: int, verbs: VerbForms, goes_on: bool) -> bool:
    """Return whether a word is the main verb after a clause with "whose". goes_on: whether no noun follows it.

    The clause has a verb of its own. The main verb agrees with the noun before "whose".
    """
    whose = next((k for k in reversed(range(1, place - 2)) if pieces[k].wording == "whose"), None)
    word = pieces[place].wording
    if (
        whose is None
        or not goes_on
        or pieces[place - 1].wording in ENDS | BE
        or pieces[place - 1].kind == "preposition"
    ):
        return False
    first = next((k for k in range(1, whose) if pieces[k].wording == "whose"), whose)
    owner = pieces[first - 1].wording
    is_one = singular(owner) == owner and owner not in ("people", "men", "women", "children")
    is_form = (verbs.lemma(word) not in (None, word)) if is_one else verbs.lemma(word) == word
    own_verbs = (k for k in range(whose + 2, place) if pieces[k].wording in BE or _is_third(pieces[k].wording, verbs))
    return is_form and word.endswith("s") == is_one and next(own_verbs, None) is not None


def _is_third(word: str, verbs: VerbForms) -> bool:
    return word.endswith("s") and verbs.lemma(word) not in (None, word)


def with_own_nouns(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with nouns that the parser took for second subjects attached where they belong.

    Examples: "horse" is the object of "rides" in "whose brother rides a horse". "With a child" belongs to the woman in
    "a woman with a child whose shirt is blue walks".
    """
    mended = list(tokens)
    for place, token in enumerate(tokens):
        if token.role != "nsubj" or not token.tag.startswith("NN"):
            continue
        verb = token.head
        others = [k for k in range(place) if tokens[k].role == "nsubj" and tokens[k].head == verb]
        if not others or not tokens[verb].tag.startswith("VB"):
            continue
        if verb < place:
            mended[place] = replace(token, role="obj")
        elif any(one.head == place and one.role == "case" for one in tokens[:place]):
            mended[place] = replace(token, head=others[-1], role="nmod")
    return mended


def with_near_clauses(tokens: Sequence[Token]) -> list[Token]:
    """Return the tokens with "that" clauses attached to the noun before them: "hair that falls on her shoulders".

    A verb for what only people and animals do keeps its subject: "a man in a hat that smiles".
    """
    mended = list(tokens)
    for place, token in enumerate(tokens):
        verb, noun = token.head, place - 1
        if token.text not in ("that", "which") or token.role != "nsubj" or noun < 1:
            continue
        is_clause = tokens[verb].relation == "acl" and tokens[noun].role == "nmod"
        if is_clause and tokens[verb].head == tokens[noun].head and tokens[verb].lemma not in ACTS:
            mended[verb] = replace(tokens[verb], head=noun)
    return mended

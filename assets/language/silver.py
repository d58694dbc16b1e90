"""Choose captions whose trees can be trusted, to teach the parser how captions are written.

A caption of FACTUAL's training part is parsed as it stands, then with a full stop, then with "is" or "are" before its
participle ("man riding horse" as "man is riding horse."). The first tree from which the rules read exactly the
annotated graph is kept, without the added words; captions whose graph is never reached are left out. Verbs get the
lemma that the graph has.
"""

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from spacy.language import Language
from spacy.tokens import Doc

from core.captions import caption_pieces
from core.captions import facts_of_tree as dependency_rules
from core.captions.caption_pieces import Piece, PieceSenses
from core.captions.fact_scores import set_match
from core.captions.facts import Fact, read_facts
from core.captions.noun_rules import Compounds
from core.captions.tree import Token, tree
from core.captions.verb_forms import TABLE as VERBS
from core.captions.verb_forms import VerbForms
from core.captions.word_splitting import words

PARTICIPLE = re.compile(r"\w+(ing|ed)$")
NOT_BEFORE_PARTICIPLE = {"is", "are", "was", "being", "a", "an", "the"}
LOWER_CASE_TAGS = {"NNP": "NN", "NNPS": "NNS"}  # names in lower case are taken for plain nouns
BATCH = 512
FORMS = VerbForms.read(VERBS)

Wording = list[tuple[str, int | None]]  # words that are parsed, each with its piece; None for an added word


@dataclass(frozen=True, slots=True)
class Annotated:
    """A caption in pieces with its gold graph."""

    pieces: tuple[Piece, ...]
    gold: tuple[Fact, ...]


@dataclass(frozen=True, slots=True)
class Parse:
    """Tags, lemmas, heads and relations of a caption's pieces."""

    tags: list[str]
    lemmas: list[str]
    heads: list[int]
    roles: list[str]


def annotated_captions(file: Path, readings: PieceSenses) -> list[Annotated]:
    """Return the distinct captions of a FACTUAL file (columns caption, scene_graph) that have words."""
    with file.open(encoding="utf-8", newline="") as rows:
        graphs = {row["caption"].lower(): row["scene_graph"] for row in reversed(list(csv.DictReader(rows)))}
    cut = ((tuple(caption_pieces.pieces(words(caption), readings)), graph) for caption, graph in graphs.items())
    return [Annotated(pieces, read_facts(graph)) for pieces, graph in cut if pieces]


def trusted_documents(nlp: Language, captions: Sequence[Annotated], compounds: Compounds) -> list[Doc]:
    """Return the captions whose graph is reached, as training documents, in the captions' order."""
    found: dict[int, Doc] = {}
    for wording in (as_it_stands, with_full_stop, as_clause):
        asked = [(number, worded) for number, one in enumerate(captions)
                 if number not in found and (worded := wording(one.pieces))]  # fmt: skip
        docs = nlp.pipe((unparsed(nlp, worded) for _, worded in asked), batch_size=BATCH)
        for (number, worded), doc in zip(asked, docs, strict=True):
            parse = without_added_words(doc, worded, captions[number])
            if parse and reaches_gold(parse, captions[number], compounds):
                found[number] = document(nlp, captions[number].pieces, parse)
    return [found[number] for number in sorted(found)]


def as_it_stands(pieces: Sequence[Piece]) -> Wording:
    """Return the caption's own words."""
    return [(piece.seen, number) for number, piece in enumerate(pieces)]


def with_full_stop(pieces: Sequence[Piece]) -> Wording:
    """Return the caption's own words and a full stop."""
    return [*as_it_stands(pieces), (".", None)]


def as_clause(pieces: Sequence[Piece]) -> Wording:
    """Return the caption as a sentence with "is" or "are" before its first participle; nothing without one."""
    for number, piece in enumerate(pieces[1:], start=1):
        before = pieces[number - 1].seen
        if piece.kind == "word" and PARTICIPLE.match(piece.seen) and before not in NOT_BEFORE_PARTICIPLE:
            be: Wording = [("are" if before.endswith("s") else "is", None)]
            own = as_it_stands(pieces)
            return [*own[:number], *be, *own[number:], (".", None)]
    return []


def unparsed(nlp: Language, worded: Wording) -> Doc:
    """Return the words as one sentence."""
    doc = Doc(nlp.vocab, words=[text for text, _ in worded])
    for token in doc[1:]:
        token.is_sent_start = False
    return doc


def without_added_words(doc: Doc, worded: Wording, caption: Annotated) -> Parse | None:
    """Return the parse of the caption's own words, or None where several of them would be roots."""
    own = [index for index, (_, piece) in enumerate(worded) if piece is not None]
    place = {index: number for number, index in enumerate(own)}
    kept = {index: doc[index].head.i in place and doc[index].head.i != index for index in own}
    if sum(not below for below in kept.values()) != 1:
        return None
    return Parse(
        tags=[LOWER_CASE_TAGS.get(doc[index].tag_, doc[index].tag_) for index in own],
        lemmas=[lemma(doc[index].text, doc[index].tag_, caption.gold) for index in own],
        heads=[place[doc[index].head.i if kept[index] else index] for index in own],
        roles=[doc[index].dep_ if kept[index] else "ROOT" for index in own],
    )


def lemma(text: str, tag: str, gold: Sequence[Fact]) -> str:
    """Return a verb's lemma as the gold graph has it, by its first two letters, else as the table has it."""
    if not tag.startswith("VB"):
        return text
    verbs = [fact.predicate.split()[0] for fact in gold if fact.kind == "relation"]
    same = [verb for verb in verbs if len(verb) > 2 and text.startswith(verb[:2])]
    return same[0] if same else FORMS.lemma(text) or text


def reaches_gold(parse: Parse, caption: Annotated, compounds: Compounds) -> bool:
    """Say whether the rules read the gold graph from the parse."""
    return set_match(facts(parse, caption.pieces, compounds), caption.gold)


def facts(parse: Parse, pieces: Sequence[Piece], compounds: Compounds) -> Iterator[Fact]:
    """Yield the facts that the rules read from a parse."""
    columns = zip(pieces, parse.lemmas, parse.tags, parse.heads, parse.roles, strict=True)
    tokens = [
        Token(piece.wording, lemma, tag, head, role, piece.start, piece.end, piece.kind)
        for piece, lemma, tag, head, role in columns
    ]
    yield from (mention.fact for mention in dependency_rules.mentions(tree(tokens), compounds))


def document(nlp: Language, pieces: Sequence[Piece], parse: Parse) -> Doc:
    """Return a training document of the words that the parser sees."""
    return Doc(
        nlp.vocab,
        words=[piece.seen for piece in pieces],
        spaces=[True] * (len(pieces) - 1) + [False],
        tags=parse.tags,
        lemmas=parse.lemmas,
        heads=parse.heads,
        deps=parse.roles,
    )

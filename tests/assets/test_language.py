"""The scripts beside the bundled pipeline: reading the treebank, copies like captions, counting compounds."""

from __future__ import annotations

from pathlib import Path

import pytest

from core.captions.caption_pieces import pieces, readings
from core.captions.facts import Fact, read_facts
from core.captions.word_splitting import words
from core.models.language.dependency_parser import ASSETS


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global spacy, Doc, Vocab, composed, taken_apart, settled, Annotated, as_clause, lemma, trusted_documents
    global document, fragment, is_fragment_head, lower_cased, read_sentences, with_copies
    import spacy
    from spacy.tokens import Doc
    from spacy.vocab import Vocab

    from assets.language.clauses import composed, taken_apart
    from assets.language.compounds import settled
    from assets.language.silver import Annotated, as_clause, lemma, trusted_documents
    from assets.language.treebank import document, fragment, is_fragment_head, lower_cased, read_sentences
    from assets.language.treebank import with_caption_like_copies as with_copies


CONLLU = """# text = Dogs don't like the big house of Ann.
1	Dogs	dog	NOUN	NNS	_	4	nsubj	_	_
2-3	don't	_	_	_	_	_	_	_	_
2	do	do	AUX	VBP	_	4	aux	_	_
3	n't	not	PART	RB	_	4	advmod	_	_
4	like	like	VERB	VB	_	0	root	_	_
5	the	the	DET	DT	_	7	det	_	_
6	big	big	ADJ	JJ	_	7	amod	_	_
7	house	house	NOUN	NN	_	4	obj	_	_
8	of	of	ADP	IN	_	9	case	_	_
8.1	copy	copy	NOUN	NN	_	_	_	_	_
9	Ann	Ann	PROPN	NNP	_	7	nmod	_	SpaceAfter=No
10	.	.	PUNCT	.	_	4	punct	_	_

"""


@pytest.fixture
def sentences(tmp_path: Path) -> list[tuple[object, ...]]:
    file = tmp_path / "tiny.conllu"
    file.write_text(CONLLU * 2, encoding="utf-8")
    return list(read_sentences(file))  # type: ignore[arg-type]


def text(sentence: object) -> str:
    return document(spacy.blank("en").vocab, sentence).text  # type: ignore[arg-type]


def test_a_treebank_is_read_with_its_own_spaces(sentences: list[tuple[object, ...]]) -> None:
    assert len(sentences) == 2
    assert text(sentences[0]).strip() == "Dogs don't like the big house of Ann."


def test_a_lower_cased_copy_loses_its_full_stop(sentences: list[tuple[object, ...]]) -> None:
    assert text(lower_cased(sentences[0])) == "dogs don't like the big house of ann"  # type: ignore[arg-type]


def test_a_noun_phrase_is_cut_out_with_all_below_it(sentences: list[tuple[object, ...]]) -> None:
    assert is_fragment_head(sentences[0], 6)  # type: ignore[arg-type]
    cut = fragment(sentences[0], 6)  # type: ignore[arg-type]
    assert [(word.text, word.head, word.role) for word in cut] == [
        ("the", 2, "det"),
        ("big", 2, "amod"),
        ("house", 2, "ROOT"),
        ("of", 4, "case"),
        ("Ann", 2, "nmod"),
    ]


def test_copies_depend_on_the_seed_alone(sentences: list[tuple[object, ...]]) -> None:
    assert with_copies(sentences, 1) == with_copies(sentences, 1)  # type: ignore[arg-type]
    assert with_copies(sentences, 1)[:2] == sentences  # type: ignore[arg-type]


def test_compounds_are_listed_when_their_use_is_settled() -> None:
    annotated = [
        ("a tennis racket", read_facts("( tennis racket )")),
        ("two tennis rackets", read_facts("( tennis rackets , is , 2 )")),
        ("a brick wall", read_facts("( wall , is , brick )")),
        ("brick wall here", read_facts("( wall , is , brick )")),
        ("tree branch", read_facts("( tree , have , branch )")),
        ("the tree branches", read_facts("( tree , have , branches )")),
        ("a cat bed", read_facts("( cat bed )")),
    ]
    assert settled(annotated) == [
        (("tennis", "racket"), "thing"),
        (("tennis", "rackets"), "thing"),
        (("tree", "branch"), "have"),
        (("tree", "branches"), "have"),
    ]


def test_a_participle_gets_a_form_of_be() -> None:
    cut = tuple(pieces(words("two men riding horses"), readings([])))
    assert [said for said, _ in as_clause(cut)] == ["two", "men", "is", "riding", "horses", "."]
    assert as_clause(tuple(pieces(words("a man is riding"), readings([])))) == []


def test_verbs_get_the_lemma_of_the_graph() -> None:
    gold = [Fact("cat", "sit on", "mat")]
    assert lemma("sitting", "VBG", gold) == "sit"
    assert lemma("running", "VBG", gold) == "run"
    assert lemma("mats", "NNS", gold) == "mats"


def trusted(vocab: Vocab) -> list[Doc]:
    """Return two captions with their trees: "man in red riding horse" and "dogs running on grass"."""
    man = ["man", "in", "red", "riding", "horse"], ["NN", "IN", "NN", "VBG", "NN"], [0, 2, 0, 0, 3]
    dogs = ["dogs", "running", "on", "grass"], ["NNS", "VBG", "IN", "NN"], [0, 0, 3, 1]
    roles = ["ROOT", "case", "nmod", "acl", "obj"], ["ROOT", "acl", "case", "obl"]
    return [
        Doc(vocab, words=texts, tags=tags, heads=heads, deps=deps, lemmas=texts)
        for (texts, tags, heads), deps in zip((man, dogs), roles, strict=True)
    ]


def test_sentences_are_made_whose_verb_agrees_with_its_subject() -> None:
    vocab = spacy.blank("en").vocab
    lemmas = {"riding": "ride", "running": "run"}
    made = composed(vocab, trusted(vocab), lemmas, ["smile"], 300, seed=1)
    texts = {doc.text for doc in made}
    assert any(text.endswith("man in red rides horse") for text in texts)
    assert {"dogs run on grass", "two dogs run on grass", "dogs smile on grass"} <= texts
    for doc in made:
        assert sum(token.head == token for token in doc) == 1
        for verb in (token for token in doc if token.tag_ in ("VBZ", "VBP") and token.dep_ != "aux"):
            subjects = [token for token in verb.children if token.dep_ == "nsubj"] or (
                [token for token in verb.head.children if token.dep_ == "nsubj"] if verb.dep_ == "conj" else []
            )
            assert {token.tag_ for token in subjects} == {"NN" if verb.tag_ == "VBZ" else "NNS"}


def test_captions_of_another_shape_are_not_taken_apart() -> None:
    vocab = spacy.blank("en").vocab
    doc = Doc(vocab, words=["red", "hat"], tags=["JJ", "NN"], heads=[1, 1], deps=["amod", "ROOT"])
    assert taken_apart(doc, {"riding": "ride"}) is None


def test_captions_are_trusted_when_their_graph_is_reached() -> None:
    nlp = spacy.load(ASSETS / "pipeline")
    cut = tuple(pieces(words("a cat sitting on a mat"), readings([])))
    right, wrong = read_facts("( cat , sit on , mat )"), read_facts("( mat , sit on , cat )")
    (doc,) = trusted_documents(nlp, [Annotated(cut, wrong), Annotated(cut, right)], {})
    assert [token.text for token in doc] == ["a", "cat", "sitting", "on", "a", "mat"]
    assert sum(token.head == token for token in doc) == 1

import json
from pathlib import Path
from typing import Any

import pytest

from core.analysis.error_coding import (
    CODEBOOKS,
    EXPERT_CODES,
    POLOS_CODES,
    CodedSet,
    Coding,
    codebook_of,
    coded_set_json,
    coded_set_of,
    cohens_kappa,
)
from core.errors import BadFile, NotFound

GRAMMAR, OTHERS = "misjudged-grammar", "others"

FILE = Path("file.json")


def coded(**codes: str) -> list[Coding]:
    """Codings by coder: one letter a sample, g for grammar, o for others, - for none."""
    names = {"g": GRAMMAR, "o": OTHERS}
    return [
        Coding(f"s{i}", coder, names[letter])
        for coder, letters in codes.items()
        for i, letter in enumerate(letters)
        if letter != "-"
    ]


def test_the_papers_codebooks_have_six_and_seven_categories_of_a_hundred_samples() -> None:
    assert [len(book.codes) for book in CODEBOOKS] == [6, 7]
    assert [sum(code.published or 0 for code in book.codes) for book in CODEBOOKS] == [100, 100]
    assert EXPERT_CODES.label("others") == "Others"
    with pytest.raises(NotFound, match="OCLD"):
        POLOS_CODES.label("nothing")


def test_kappa_counts_only_samples_that_both_coded() -> None:
    (found,) = cohens_kappa(coded(ann="gog-", bob="go-o"))
    assert (found.samples, found.kappa) == (2, 1.0)


@pytest.mark.parametrize(
    ("ann", "bob", "note"),
    [("g-", "-g", "no sample has a code from both coders"), ("gg", "gg", "gave one and the same code to all samples")],
)
def test_an_undefined_kappa_is_none_and_explained(ann: str, bob: str, note: str) -> None:
    (found,) = cohens_kappa(coded(ann=ann, bob=bob))
    assert found.kappa is None and note in found.note


def test_a_coded_set_comes_back_from_its_file_the_same() -> None:
    saved = CodedSet(EXPERT_CODES, tuple(coded(ann="gogo", bob="oo-g")))
    read = coded_set_of(json.loads(coded_set_json(saved)), FILE, CODEBOOKS)
    assert read.codebook == EXPERT_CODES
    assert set(read.codings) == set(saved.codings)


def test_a_coded_set_with_an_own_codebook_brings_it_along() -> None:
    own = codebook_of({"name": "mine", "codes": [{"key": "a", "label": "Ä"}]}, FILE)
    written = coded_set_json(CodedSet(own, (Coding("s", "ann", "a"),)))
    assert coded_set_of(json.loads(written), FILE, CODEBOOKS).codebook == own


GOOD = {"key": "a", "label": "A"}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ([], "expected a table of names and values"),
        ({"name": "x"}, "codes: expected 1 to 9 codes"),
        ({"name": "x", "codes": [GOOD], "colour": 1}, "colour: expected no such name"),
        ({"name": " ", "codes": [GOOD]}, "name: expected a text of 1 to 200 characters"),
        ({"name": "x", "codes": []}, "1 to 9 codes, found 0"),
        ({"name": "x", "codes": [{"key": str(i), "label": "A"} for i in range(10)]}, "found 10"),
        ({"name": "x", "codes": [GOOD, GOOD]}, "every key once"),
        ({"name": "x", "codes": [{"key": "a"}]}, "codes.1.label: expected a value"),
        ({"name": "x", "codes": [{"key": 1, "label": "A"}]}, "codes.1.key: expected text, found 1"),
        ({"name": "x", "codes": "ab"}, "codes: expected a list, found 'ab'"),
        ({"name": "x", "codes": [GOOD | {"published": 3}]}, "codes.1.published: expected no such name"),
        ({"name": 1, "codes": [{"key": "a"}]}, "name: .*codes.1.label: "),
    ],
)
def test_a_codebook_that_is_not_as_it_should_be_is_refused(content: Any, message: str) -> None:
    with pytest.raises(BadFile, match=message):
        codebook_of(content, FILE)


BOOK = {"name": "x", "codes": [GOOD]}


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"codebook": BOOK}, "codings: expected a value"),
        ({"codebook": BOOK, "codings": [{"sample": "s", "coder": "c", "code": "z"}]}, "found 'z'"),
        ({"codebook": BOOK, "codings": [{"sample": "s", "coder": "c"}]}, "codings.1.code: expected a value"),
        ({"codebook": BOOK, "codings": [{"sample": 1, "coder": "c", "code": "a"}]}, "codings.1.sample: expected text"),
        ({"codebook": BOOK, "codings": [{"sample": "s", "coder": "c", "code": "a"}] * 2}, "c gave s several codes"),
    ],
)
def test_a_coded_set_that_is_not_as_it_should_be_is_refused(content: Any, message: str) -> None:
    with pytest.raises(BadFile, match=message):
        coded_set_of(content, FILE)

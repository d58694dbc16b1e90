import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from core.captions.reading.facts import Fact
from core.captions.reading.pieces import Piece, pieces
from core.captions.reading.words import sentences, words
from core.errors import ModelUnavailable
from core.models.parser import (
    ASSETS,
    MOST_SENTENCES,
    MOST_WORDS,
    MOST_WORDS_OF_TEXT,
    DependencyParser,
)
from tests.core.captions.fact_scores import evaluate, read_gold_graphs

if TYPE_CHECKING:
    from spacy.tokens import Doc


@pytest.fixture(scope="module", autouse=True)
def parser() -> None:
    """Load it, and spaCy, when the tests run, not when they are collected."""
    global PARSER
    PARSER = DependencyParser.load()


def facts_of(captions: Sequence[str]) -> list[list[Fact]]:
    """Return each caption's facts, without the lone things beside them."""
    found = []
    for phrases in PARSER.phrases(captions):
        triplets = [one.fact for one in phrases if one.fact and one.is_triplet]
        found.append(triplets or [one.fact for one in phrases[:1] if one.fact])
    return found


HOSTILE = {
    "brackets": "(" * 2_000,
    "commas": "a," * 1_000,
    "joined nouns": "dog and " * 250,
    "relative clauses": "dog that sits " * 140,
    "pronouns": "dog has it on it " * 110,
    "one long word": "a" * 5_000,
    "emoji": "\U0001f600" * 2_000,
    "sentences of a word": "dog. " * 400,
    "sentences of letters": "a b c d e f g h i. " * 105,
}


@pytest.mark.parametrize("text", HOSTILE.values(), ids=HOSTILE)
def test_a_hostile_text_costs_no_more_than_a_long_caption(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    given: list[int] = []

    def count(sentence: Sequence[Piece]) -> "Doc":
        given.append(len(sentence))
        return DependencyParser._unparsed(PARSER, sentence)

    monkeypatch.setattr(PARSER, "_unparsed", count)
    PARSER.phrases([text])
    assert all(words <= MOST_WORDS for words in given) and len(given) <= MOST_SENTENCES
    assert sum(given) <= MOST_WORDS_OF_TEXT


def test_of_english_every_word_and_every_sentence_is_read() -> None:
    captions = [gold.caption for gold in read_gold_graphs(ASSETS / "captions.csv")]
    long = " ".join(caption for caption in captions if caption.endswith("."))[:4_500]
    for text in (*captions, long, "A dog sits on a mat with me. " * 69):
        read = [len(sentence) for sentence in PARSER._sentences(text)]
        there = [len(list(pieces(words(text, *at), PARSER._readings))) for at in sentences(text)]
        assert read == there, text


CAPTION_WORDS = (
    "a the man woman dog red two wearing sitting holding on in with of and is front top it that hat table , . ! A "
    "İ naïve 🙂 don't 3,000 t-shirt group tennis racket next to his there are"
).split()
captions = st.one_of(
    st.text(max_size=40), st.lists(st.sampled_from(CAPTION_WORDS), max_size=25).map(" ".join)
)  # any text, and captions of known words in any order


@settings(max_examples=150, deadline=None)
@given(captions)
def test_every_phrase_lies_within_its_caption_and_holds_its_head_words(caption: str) -> None:
    (spotted,) = PARSER.phrases([caption])
    for one in spotted:
        start, end = one.span
        assert 0 <= start < end <= len(caption)
        stretch = caption[start:end].lower()
        for name in {one.fact.subject, one.fact.object} - {""} if one.fact else ():
            in_caption = name in caption.lower()
            assert not in_caption or name in stretch, (one, stretch)


def test_a_folder_without_the_pipeline_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(ModelUnavailable, match="train it as"):
        DependencyParser.load(tmp_path)


def test_loading_the_parser_imports_no_torch_and_leaves_it_importable() -> None:
    run_alone(
        "import sys\n"
        "from core.models.parser import DependencyParser\n"
        "DependencyParser.load()\n"
        "assert 'spacy' in sys.modules and 'torch' not in sys.modules\n"
        "import importlib.util\n"
        "assert importlib.util.find_spec('torch')"
    )


def run_alone(code: str) -> None:
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[3])


def test_the_bundled_parser_agrees_with_the_corpus(shared_dir: Path) -> None:
    golds = read_gold_graphs(shared_dir / "data" / "factual" / "dev.csv")
    result = evaluate(facts_of([gold.caption for gold in golds]), golds)
    assert result.captions == 1000
    assert result.set_match >= 69.0
    assert result.spice_f >= 86.5


def test_the_bundled_parser_reads_whole_captions() -> None:
    golds = read_gold_graphs(ASSETS / "captions.csv")
    assert len(golds) >= 150
    assert 3 * sum(gold.part == "held out" for gold in golds) >= len(golds) - 2
    result = evaluate(facts_of([gold.caption for gold in golds]), golds)
    assert result.main_right >= 92.0
    assert result.spice_f >= 93.0


def test_things_without_a_fact_come_last_as_entities() -> None:
    (phrases,) = PARSER.phrases(["There is a red car, a bus and a truck."])
    said = [(phrase.text, phrase.kind, [thing.text for thing in phrase.things]) for phrase in phrases]
    assert said == [("car is red", "attribute", ["car"]), ("bus", "entity", ["bus"]), ("truck", "entity", ["truck"])]

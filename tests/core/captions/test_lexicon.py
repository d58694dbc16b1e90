from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.captions.reading.lexicon import Lexicon, lexicon

LEXICON = lexicon()


@pytest.fixture
def small(tmp_path: Path) -> Lexicon:
    """Animal over dog over puppy; a hot dog and a bat that are something else, and a bat that is an animal."""
    file = tmp_path / "nouns.tsv"
    file.write_text("animal\t\ndog\t0\npuppy\t1\nhot dog\t\nbat/1\t0\nbat\t\n", encoding="utf-8")
    return Lexicon(file)


def namings(table: Lexicon, *pairs: str) -> list[str]:
    return [table.naming(*pair.split(" / ")) for pair in pairs]


def test_a_noun_names_what_it_means_or_what_is_wider(small: Lexicon) -> None:
    same = "dogs / dog", "puppy / dog", "large brown dog / dog", "dog / dog in a red coat", "bat / animal"
    assert set(namings(small, *same, "unheard-of / unheard-of")) == {"is"}
    assert namings(small, "animal / dog", "dog / puppy") == ["wider", "wider"]
    assert namings(small, "hot dog / dog", "unheard-of / dog", "dog / unheard-of") == ["other", "unknown", "unknown"]
    assert small.naming("bat", "animal", likeliest=True) == "other"


def test_what_somebody_does_and_what_somebody_is_may_be_said_of_one_person() -> None:
    wider = "pedestrians / man in a black coat", "woman / pedestrian", "people / man", "people / pedestrian"
    other = "woman / man", "boy / girl", "skier / soldier", "mother / man", "man / crowd", "chef / dog"
    assert set(namings(LEXICON, *wider)) == {"wider"}
    assert set(namings(LEXICON, *other)) == {"other"}


def test_everyday_nouns_name_what_people_call_so() -> None:
    same = "sofa / couch", "kitten / cat", "wine glasses / wine glass", "blue bus / bus", "tie / black tie"
    wider = "animal / dog", "vehicle / bus", "table / dining table", "sign / stop sign"
    other = "hot dog / dog", "teddy bear / bear", "glasses / wine glass", "tree / potted plant", "desk / dining table"
    assert set(namings(LEXICON, *same, "flag / red and white flag")) == {"is"}
    assert set(namings(LEXICON, *wider)) == {"wider"}
    assert set(namings(LEXICON, *other)) == {"other"}
    people = "man women skier people crowd pedestrians child players officer toddler chef guy lady".split()
    assert {LEXICON.naming(noun, "person") for noun in people} == {"is"}
    assert {LEXICON.naming(noun, "person") for noun in ("dog", "toaster", "hot dog", "bear")} == {"other"}
    assert LEXICON.known("trick") is None  # written on a board


words = st.text(st.characters(codec="utf-8"), max_size=30)


@given(words, words)
def test_any_text_can_be_asked_for(noun: str, label: str) -> None:
    assert LEXICON.naming(noun, label) in ("is", "wider", "other", "unknown")
    assert LEXICON.lemma(noun) is None or isinstance(LEXICON.lemma(noun), str)


def test_a_form_leads_to_its_lemma() -> None:
    pairs = (
        "huddled huddle,brushes brush,lies lie,worn wear,riding ride,sitting sit,rolling roll,flies fly,skiing ski,"
        "staring stare,starring star,goes go,parks park,held hold,is be,has have,sewing sew"
    )
    assert [f"{form} {LEXICON.lemma(form)}" for form, _ in map(str.split, pairs.split(","))] == pairs.split(",")
    assert LEXICON.lemma("giraffes") is None

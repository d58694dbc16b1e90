from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.captions.nouns import NounTable, bundled_nouns, head

TABLE = bundled_nouns()


@pytest.fixture
def small(tmp_path: Path) -> NounTable:
    """Animal over dog over puppy; a hot dog and a bat that are something else, and a bat that is an animal."""
    file = tmp_path / "nouns.tsv"
    file.write_text("animal\t\ndog\t0\npuppy\t1\nhot dog\t\nbat/1\t0\nbat\t\n", encoding="utf-8")
    return NounTable.read(file)


def namings(table: NounTable, *pairs: str) -> list[str]:
    return [table.naming(*pair.split(" / ")) for pair in pairs]


def test_a_noun_names_what_it_means_or_what_is_wider(small: NounTable) -> None:
    same = "dogs / dog", "puppy / dog", "large brown dog / dog", "dog / dog in a red coat", "bat / animal"
    assert set(namings(small, *same, "unheard-of / unheard-of")) == {"is"}
    assert namings(small, "animal / dog", "dog / puppy") == ["wider", "wider"]
    assert namings(small, "hot dog / dog", "unheard-of / dog", "dog / unheard-of") == ["other", "unknown", "unknown"]
    assert small.naming("bat", "animal", likeliest=True) == "other"


def test_what_somebody_does_and_what_somebody_is_may_be_said_of_one_person() -> None:
    wider = "pedestrians / man in a black coat", "woman / pedestrian", "people / man", "people / pedestrian"
    other = "woman / man", "boy / girl", "skier / soldier", "mother / man", "man / crowd", "chef / dog"
    assert set(namings(TABLE, *wider)) == {"wider"}
    assert set(namings(TABLE, *other)) == {"other"}


def test_everyday_nouns_name_what_people_call_so() -> None:
    same = "sofa / couch", "kitten / cat", "wine glasses / wine glass", "blue bus / bus", "tie / black tie"
    wider = "animal / dog", "vehicle / bus", "table / dining table", "sign / stop sign"
    other = "hot dog / dog", "teddy bear / bear", "glasses / wine glass", "tree / potted plant", "desk / dining table"
    assert set(namings(TABLE, *same, "flag / red and white flag")) == {"is"}
    assert set(namings(TABLE, *wider)) == {"wider"}
    assert set(namings(TABLE, *other)) == {"other"}
    people = "man women skier people crowd pedestrians child players officer toddler chef guy lady".split()
    assert {TABLE.naming(noun, "person") for noun in people} == {"is"}
    assert {TABLE.naming(noun, "person") for noun in ("dog", "toaster", "hot dog", "bear")} == {"other"}
    assert TABLE.known("trick") is None  # written on a board


def test_a_label_is_about_what_stands_before_its_first_preposition() -> None:
    assert [head(label) for label in ("face of an elderly woman", "dining table", "orange")] == [
        "face", "dining table", "orange",
    ]  # fmt: skip


words = st.text(st.characters(codec="utf-8"), max_size=30)


@given(words, words)
def test_any_text_can_be_asked_for(noun: str, label: str) -> None:
    assert TABLE.naming(noun, label) in ("is", "wider", "other", "unknown")


def test_the_name_changes_with_the_table(small: NounTable, tmp_path: Path) -> None:
    other = tmp_path / "other.tsv"
    other.write_text("animal\t\n", encoding="utf-8")
    assert NounTable.read(other).name != small.name == NounTable.read(tmp_path / "nouns.tsv").name

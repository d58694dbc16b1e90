"""Things to try on a caption: hand-worked edits over a small table of nouns."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.captions.edits import Trial, trials
from core.captions.reading.lexicon import lexicon

NOUNS = lexicon()
LABELS = ("woman in a naval uniform", "glasses", "medal ribbons", "American flag")
KINDS = ("person", "animal", "vehicle", "umbrella")


def tried(caption: str, labels: tuple[str, ...] = LABELS, vocabulary: tuple[str, ...] = KINDS) -> dict[str, str]:
    return {trial.kind: trial.caption for trial in trials(caption, labels, vocabulary, NOUNS)}


def test_a_named_thing_is_left_out_with_the_preposition_that_leads_to_it() -> None:
    assert tried("A woman poses in front of a flag.")["leave out"] == "A woman poses."
    assert tried("A woman in front of a flag, smiling.")["leave out"] == "A woman, smiling."


def test_a_button_names_a_thing_by_its_whole_name() -> None:
    found = trials("People walk below the Eiffel Tower at night.", ("Eiffel Tower",), KINDS, NOUNS)
    assert "leave out “Eiffel Tower”" in [trial.words for trial in found]
    assert "leave out “flag”" in [trial.words for trial in trials("A Woman near a flag.", LABELS, KINDS, NOUNS)]


def test_a_button_names_a_thing_that_the_caption_names_twice_with_its_adjectives() -> None:
    caption, labels = "A bald man points beside a grey-haired man.", ("bald man", "grey-haired man")
    assert [trial.words for trial in trials(caption, labels, KINDS, NOUNS)] == [
        "add a dog",
        "leave out “grey-haired man”",
        "“grey-haired man” → “grey-haired woman”",
    ]
    lions = trials("A male lion lies on a rock.", ("male lion", "rock"), KINDS, NOUNS)
    assert "“male lion” → “dog”" in [trial.words for trial in lions]


def test_what_is_added_or_put_in_a_things_place_is_of_a_kind_that_was_looked_for_and_is_not_there() -> None:
    edits = tried("A woman poses in front of a flag.")
    assert edits["add"] == "A woman poses in front of a flag next to a dog."
    assert edits["exchange"] == "A man poses in front of a flag."
    assert "dog" not in tried("A woman poses.", (*LABELS, "puppy"))["add"]
    assert "umbrella" in tried("A woman poses.", LABELS, ("umbrella",))["add"]
    assert "add" not in tried("A woman poses.", LABELS, ("furniture",))


def test_number_article_and_capital_stay_in_order() -> None:
    assert tried("Two women pose.")["exchange"] == "Two men pose."
    assert tried("An elephant stands.", ("elephant",), ("animal",))["exchange"] == "A dog stands."


COCO = ("dog", "horse", "cat", "bear", "bus", "car", "train", "bicycle", "motorcycle", "bowl", "cup", "person", "bird")


@pytest.mark.parametrize(
    ("caption", "label", "other"),
    [
        ("A flag hangs from the Eiffel Tower.", "Eiffel Tower", None),
        ("A baseball player stands.", "person", None),
        ("A bowl of soup on a table.", "bowl", None),
        ("A bird flying over a beach.", "bird", None),
        ("A brown bird sits on a branch.", "bird", "A brown dog sits on a branch."),
        ("Two female lions walk.", "lion", "Two dogs walk."),
        ("A red bus waits on a street.", "bus", "A red car waits on a street."),
        ("People are walking on a street.", "person", "Horses are walking on a street."),
        ("A red pagoda with orange roofs.", "red pagoda", "A blue pagoda with orange roofs."),
    ],
)
def test_a_thing_becomes_another_thing_of_its_kind_only_where_the_caption_stays_natural(
    caption: str, label: str, other: str | None
) -> None:
    assert tried(caption, (label,), COCO).get("exchange") == other


@pytest.mark.parametrize(
    ("caption", "labels", "left"),
    [
        ("A number of cars on a road.", ("car",), None),
        ("A bear with yellow eyes, round ears and a black nose.", ("eyes", "ears", "nose"), None),
        ("A cup on a table next to a dog.", ("table", "dog"), "A cup on a table."),
        ("A male lion lies on a rock.", ("male lion", "rock"), None),
        ("Pedestrians walk past a bus.", ("bus",), "Pedestrians walk."),
    ],
)
def test_a_thing_is_left_out_only_where_the_rest_is_a_sentence(
    caption: str, labels: tuple[str, ...], left: str | None
) -> None:
    assert tried(caption, labels, COCO).get("leave out") == left


def test_a_thing_is_added_without_a_chain_of_places() -> None:
    assert tried("A bus next to a car.", ("bus",), COCO)["add"] == "A bus next to a car with a dog nearby."


def test_a_caption_that_names_no_region_has_nothing_to_try() -> None:
    assert tried("A quiet afternoon.") == {}
    assert tried("", ()) == {}


@given(st.text(max_size=60), st.lists(st.sampled_from(LABELS), max_size=3))
def test_whatever_is_written_each_trial_is_another_caption(caption: str, labels: list[str]) -> None:
    found = trials(caption, labels, KINDS, NOUNS)
    assert all(isinstance(trial, Trial) and trial.caption != caption for trial in found)
    assert len({trial.kind for trial in found}) == len(found)

"""Things to try on a caption: hand-worked edits over a small table of nouns."""

from hypothesis import given
from hypothesis import strategies as st

from core.captions.caption_edits import Trial, trials
from core.captions.nouns import bundled_nouns

NOUNS = bundled_nouns()
LABELS = ("woman in a naval uniform", "glasses", "medal ribbons", "American flag")
KINDS = ("person", "animal", "vehicle", "umbrella")


def tried(caption: str, labels: tuple[str, ...] = LABELS, vocabulary: tuple[str, ...] = KINDS) -> dict[str, str]:
    return {trial.kind: trial.caption for trial in trials(caption, labels, vocabulary, NOUNS)}


def test_a_named_thing_is_left_out_with_the_preposition_that_leads_to_it() -> None:
    assert tried("A woman poses in front of a flag.")["leave out"] == "A woman poses."
    assert tried("A woman in front of a flag, smiling.")["leave out"] == "A woman, smiling."


def test_what_hangs_on_a_thing_goes_with_it() -> None:
    lions = ("male lion", "rock", "lioness")
    assert tried("A lion rests on a rock with a lioness behind him.", lions)["leave out"] == "A lion rests on a rock."


def test_a_button_names_a_thing_by_its_whole_name() -> None:
    found = trials("People walk below the Eiffel Tower at night.", ("Eiffel Tower",), KINDS, NOUNS)
    assert "leave out “Eiffel Tower”" in [trial.words for trial in found]
    assert "leave out “flag”" in [trial.words for trial in trials("A Woman near a flag.", LABELS, KINDS, NOUNS)]


def test_what_is_added_or_put_in_a_things_place_is_of_a_kind_that_was_looked_for_and_is_not_there() -> None:
    edits = tried("A woman poses in front of a flag.")
    assert edits["add"] == "A woman poses in front of a flag next to a dog."
    assert edits["exchange"] == "A man poses in front of a flag."
    assert "dog" not in tried("A woman poses.", (*LABELS, "puppy"))["add"]
    assert "umbrella" in tried("A woman poses.", LABELS, ("umbrella",))["add"]
    assert "add" not in tried("A woman poses.", LABELS, ("furniture",))


def test_number_article_and_capital_stay_in_order() -> None:
    assert tried("Two women pose.")["exchange"] == "Two men pose."
    assert tried("An elephant stands.", ("elephant",), ("animal",))["exchange"] == "A horse stands."


def test_nobody_is_called_a_woman_who_may_be_one() -> None:
    assert tried("Pedestrians walk.", ("pedestrian",))["exchange"] == "Horses walk."


def test_a_caption_that_names_no_region_has_nothing_to_try() -> None:
    assert tried("A quiet afternoon.") == {}
    assert tried("", ()) == {}


@given(st.text(max_size=60), st.lists(st.sampled_from(LABELS), max_size=3))
def test_whatever_is_written_each_trial_is_another_caption(caption: str, labels: list[str]) -> None:
    found = trials(caption, labels, KINDS, NOUNS)
    assert all(isinstance(trial, Trial) and trial.caption != caption for trial in found)
    assert len({trial.kind for trial in found}) == len(found)

"""Regions that a caption mentions, on the demo's photographs: a label that supports a phrase is never left out."""

import json
import re
from pathlib import Path

import pytest

from core.metrics.hice import HICE
from core.models import ModelSettings
from core.types import Explanation, ImageRef, Sample, Score

DEMO = Path(__file__).parents[3] / "assets" / "demo"
BUS, MEN, ADMIRAL, LIONS = "bus.jpg", "zidane.jpg", "grace_hopper.jpg", "lion.jpg"
TOWER, CHEETAH, FLOWER, PAGODA = "tower.jpg", "cheetah1.jpg", "flower.jpg", "china.jpg"
SAMPLES = [
    (row["image"], row["caption"]) for row in map(json.loads, (DEMO / "demo.jsonl").read_text("utf-8").splitlines())
]
TYPED = [
    (BUS, "A man in a black coat."),
    (BUS, "A person in a patterned coat and a hat."),
    (BUS, "A pedestrian in dark clothes and a hat."),
    (BUS, "A man in a black coat and a man in a beige coat."),
    (BUS, "A man in a black coat walks past a blue bus."),
    (BUS, "The man's coat is beige."),
    (BUS, "The blue bus stands beside a man who wears a black coat."),
    (MEN, "A grey-haired man in a dark suit and glasses."),
    (MEN, "A grey-haired man and a hat."),
    (MEN, "A bald grey-haired man."),
    (MEN, "A man points."),
    (MEN, "A man shouts."),
    (MEN, "A shouting man."),
    (MEN, "The man in the dark suit is pointing."),
    (MEN, "Two men in dark suits and a black tie."),
    (ADMIRAL, "An elderly woman with a naval cap."),
    (LIONS, "A lion with a dark mane."),
    (TOWER, "A tower with golden lights."),
    (CHEETAH, "A cheetah with a black nose."),
    (FLOWER, "A second orange dahlia above dark green leaves."),
    (PAGODA, "Orange tiled roofs on a pagoda."),
]


@pytest.fixture(scope="module")
def metric() -> HICE:
    return HICE.load(ModelSettings(options={"regions": str(DEMO / "regions.json"), "w": "1"}))


@pytest.fixture(scope="module")
def sizes() -> dict[str, tuple[int, int]]:
    rows = json.loads((DEMO / "regions.json").read_text(encoding="utf-8"))["images"]
    return {row["file_name"]: (row["width"], row["height"]) for row in rows}


def judged(metric: HICE, sizes: dict[str, tuple[int, int]], picture: str, caption: str) -> Explanation:
    width, height = sizes[picture]
    (score,) = metric.score([Sample("a", ImageRef(picture, width=width, height=height), caption)])
    assert isinstance(score, Score), score
    return score.explanation


def mentioned(explanation: Explanation) -> list[str]:
    return [region.label for region in explanation.regions if region.label and region.mentioned]


@pytest.mark.parametrize(("picture", "caption"), [*SAMPLES, *TYPED])
def test_a_region_whose_label_is_the_reason_of_a_supported_phrase_is_mentioned(
    metric: HICE, sizes: dict[str, tuple[int, int]], picture: str, caption: str
) -> None:
    explanation = judged(metric, sizes, picture, caption)
    supported = [phrase for phrase in explanation.phrases if phrase.mark == "correct" and phrase.kind == "stated"]
    given = {label for phrase in supported for label in re.findall(r"[Ll]abel “(.+?)”", phrase.reason)}
    assert not any("A label" in phrase.reason for phrase in supported)  # each reason names its label
    own = {region.label for region in explanation.regions}
    assert given & own <= set(mentioned(explanation))


@pytest.mark.parametrize(
    ("picture", "caption", "labels"),
    [
        (BUS, "A man in a black coat.", ["man in a black coat"]),
        (BUS, "A person in a patterned coat and a hat.", ["pedestrian in a patterned coat"]),
        (BUS, "A beige coat.", []),  # who names only a coat does not mention the man
        (BUS, "A man in a beige coat and a man in a black coat.", [
            "man in a beige fleece coat", "man in a black coat"]),
        (MEN, "A grey-haired man in a dark suit and glasses.", ["grey-haired man in a dark suit"]),
        (MEN, "A man points.", ["bald man in a dark suit", "pointing hand"]),
        (MEN, "The grey-haired man points.", ["grey-haired man in a dark suit"]),
        (MEN, "A man shouts.", ["bald man in a dark suit", "shouting face"]),
    ],
)  # fmt: skip
def test_the_region_whose_label_states_most_about_a_thing_is_the_one_meant(
    metric: HICE, sizes: dict[str, tuple[int, int]], picture: str, caption: str, labels: list[str]
) -> None:
    assert mentioned(judged(metric, sizes, picture, caption)) == labels


@pytest.mark.parametrize(
    ("picture", "caption", "shown", "mark"),
    [
        (LIONS, "A lion with a light mane.", "light mane", "incorrect"),
        (LIONS, "A lion with a pale mane.", "pale mane", "incorrect"),
        (LIONS, "A lion with a white mane.", "white mane", "incorrect"),
        (LIONS, "A lion with a blonde mane.", "blonde mane", "incorrect"),
        (LIONS, "A lion with a golden mane.", "golden mane", "not judged"),
        (FLOWER, "A dahlia in front of light green leaves.", "light green leaves", "incorrect"),
        (MEN, "A man in a light suit.", "light suit", "incorrect"),
        (MEN, "A man in a dark shirt.", "dark shirt", "incorrect"),
        (PAGODA, "A dark sky.", "dark sky", "incorrect"),
        (PAGODA, "A light blue sky.", "light blue sky", "not judged"),
        (BUS, "A man in a light coat.", "light coat", "not judged"),
        (BUS, "Light trees.", "light trees", "not judged"),
    ],
)
def test_a_light_thing_is_no_dark_thing(
    metric: HICE, sizes: dict[str, tuple[int, int]], picture: str, caption: str, shown: str, mark: str
) -> None:
    marks = {phrase.shown: phrase.mark for phrase in judged(metric, sizes, picture, caption).phrases}
    assert marks[shown] == mark


def test_the_reason_of_a_relation_is_not_that_of_an_action(metric: HICE, sizes: dict[str, tuple[int, int]]) -> None:
    phrases = judged(metric, sizes, MEN, "The man in the dark suit sleeps.").phrases
    assert [(phrase.shown, phrase.mark) for phrase in phrases] == [
        ("man in suit", "correct"),
        ("man sleeps", "not judged"),
        ("dark suit", "correct"),
    ]


def reasons(explanation: Explanation) -> dict[str, str]:
    return {region.label: region.reason for region in explanation.regions if region.label}


@pytest.mark.parametrize(
    ("picture", "caption", "label", "denied"),
    [
        (BUS, "Nobody is on the bus.", "pedestrian in dark clothes", "nobody is on bus"),
        (BUS, "A bus without passengers.", "man in a black coat", "bus without passengers"),
        (MEN, "A man not wearing a shirt points.", "white shirt", "man not wearing shirt"),
    ],
)
def test_a_denial_of_a_place_does_not_deny_the_things_elsewhere(
    metric: HICE, sizes: dict[str, tuple[int, int]], picture: str, caption: str, label: str, denied: str
) -> None:
    found = reasons(judged(metric, sizes, picture, caption))
    assert found[label] == f"The caption says only “{denied}”."


def test_a_denial_of_the_thing_itself_is_told_as_before(metric: HICE, sizes: dict[str, tuple[int, int]]) -> None:
    found = reasons(judged(metric, sizes, BUS, "There is no bus in the picture."))
    assert found["blue bus"] == "Annotators labelled “blue bus”, but the caption says there is no such thing."


@pytest.mark.parametrize(
    ("picture", "caption", "shown"),
    [(BUS, "Nobody is on the bus.", "nobody is on bus"), (BUS, "The man's coat is beige.", "man's coat")],
)
def test_a_label_that_matches_is_no_reason_of_an_unknown_phrase(
    metric: HICE, sizes: dict[str, tuple[int, int]], picture: str, caption: str, shown: str
) -> None:
    found = {phrase.shown: phrase for phrase in judged(metric, sizes, picture, caption).phrases}[shown]
    assert (found.mark, found.reason) == ("not judged", "The labels do not show whether this is true.")


@pytest.mark.parametrize(
    ("picture", "caption", "shown", "words"),
    [
        (LIONS, "A lion with a pale mane.", "pale mane", "another shade"),
        (MEN, "A man in a dark shirt.", "dark shirt", "another shade"),
        (BUS, "A red bus.", "red bus", "a different colour"),
        (LIONS, "A lion with a white mane.", "white mane", "a different colour"),
    ],
)
def test_light_and_dark_are_shades_and_no_colours(
    metric: HICE, sizes: dict[str, tuple[int, int]], picture: str, caption: str, shown: str, words: str
) -> None:
    found = {phrase.shown: phrase.reason for phrase in judged(metric, sizes, picture, caption).phrases}[shown]
    assert found.endswith(f"names {words} than the caption.")


def test_a_noun_that_may_be_no_person_mentions_nobody(metric: HICE, sizes: dict[str, tuple[int, int]]) -> None:
    found = judged(metric, sizes, BUS, "A coach.")
    assert [phrase.mark for phrase in found.phrases] == ["not judged"]
    assert mentioned(found) == []
    words = "Label “man in a black coat” does not show whether this is “coach”."
    assert reasons(found)["man in a black coat"] == words
    assert mentioned(judged(metric, sizes, MEN, "A coach points at the crowd.")) == ["blurred crowd"]


def test_a_person_of_an_unknown_role_is_mentioned_as_one_who_may_have_it(
    metric: HICE, sizes: dict[str, tuple[int, int]]
) -> None:
    found = judged(metric, sizes, ADMIRAL, "An astronaut.")
    assert [phrase.mark for phrase in found.phrases] == ["not judged"]
    assert "woman in a naval uniform" in mentioned(found)
    words = "This may be the “astronaut”, but label “woman in a naval uniform” does not show it."
    assert reasons(found)["woman in a naval uniform"] == words

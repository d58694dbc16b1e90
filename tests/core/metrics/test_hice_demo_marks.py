"""Marks of captions on the demo's photographs: hand-drawn regions, and captions that a critical reader typed.

The photographs themselves are not needed, only their regions.
"""

import json
from pathlib import Path

import pytest

from core.metrics.hice import HICE
from core.models import ModelSettings
from core.types import Explanation, ImageRef, Mark, Sample, Score

REGIONS = Path(__file__).parents[3] / "assets" / "demo" / "regions.json"
BUS, MEN, ADMIRAL, LIONS = "bus.jpg", "zidane.jpg", "grace_hopper.jpg", "lion.jpg"
TOWER, CHEETAH, FLOWER, PAGODA = "tower.jpg", "cheetah1.jpg", "flower.jpg", "china.jpg"


@pytest.fixture(scope="module")
def metric() -> HICE:
    return HICE.load(ModelSettings(options={"regions": str(REGIONS), "w": "1"}))


@pytest.fixture(scope="module")
def sizes() -> dict[str, tuple[int, int]]:
    rows = json.loads(REGIONS.read_text(encoding="utf-8"))["images"]
    return {row["file_name"]: (row["width"], row["height"]) for row in rows}


def judged(metric: HICE, sizes: dict[str, tuple[int, int]], picture: str, caption: str) -> Explanation:
    width, height = sizes[picture]
    (score,) = metric.score([Sample("a", ImageRef(picture, width=width, height=height), caption)])
    assert isinstance(score, Score), score
    return score.explanation


@pytest.mark.parametrize(
    ("picture", "caption", "marks"),
    [
        # a sky or background is behind all things, and never on, under or before something
        (TOWER, "A tower behind the sky.", {"tower behind sky": "not judged"}),
        (TOWER, "The sky in front of a tower.", {"sky in front of tower": "not judged"}),
        (TOWER, "The sky is under the tower.", {"sky is under tower": "not judged"}),
        (TOWER, "A tower in front of the sky.", {"tower in front of sky": "correct"}),
        (TOWER, "The sky behind the tower.", {"sky behind tower": "correct"}),
        (TOWER, "A tower stands against a sky.", {"tower against sky": "correct"}),
        # outlines that support both opposites show neither
        (TOWER, "Branches under the tower.", {"branches under tower": "not judged"}),
        # men before a bus are not in, on or under it
        (BUS, "A man under a bus.", {"man under bus": "not judged"}),
        (BUS, "A bus over a man.", {"bus over man": "not judged"}),
        (BUS, "The bus has men.", {"bus has men": "not judged"}),
        (BUS, "A man in a bus.", {"man in bus": "not judged"}),
        (BUS, "A man in front of a bus.", {"man in front of bus": "correct"}),
        (BUS, "A bus is under the building.", {"bus is under building": "not judged"}),
        (BUS, "The trees are on the bus.", {"trees are on bus": "not judged"}),
        (BUS, "The bus is on the bollards.", {"bus is on bollards": "not judged"}),
        # actions are not shown, only that the two are near
        (BUS, "A man pushes a bus.", {"man near bus": "correct"}),
        (LIONS, "A lion bites a lioness.", {"lion near lioness": "correct"}),
        # what somebody wears or has behind her is not held
        (ADMIRAL, "The woman holds a cap.", {"woman holds cap": "not judged"}),
        (ADMIRAL, "The woman holds a flag.", {"woman holds flag": "not judged"}),
        (ADMIRAL, "The woman wears a flag.", {"woman wears flag": "not judged"}),
        (ADMIRAL, "A flag on a woman.", {"flag on woman": "not judged"}),
        (ADMIRAL, "A cap on a woman.", {"cap on woman": "correct"}),
        (ADMIRAL, "The woman wears a cap.", {"woman wears cap": "correct"}),
        # a part of one creature is not the part of its neighbour
        (LIONS, "A lioness with a mane.", {"lioness with mane": "not judged"}),
        (LIONS, "A lion with a mane.", {"lion with mane": "correct"}),
        (CHEETAH, "A cheetah in front of a face.", {"cheetah in front of face": "not judged"}),
        (TOWER, "The tower has branches.", {"tower has branches": "not judged"}),
        (LIONS, "The lioness's face.", {"lioness's face": "not judged"}),
        (CHEETAH, "The cheetah holds stripes.", {"cheetah holds stripes": "not judged"}),
        # things are on the ground, not before it
        (LIONS, "A rock in front of a lion.", {"rock in front of lion": "not judged"}),
        (LIONS, "A lion on a rock.", {"lion on rock": "correct"}),
        (PAGODA, "A pagoda on a lake.", {"pagoda on lake": "not judged"}),
        (PAGODA, "Boats on a lake.", {"boats on lake": "correct"}),
        (PAGODA, "A bridge over a lake.", {"bridge over lake": "correct"}),
        (PAGODA, "A pagoda beside a lake.", {"pagoda beside lake": "correct"}),
        # sides are compared by whole outlines
        (LIONS, "The lion is to the left of the lioness.", {"lion is to the left of lioness": "correct"}),
        (BUS, "A man to the left of the bus.", {"man to the left of bus": "not judged"}),
        (BUS, "The bus is to the left of the men.", {"bus is to the left of men": "not judged"}),
        # "and" says only that both are there
        (FLOWER, "A bud and a dahlia.", {"bud and dahlia": "correct"}),
        (LIONS, "A lion and a dog.", {"lion and dog": "incorrect"}),
        # scattered pieces are no place for other things
        (PAGODA, "The columns are on the roofs.", {"columns are on roofs": "not judged"}),
    ],
)  # fmt: skip
def test_a_supported_relation_is_one_that_a_viewer_would_grant(
    metric: HICE, sizes: dict[str, tuple[int, int]], picture: str, caption: str, marks: dict[str, Mark]
) -> None:
    assert {phrase.shown: phrase.mark for phrase in judged(metric, sizes, picture, caption).phrases} == marks


@pytest.mark.parametrize(
    ("picture", "caption", "marks"),
    [
        # labels show as much as their words say
        (BUS, "Two women.", {"two women": "not judged"}),
        (BUS, "A woman beside the bus.", {"woman beside bus": "not judged"}),
        (TOWER, "A traffic light.", {"light": "correct"}),
        (TOWER, "A train platform.", {"platform": "correct"}),
        (ADMIRAL, "A lady with glasses.", {"lady with glasses": "correct"}),
        # a plural or a number needs as many things
        (ADMIRAL, "Women wear caps.", {"women wear caps": "not judged"}),
        (ADMIRAL, "The woman has two caps.", {"woman has caps": "not judged", "two caps": "not judged"}),
        (MEN, "Both men wear lanyards.", {"both men": "correct", "men wear lanyards": "not judged"}),
        (FLOWER, "Many dahlias.", {"dahlias": "not judged"}),
        (BUS, "A family.", {"family": "not judged"}),
        (BUS, "Four men.", {"four men": "not judged"}),
        (BUS, "Four pedestrians.", {"four pedestrians": "correct"}),
        (BUS, "A white church.", {"white church": "not judged"}),
        (BUS, "A white building.", {"white building": "incorrect"}),
        (MEN, "Two gentlemen.", {"two gentlemen": "correct"}),
        # nobody outlines each of many small things
        (PAGODA, "Eleven boats.", {"eleven boats": "not judged"}),
        (PAGODA, "Ten boats.", {"ten boats": "not judged"}),
        (BUS, "Five bollards.", {"five bollards": "incorrect"}),
        (BUS, "Six balconies.", {"six balconies": "correct"}),
        # fragments and denials
        (CHEETAH, "Cheetah", {"cheetah": "correct"}),
        (CHEETAH, "One cheetah.", {"cheetah": "correct"}),
        (CHEETAH, "neither a leopard nor a cheetah", {"neither leopard nor cheetah": "incorrect"}),
        (PAGODA, "A pagoda overlooks no lake with boats.", {
            "pagoda overlooks no lake": "not judged", "no lake with boats": "incorrect"}),
        (TOWER, "A tower overlooks no lake with boats.", {
            "tower overlooks no lake": "not judged", "no lake with boats": "not judged"}),
        (BUS, "Nobody rides a horse.", {"nobody rides horse": "correct"}),
        (BUS, "The man isn't beside a horse.", {"man isn't beside horse": "correct"}),
        (ADMIRAL, "The cap is not on the table.", {"cap is not on table": "not judged"}),
        (BUS, "The horse isn't beside a man.", {"horse isn't beside man": "incorrect"}),
        (FLOWER, "A dahlia whose leaves are red.", {"dahlia": "correct", "leaves are red": "not judged"}),
        (PAGODA, "A pagoda whose roofs are blue.", {"pagoda": "correct", "roofs are blue": "not judged"}),
    ],
)  # fmt: skip
def test_a_mark_claims_what_the_words_of_labels_show(
    metric: HICE, sizes: dict[str, tuple[int, int]], picture: str, caption: str, marks: dict[str, Mark]
) -> None:
    assert {phrase.shown: phrase.mark for phrase in judged(metric, sizes, picture, caption).phrases} == marks


def test_a_denied_relation_does_not_say_that_its_object_is_there(
    metric: HICE, sizes: dict[str, tuple[int, int]]
) -> None:
    (phrase,) = judged(metric, sizes, BUS, "The man isn't beside a horse.").phrases
    assert [(thing.text, thing.mark) for thing in phrase.things] == [("man", "correct")]


def test_a_word_for_the_sex_is_no_confirmed_thing_if_the_label_does_not_say_it(
    metric: HICE, sizes: dict[str, tuple[int, int]]
) -> None:
    (phrase,) = judged(metric, sizes, BUS, "Two women.").phrases
    assert [(thing.text, thing.mark) for thing in phrase.things] == [("women", "not judged")]
    assert phrase.reason.endswith("does not show whether these are “women”.")


@pytest.mark.parametrize(
    ("caption", "mentioned"),
    [
        ("A woman rides a red bus past a white church at night.", {"blue bus"}),
        ("Four men stand before a closed shop.", {"man in a beige fleece coat", "man in a black coat"}),
        ("A pedestrian near a building.", {"pedestrian in dark clothes", "yellow building"}),
        ("Two women.", set()),
    ],
)
def test_a_region_is_mentioned_only_if_its_label_shows_the_noun(
    metric: HICE, sizes: dict[str, tuple[int, int]], caption: str, mentioned: set[str]
) -> None:
    regions = judged(metric, sizes, BUS, caption).regions
    assert {region.label for region in regions if region.mentioned and not region.is_full} == mentioned


@pytest.mark.parametrize(
    ("caption", "shown", "reason"),
    [
        ("A woman rides a red bus.", "woman rides bus", "Label “pedestrian in dark clothes” does not show whether"),
        ("A man rides a red bus.", "man rides bus", "“red bus” is not confirmed. Label “blue bus” names a different"),
        ("A white church.", "white church", "Label “yellow building” does not show whether this is “church”."),
    ],
)
def test_the_reason_names_what_is_unknown(
    metric: HICE, sizes: dict[str, tuple[int, int]], caption: str, shown: str, reason: str
) -> None:
    reasons = {phrase.shown: phrase.reason for phrase in judged(metric, sizes, BUS, caption).phrases}
    assert reasons[shown].startswith(reason)


def test_a_confirmed_part_keeps_the_capitals_of_names(metric: HICE, sizes: dict[str, tuple[int, int]]) -> None:
    for caption, shown in (
        ("The Eiffel Tower stands in front of a blue sky.", "Eiffel Tower in front of sky"),
        ("Eiffel Tower stands in front of a blue sky.", "Eiffel Tower in front of sky"),
        ("Branches hang in front of a blue sky.", "branches in front of sky"),
    ):
        assert shown in [phrase.shown for phrase in judged(metric, sizes, TOWER, caption).phrases]


def test_a_region_says_which_word_its_label_does_not_show(metric: HICE, sizes: dict[str, tuple[int, int]]) -> None:
    regions = judged(metric, sizes, BUS, "A woman near a church.").regions
    (reason,) = {region.reason for region in regions if region.label == "yellow building"}
    assert reason == "Label “yellow building” does not show whether this is “church”."


@pytest.mark.parametrize(
    ("picture", "caption", "mentioned", "lit"),
    [
        (TOWER, "People stand below a tall tree.", {"tree branches"}, {"tree branches"}),
        # a coat does not mention the man who wears it, but his region shows where it is
        (BUS, "A coat.", set(), {"man in a beige fleece coat"}),
        (ADMIRAL, "A uniform.", set(), {"woman in a naval uniform"}),
        # the coat is his, and no other man is mentioned
        (BUS, "A man in a beige coat.", {"man in a beige fleece coat"}, {"man in a beige fleece coat"}),
    ],
)
def test_a_thing_that_a_longer_label_also_names_has_the_region_of_this_label(
    metric: HICE, sizes: dict[str, tuple[int, int]], picture: str, caption: str, mentioned: set[str], lit: set[str]
) -> None:
    found = judged(metric, sizes, picture, caption)
    assert {region.label for region in found.regions if region.mentioned and not region.is_full} == mentioned
    assert {found.regions[place].label for phrase in found.phrases for place in phrase.regions} == lit
    assert all(region.reason.startswith("Label") for region in found.regions if region.label in lit)

"""The sentence under Inspect's headline: hand-worked."""

import numpy as np
import pytest

from core.captions.summary import summary
from core.regions import masks
from core.types import Claim, Explanation, Mark, Phrase, Region, Thing

SIZE = (40, 200)


def thing(text: str, mark: Mark = "correct") -> Thing:
    return Thing(text, (sum(map(ord, text)), 10_000), mark)


def phrase(shown: str, mark: Mark = "correct", *things: Thing, kind: Claim = "stated") -> Phrase:
    return Phrase(shown, (0, 1), 0.5, None, mark, things, kind, shown)


def regions(*labels: str | None) -> tuple[Region, ...]:
    """Return regions beside each other; the caption mentions those whose label ends with an exclamation mark."""
    found = []
    for at, label in enumerate(labels):
        mask = np.zeros(SIZE, bool)
        mask[2:38, 12 * at : 12 * at + 10] = True
        mentioned = bool(label and label.endswith("!"))
        name = label.removesuffix("!") if label else None
        found.append(Region(masks.encode(mask), SIZE, name, False, 0.5, None, mentioned))
    return tuple(found)


def said(phrases: tuple[Phrase, ...], *labels: str | None) -> str:
    return summary(Explanation({}, phrases, regions(*labels), 0.5, "labels/x"))


@pytest.mark.parametrize(
    ("things", "labels", "sentence"),
    [
        ((thing("bus"),), ("bus!",), "Names 1 thing, which is in the picture. Omits nothing that is annotated."),
        (
            (thing("man"), thing("bus"), thing("street")),
            ("bus!", "building", "trees", "bollard", "bollard"),
            "Names 3 things, all in the picture. Omits the building, the trees and two bollards.",
        ),
        (
            (thing("bus"), thing("Umbrella", "incorrect"), thing("horses", "incorrect")),
            ("bus!",),
            "Names 3 things, 1 in the picture. Makes up an umbrella and horses. Omits nothing that is annotated.",
        ),
        (
            (thing("lens", "not judged"),),
            ("man!", "blurred background"),
            "Names 1 thing. The annotations cannot confirm it. Omits only the background.",
        ),
        (
            (thing("man"),),
            ("man!", "man in a long beige fleece coat with buttons", "child", "city", "dish", "old box"),
            "Names 1 thing, which is in the picture. Omits the man in a long beige fleece coat with buttons, the "
            "child, the city and two more.",
        ),
    ],
)
def test_things_are_counted_and_regions_that_are_left_out_are_named(
    things: tuple[Thing, ...], labels: tuple[str | None, ...], sentence: str
) -> None:
    assert said((phrase("x", "not judged", *things),), *labels) == sentence


def test_what_is_wrong_or_rightly_denied_is_quoted() -> None:
    phrases = (
        phrase("two buses", "incorrect", thing("buses")),
        phrase("no dog", "correct", kind="denied"),
    )
    assert said(phrases, "bus!") == (
        "Names 1 thing, which is in the picture, but gets 1 phrase wrong: two buses. Rightly says “no dog”. "
        "Omits nothing that is annotated."
    )
    horse = phrase("horse", "incorrect", thing("horse", "incorrect"))
    assert "Makes up a horse. Wrong: two buses. Rightly" not in said((*phrases, horse), "bus!")
    assert "Makes up a horse. Wrong: two buses." in said((*phrases, horse), "bus!")
    unknown = phrase("no cars are parked", "not judged", kind="denied")
    assert said((unknown,), "bus") == "Denies 1 thing. The annotations cannot confirm it. Omits the bus."


def test_an_encoder_compares_phrases_and_numbers_regions() -> None:
    phrases = phrase("dog"), phrase("cat", "incorrect")
    assert said(phrases, None, "!") == "Says 2 things, 1 of which fits. Omits 1 of 2 regions."
    assert said((), "bus!") == "Says nothing that can be compared with the picture. Omits nothing that is annotated."


def test_a_part_of_what_is_mentioned_is_named_after_omitted_things() -> None:
    lion, paw, tree = np.zeros(SIZE, bool), np.zeros(SIZE, bool), np.zeros(SIZE, bool)
    lion[:, :100], paw[30:, :20], tree[:, 150:] = True, True, True
    drawn = tuple(
        Region(masks.encode(mask), SIZE, label, False, 0.5, None, label == "lion")
        for label, mask in (("lion", lion), ("paw", paw), ("tree", tree))
    )
    found = summary(Explanation({}, (phrase("lion", "correct", thing("lion")),), drawn, 0.5, "labels/x"))
    assert found == "Names 1 thing, which is in the picture. Omits the tree and the paw."

"""Marks of whole captions by labels and outlines, read by the bundled parser.

Pictures are 80 px wide and 60 px high, regions are rectangles. Annotators looked for a few of COCO's classes.
"""

from collections.abc import Sequence

import numpy as np
import pytest

from core.captions.nouns import TABLE, NounTable
from core.metrics.hice import HICE
from core.models.hice.label_reader import LabelReader
from core.models.hice.protocol import HiceParts, LabelWords
from core.models.language.dependency_parser import DependencyParser
from core.regions import masks
from core.regions.annotated import SampleRegions
from core.regions.protocols import Features
from core.types import Explanation, ImageRef, ImageRegion, Mark, Sample, Score

SIZE = (60, 80)  # height, width
VOCABULARY = (
    "person", "car", "truck", "bus", "bird", "horse", "sheep", "bear", "elephant", "dog", "cat", "cup", "bowl", "cake",
    "chair", "couch", "bed", "potted plant", "wine glass", "hair drier", "sports ball", "teddy bear", "tie", "apple",
    "surfboard", "skis", "oven", "refrigerator", "sink", "toilet",
)  # fmt: skip
Drawn = tuple[str, int, int, int, int]  # label, x0, y0, x1, y1

MAN, OTHER_MAN = ("person", 30, 10, 50, 50), ("person", 2, 20, 8, 40)
BUS = ("bus", 52, 5, 79, 50)
FAR_CAR = ("car", 0, 0, 6, 5)
ELEPHANTS, BIRD = ("elephant", 0, 50, 40, 60), ("bird", 70, 50, 75, 60)


class Letters:
    """An encoder that counts letters."""

    name, weight = "letters", 1.0

    def encode_regions(self, image: ImageRef, regions: Sequence[ImageRegion]) -> Features:
        return self.encode_texts([region.label or "all" for region in regions])

    def encode_texts(self, texts: Sequence[str]) -> Features:
        counts = np.array([[1e-3 + text.count(letter) for letter in "abcdefghijklmnopqrstuvwxyz"] for text in texts])
        return np.asarray(counts / np.linalg.norm(counts, axis=1, keepdims=True))

    def tokens_read(self, text: str) -> tuple[int, int]:
        return 0, 0


@pytest.fixture(scope="module")
def metric() -> HICE:
    parser = DependencyParser.load()
    regions = SampleRegions()
    labels = LabelWords(NounTable.read(TABLE), regions.vocabulary, LabelReader(parser))
    return HICE(HiceParts(parser, regions, Letters(), labels))


def judged(metric: HICE, caption: str, *drawn: Drawn) -> Explanation:
    return scored(metric, caption, *drawn).explanation


def scored(metric: HICE, caption: str, *drawn: Drawn) -> Score:
    return score_of(metric, caption, tuple(ImageRegion(rectangles((box,)), SIZE, label) for label, *box in drawn))


def explained(metric: HICE, caption: str, regions: tuple[ImageRegion, ...]) -> Explanation:
    return score_of(metric, caption, regions).explanation


def score_of(metric: HICE, caption: str, regions: tuple[ImageRegion, ...]) -> Score:
    image = ImageRef("picture", width=SIZE[1], height=SIZE[0], regions=regions, vocabulary=VOCABULARY)
    (outcome,) = metric.score([Sample("a", image, caption)])
    assert isinstance(outcome, Score), outcome
    return outcome


def rectangles(boxes: Sequence[Sequence[int]]) -> str:
    mask = np.zeros(SIZE, dtype=bool)
    for x0, y0, x1, y1 in boxes:
        mask[y0:y1, x0:x1] = True
    return masks.encode(mask)


def marks_of(found: Explanation, noun: str) -> set[Mark]:
    """Return the marks of all things of a name, and of the phrases that name it."""
    things = {thing.mark for phrase in found.phrases for thing in phrase.things if noun in thing.text}
    return things | {phrase.mark for phrase in found.phrases if noun in phrase.text}


def mentioned(found: Explanation) -> list[str]:
    return [str(region.label) for region in found.regions if region.mentioned and not region.is_full]


@pytest.mark.parametrize(
    ("caption", "noun"),
    [
        ("A toy bear sits on a shelf.", "bear"),
        ("A stuffed sheep lies on a shelf.", "sheep"),
        ("A poster of a dog hangs on the wall.", "dog"),
        ("Painted elephants decorate a wall.", "elephants"),
        ("A statue of a horse stands in a park.", "horse"),
        ("A family of elephants walks in the grass.", "family"),
        ("A bird stands in a bed of flowers.", "bed"),
        ("Boxes lie in the truck bed.", "bed"),
        ("A black mp3 player lies on a shelf.", "player"),
        ("A crane stands near a building.", "crane"),
        ("A building with white walls and a door in white.", "white"),
        ("Posters hang on a wall.", "posters"),
        ("They graze in the grass.", "people"),
        ("A shelf with settings for seven people.", "people"),
        ("An apple-shaped lamp like an apple stands on a shelf.", "apple"),
    ],
)
def test_a_noun_that_may_mean_something_else_is_not_contradicted(metric: HICE, caption: str, noun: str) -> None:
    assert "incorrect" not in marks_of(judged(metric, caption, FAR_CAR, ELEPHANTS, BIRD), noun)


@pytest.mark.parametrize(
    ("caption", "label"),
    [("A chair stands in a room.", "couch"), ("A car waits in a street.", "truck"), ("An orange lies there.", "apple")],
)
def test_a_label_that_annotators_may_have_used_instead_contradicts_nothing(
    metric: HICE, caption: str, label: str
) -> None:
    found = judged(metric, caption, (label, 10, 10, 40, 40))
    assert "incorrect" not in {phrase.mark for phrase in found.phrases}


@pytest.mark.parametrize(
    ("caption", "noun"),
    [
        ("A potted plant stands on a shelf.", "plant"),
        ("A wine glass stands on a shelf.", "glass"),
        ("A sports ball lies in the grass.", "ball"),
        ("A hair drier lies on a shelf.", "drier"),
        ("A bear stands in the grass.", "bear"),
        ("A man stands in the grass.", "man"),
        ("A picture of a dog in the grass.", "dog"),
    ],
)
def test_an_absent_thing_is_contradicted_under_a_name_of_two_words_too(metric: HICE, caption: str, noun: str) -> None:
    assert "incorrect" in marks_of(judged(metric, caption, FAR_CAR), noun)


@pytest.mark.parametrize(
    ("noun", "label"),
    [
        *((f"{kind} cake", "cake") for kind in ("wedding", "birthday", "chocolate")),
        *((f"{kind} bowl", "bowl") for kind in ("salad", "soup", "mixing")),
        ("sailboat", "boat"), ("toaster oven", "oven"), ("computer mouse", "mouse"), ("goblet", "cup"),
        ("pizza slice", "pizza"), ("crib", "bed"), ("panda", "bear"), ("toy bear", "teddy bear"),
        *((kind, "person") for kind in ("baker", "butcher", "climber", "diver", "goalie", "driver")),
    ],
)  # fmt: skip
def test_a_narrower_name_mentions_its_kind(noun: str, label: str) -> None:
    assert NounTable.read(TABLE).naming(noun, label) == "is"


def test_a_noun_in_the_singular_mentions_one_region_the_likeliest(metric: HICE) -> None:
    found = judged(metric, "A farmer stands in the grass.", OTHER_MAN, MAN, ("person", 70, 0, 79, 20))
    assert [region.mentioned for region in found.regions] == [False, True, False, True]
    assert found.regions[0].reason == "Label “person” matches “farmer”, but the caption refers to another region."


@pytest.mark.parametrize(
    ("caption", "times"),
    [
        ("Two men stand in the grass.", 2),
        ("A man stands near another man.", 2),
        ("A man stands in the grass. The man wears a hat.", 1),
        ("Many people stand in the grass.", 3),
        ("A crowd stands in the grass.", 3),
        ("They stand in the grass.", 3),
        ("People stand in the grass.", 3),
    ],
)
def test_a_caption_mentions_as_many_regions_as_it_means(metric: HICE, caption: str, times: int) -> None:
    found = judged(metric, caption, OTHER_MAN, MAN, ("person", 70, 0, 79, 20))
    assert mentioned(found) == ["person"] * times


@pytest.mark.parametrize(
    ("caption", "noun"),
    [("A lion lies on a rock.", "lion"), ("The lioness lies on a rock.", "lioness")],
)
def test_a_region_with_the_nouns_own_label_is_meant_first(metric: HICE, caption: str, noun: str) -> None:
    found = judged(metric, caption, ("male lion", 0, 0, 10, 10), ("lioness", 20, 20, 70, 60))
    assert mentioned(found) == ["male lion" if noun == "lion" else "lioness"]


def test_the_region_whose_label_states_the_attribute_is_meant(metric: HICE) -> None:
    found = judged(metric, "A red bus waits.", ("blue bus", 10, 10, 60, 55), ("red bus", 62, 10, 79, 30))
    assert mentioned(found) == ["red bus"]


@pytest.mark.parametrize(
    ("caption", "drawn"),
    [
        ("Three men walk past.", (MAN, OTHER_MAN, ("man in a coat", 60, 10, 70, 50))),
        ("Many people walk past.", (MAN, OTHER_MAN)),
        ("An animal rests.", (("male lion", 0, 0, 30, 30), ("lioness", 40, 20, 70, 60))),
        ("They rest.", (MAN, OTHER_MAN)),
    ],
)
def test_whatever_is_supported_as_a_thing_is_mentioned_as_a_region(
    metric: HICE, caption: str, drawn: tuple[Drawn, ...]
) -> None:
    found = judged(metric, caption, *drawn)
    assert {thing.mark for phrase in found.phrases for thing in phrase.things} == {"correct"}
    assert mentioned(found)


@pytest.mark.parametrize(
    ("caption", "labels"),
    [
        ("The kitchen has a bus, and microwaves.", ["microwave"]),
        ("An oven, and no microwaves.", []),
        ("A microwave oven.", ["microwave"]),
    ],
)
def test_a_label_in_the_caption_is_mentioned_though_the_parser_read_it_otherwise(
    metric: HICE, caption: str, labels: list[str]
) -> None:
    assert mentioned(judged(metric, caption, ("microwave", 0, 0, 20, 20))) == labels


def test_a_thing_that_is_not_supported_mentions_nothing(metric: HICE) -> None:
    assert mentioned(judged(metric, "A bus stop.", BUS)) == []


@pytest.mark.parametrize(
    ("caption", "drawn", "mark"),
    [
        ("Two lionesses rest.", (("male lion", 0, 0, 30, 30), ("lioness", 40, 20, 70, 60)), "not judged"),
        ("Four balconies.", (("balconies", 0, 0, 30, 30),), "not judged"),
        ("Two men rest.", (MAN, OTHER_MAN), "correct"),
        ("Three men rest.", (MAN, OTHER_MAN), "incorrect"),
        ("A ten speed car waits.", (("car", 0, 0, 30, 30),), "not judged"),
    ],
)
def test_outlines_are_counted_and_a_plural_label_is_several(
    metric: HICE, caption: str, drawn: tuple[Drawn, ...], mark: Mark
) -> None:
    counts = [phrase for phrase in judged(metric, caption, *drawn).phrases if phrase.text.split()[-1].isdigit()]
    assert {phrase.mark for phrase in counts} <= {mark}
    assert counts or mark == "not judged"


def test_separate_pieces_of_one_outline_are_counted(metric: HICE) -> None:
    four = rectangles([(10 * n, 10, 10 * n + 5, 20) for n in range(4)])
    found = explained(metric, "Four balconies.", (ImageRegion(four, SIZE, "balconies"),))
    assert [phrase.mark for phrase in found.phrases] == ["correct"]


ON_HORSE = (("person", 30, 5, 45, 35), ("horse", 20, 20, 60, 55))


@pytest.mark.parametrize(
    ("caption", "drawn", "mark"),
    [
        ("Two people next to a bus.", (("person", 30, 10, 40, 50), ("person", 41, 10, 50, 50), BUS), "correct"),
        ("A person next to a bus.", (MAN, BUS), "correct"),
        ("A person next to a bus.", (OTHER_MAN, BUS), "not judged"),
        ("A man rides a horse.", ON_HORSE, "correct"),
        ("A man on a horse.", ON_HORSE, "correct"),
        ("A horse on a man.", ON_HORSE, "not judged"),
        ("A horse under a man.", ON_HORSE, "correct"),
        ("A man wears a tie.", (MAN, ("tie", 38, 15, 42, 30)), "correct"),
        ("A man holds a cup.", (MAN, ("cup", 48, 25, 54, 32)), "correct"),
        ("A man holds a cup.", (MAN, ("cup", 70, 25, 76, 32)), "not judged"),
        ("A cake in a bowl.", (("cake", 22, 30, 38, 40), ("bowl", 20, 28, 40, 50)), "correct"),
        ("A man in a bus.", (("person", 40, 20, 48, 45), ("bus", 20, 5, 79, 50)), "correct"),
        ("A man inside a bus.", (("person", 40, 10, 48, 55), ("bus", 20, 5, 79, 50)), "not judged"),
        ("A man in front of a bus.", (("person", 55, 20, 65, 58), BUS), "correct"),
        ("A man behind a bus.", (("person", 50, 10, 58, 30), BUS), "correct"),
        ("A man next to a dog.", (MAN, BUS), "incorrect"),
        ("A man chases a horse.", ON_HORSE, "not judged"),
        ("A man leads a horse.", ON_HORSE, "correct"),
        ("A man walks a dog.", (MAN, ("dog", 52, 35, 65, 50)), "correct"),
        ("A man walks a dog.", (OTHER_MAN, ("dog", 52, 35, 65, 50)), "not judged"),
        ("A herd of elephants.", (ELEPHANTS, ("elephant", 50, 20, 60, 30), ("elephant", 65, 20, 75, 30)), "correct"),
        ("A man travels on a horse.", ON_HORSE, "correct"),
        ("A cat sleeps on a bed.", (("cat", 30, 20, 45, 32), ("bed", 20, 28, 60, 50)), "correct"),
        ("A dog runs in front of a bus.", (("dog", 55, 20, 65, 58), BUS), "correct"),
        ("A bowl of apples.", (("apple", 22, 30, 38, 40), ("bowl", 20, 28, 40, 50)), "correct"),
        ("A man has a cup.", (MAN, ("cup", 48, 25, 54, 32)), "correct"),
        ("A man to the left of a bus.", (MAN, BUS), "correct"),
        ("A man to the right of a bus.", (MAN, BUS), "not judged"),
        ("A man surfs on a surfboard.", (("person", 30, 20, 40, 40), ("surfboard", 25, 15, 60, 40)), "correct"),
    ],
)
def test_outlines_support_relations_and_never_contradict_them(
    metric: HICE, caption: str, drawn: tuple[Drawn, ...], mark: Mark
) -> None:
    (phrase,) = (phrase for phrase in judged(metric, caption, *drawn).phrases if len(phrase.text.split()) > 2
                 and not phrase.text.split()[-1].isdigit())  # fmt: skip
    assert phrase.mark == mark


@pytest.mark.parametrize(
    ("caption", "drawn", "mark"),
    [
        ("Nobody is on the horse.", ON_HORSE, "incorrect"),
        ("Nobody is next to the bus.", (MAN, BUS), "incorrect"),
        ("Nobody is next to the bus.", (OTHER_MAN, BUS), "not judged"),
        ("There is no person on the horse.", ON_HORSE, "incorrect"),
        ("There is no man on the horse.", ON_HORSE, "not judged"),
        ("Nobody walks the dog.", (MAN, ("dog", 52, 35, 65, 50)), "not judged"),
    ],
)
def test_outlines_refute_that_nobody_is_in_a_place(
    metric: HICE, caption: str, drawn: tuple[Drawn, ...], mark: Mark
) -> None:
    (phrase,) = (phrase for phrase in judged(metric, caption, *drawn).phrases if phrase.kind == "denied")
    assert phrase.mark == mark


ON_BED = (("cat", 30, 20, 45, 32), ("bed", 20, 28, 60, 50))


@pytest.mark.parametrize(
    ("caption", "drawn", "shown", "mark"),
    [
        ("A cat sleeps on a bed.", ON_BED, "cat on bed", "correct"),
        ("A cat is sitting down on the bed.", ON_BED, "cat on bed", "correct"),
        ("A cat on a bed.", ON_BED, "cat on bed", "correct"),
        ("The cat is not sleeping on the bed.", ON_BED, "cat is not sleeping on bed", "not judged"),
        ("The cat is not on the bed.", ON_BED, "cat is not on bed", "incorrect"),
        ("A man stands with a horse.", ON_HORSE, "person with horse", "correct"),
        ("A man runs behind a dog.", (MAN, ("dog", 2, 50, 12, 58)), "man runs behind dog", "not judged"),
    ],
)
def test_outlines_show_a_place_but_no_posture_or_motion(
    metric: HICE, caption: str, drawn: tuple[Drawn, ...], shown: str, mark: Mark
) -> None:
    (phrase,) = judged(metric, caption, *drawn).phrases
    assert (phrase.shown, phrase.mark) == (shown, mark)


def test_the_reason_says_which_posture_outlines_do_not_show(metric: HICE) -> None:
    (phrase,) = judged(metric, "A cat sleeps on a bed.", *ON_BED).phrases
    assert phrase.reason.endswith("The outlines do not show “sleep”.")


def test_a_crowd_with_a_label_of_its_own_is_not_the_people_before_it(metric: HICE) -> None:
    people = (("man", 10, 10, 20, 50), ("man", 22, 10, 32, 50), ("blurred crowd", 40, 10, 79, 30))
    assert mentioned(judged(metric, "Two men stand in front of a crowd.", *people)) == ["man", "man", "blurred crowd"]
    assert mentioned(judged(metric, "Two women stand in front of a crowd.", *people)) == ["blurred crowd"]
    assert mentioned(judged(metric, "A crowd in the street.", *people[:2])) == ["man", "man"]


STREET = (("blue bus", 20, 5, 79, 50), ("man", 40, 10, 48, 55), ("man", 30, 12, 38, 56))
TWO_MEN = (("bald man", 5, 5, 40, 60), ("grey-haired man", 42, 5, 78, 60), ("face", 15, 8, 25, 18))
RIDER = (("person", 10, 10, 20, 40), ("bicycle", 8, 25, 24, 50))


@pytest.mark.parametrize(
    ("caption", "drawn", "marks"),
    [
        # a denial of two things needs both to be absent
        ("No dog and no bus.", STREET, {"no dog no bus": "incorrect"}),
        ("There is no dog or bus.", STREET, {"no dog": "correct", "no bus": "incorrect"}),
        # an object of "overlook" is there
        ("A man overlooks a cat.", STREET, {"man overlooks cat": "incorrect"}),
        # things that are offered or supposed are not claimed
        ("A bus or a dog.", STREET, {"bus or dog": "not judged"}),
        ("Is it a dog?", STREET, {"dog": "not judged"}),
        ("If there were a dog here.", STREET, {"dog": "not judged"}),
        ("Men and a dog.", STREET, {"men and dog": "incorrect"}),
        # outlines that would support the opposite too, or that lie side by side
        ("A man drives a bus.", STREET, {"man drives bus": "not judged"}),
        ("A man under a bus.", STREET, {"man under bus": "not judged"}),
        ("A bus over a man.", STREET, {"bus over man": "not judged"}),
        # a role needs a label or its equipment
        ("An astronaut.", STREET, {"astronaut": "not judged"}),
        ("No astronaut is here.", STREET, {"no astronaut is here": "not judged"}),
        ("A witch beside a bus.", STREET, {"witch beside bus": "not judged"}),
        ("A girl.", STREET, {"girl": "incorrect"}),
        ("A boy.", STREET, {"boy": "not judged"}),
        ("Two boys.", TWO_MEN, {"two boys": "not judged"}),
        ("A boy.", (MAN,), {"person": "correct"}),
        ("A cyclist.", RIDER, {"cyclist": "correct"}),
        ("A cyclist.", RIDER[:1], {"cyclist": "not judged"}),
        # an attribute of several things needs as many labels
        ("Two bald men.", TWO_MEN, {"two men": "correct", "bald men": "not judged"}),
        ("A bald man.", TWO_MEN, {"bald man": "correct"}),
        # annotators outline only some parts of bodies
        ("Two faces.", TWO_MEN, {"two faces": "not judged"}),
        ("Three men.", TWO_MEN, {"three men": "incorrect"}),
    ],
)
def test_a_mark_says_no_more_than_labels_and_outlines_show(
    metric: HICE, caption: str, drawn: tuple[Drawn, ...], marks: dict[str, Mark]
) -> None:
    assert {phrase.shown: phrase.mark for phrase in judged(metric, caption, *drawn).phrases} == marks


def test_two_definite_things_with_different_attributes_are_two_regions(metric: HICE) -> None:
    found = judged(metric, "The bald man stands beside the grey-haired man.", *TWO_MEN[:2])
    assert mentioned(found) == ["bald man", "grey-haired man"]
    assert mentioned(judged(metric, "A bald man sits. The man smiles.", *TWO_MEN[:2])) == ["bald man"]


@pytest.mark.parametrize(
    ("caption", "things"),
    [
        ("A toy dog.", {"toy dog": "not judged"}),
        ("A statue of a dog.", {"dog": "not judged"}),
        ("A mountain lion.", {"lion": "correct"}),
        ("A male and a female.", {"male": "not judged", "female": "not judged"}),
    ],
)
def test_a_thing_is_confirmed_by_the_words_that_labels_show(
    metric: HICE, caption: str, things: dict[str, Mark]
) -> None:
    found = judged(metric, caption, ("dog", 5, 5, 40, 50), ("lion", 42, 5, 78, 50))
    assert {thing.text: thing.mark for phrase in found.phrases for thing in phrase.things} == things


RIDING = (("person", 30, 8, 45, 50), ("motorcycle", 20, 22, 60, 55))
RIDER_BOX = ("person", 30, 5, 45, 35)
SKIER = (RIDER_BOX, ("skis", 20, 33, 60, 42))


@pytest.mark.parametrize(
    ("caption", "drawn", "marks"),
    [
        # labels show a class, not its narrower kinds
        ("A woman rides a horse.", ON_HORSE, {"person rides horse": "correct"}),
        ("A puppy.", (("dog", 5, 5, 40, 50),), {"dog": "correct"}),
        ("Two men.", (MAN, OTHER_MAN), {"two people": "correct"}),
        ("A poodle on a bed.", (("dog", 30, 20, 45, 32), ON_BED[1]), {"dog on bed": "correct"}),
        ("An animal.", (("dog", 5, 5, 40, 50),), {"animal": "correct"}),
        ("There is no woman on the horse.", ON_HORSE, {"no woman on horse": "not judged"}),
        ("There is no person on the horse.", ON_HORSE, {"no person on horse": "incorrect"}),
        # persons are on what they ride
        ("A person is on a motorcycle.", RIDING, {"person is on motorcycle": "correct"}),
        # an activity is shown by its board, although nobody outlines hills
        ("A person skiing down a hill.", SKIER, {"person skiing": "correct"}),
        ("A person skiing down a hill.", (MAN,), {"person skiing down hill": "not judged"}),
        # what lies at somebody's feet is not held, and what is larger is not ridden
        ("A man holds a dog.", (MAN, ("dog", 48, 40, 56, 50)), {"man holds dog": "not judged"}),
        ("A person holds a dog.", (MAN, ("dog", 48, 25, 54, 32)), {"person holds dog": "correct"}),
        ("A person rides a dog.", (RIDER_BOX, ("dog", 20, 20, 60, 55)), {"person rides dog": "not judged"}),
        ("A person on a dog.", (RIDER_BOX, ("dog", 20, 20, 60, 55)), {"person on dog": "not judged"}),
        ("A person on a table.", (RIDER_BOX, ("table", 20, 30, 60, 55)), {"person on table": "not judged"}),
        ("Two people wear ties.", (MAN, OTHER_MAN, ("tie", 38, 15, 42, 30)), {
            "two people": "correct", "people wear ties": "not judged"}),
    ],
)  # fmt: skip
def test_a_mark_names_what_is_certain(
    metric: HICE, caption: str, drawn: tuple[Drawn, ...], marks: dict[str, Mark]
) -> None:
    assert {phrase.shown: phrase.mark for phrase in judged(metric, caption, *drawn).phrases} == marks


LION, MANE = ("male lion", 10, 10, 70, 55), ("dark mane", 15, 12, 35, 40)
MANED_LION = ("male lion with a dark mane", 10, 10, 70, 55)


@pytest.mark.parametrize(
    ("caption", "drawn", "mark"),
    [
        ("A lion with a light mane.", (LION, MANE), "not judged"),
        ("A lion with a light mane.", (MANED_LION,), "not judged"),
        ("A lion with a dark mane.", (MANED_LION,), "correct"),
        ("A lion with a mane.", (MANED_LION,), "correct"),
        ("A lion with a light mane.", (("lion with a mane", 10, 10, 70, 55),), "correct"),
        ("A man in a red tie.", (MAN, ("blue tie", 38, 15, 42, 30)), "not judged"),
        ("A man in a red tie.", (MAN, ("tie", 38, 15, 42, 30)), "correct"),
        ("A man in a red tie.", (MAN, ("red tie", 38, 15, 42, 30)), "correct"),
        ("A man wears a tie.", (MAN, ("red tie", 38, 15, 42, 30)), "correct"),
    ],
)
def test_a_relation_claims_no_attribute_that_the_labels_leave_unknown(
    metric: HICE, caption: str, drawn: tuple[Drawn, ...], mark: Mark
) -> None:
    (phrase,) = (phrase for phrase in judged(metric, caption, *drawn).phrases if " is " not in phrase.text)
    assert phrase.mark == mark


@pytest.mark.parametrize(
    ("caption", "name"),
    [
        ("A wine glass stands on a shelf.", "wine glass"),
        ("A hair drier lies on a shelf.", "hair drier"),
        ("A potted plant stands on a shelf.", "potted plant"),
        ("Two wine glasses stand on a shelf.", "wine glasses"),
        ("A man holds a sports ball.", "sports ball"),
        ("A birthday cake stands on a shelf.", "birthday cake"),
        ("A red car waits in a street.", "car"),
        ("He stands there.", "man"),
    ],
)
def test_a_thing_is_named_by_both_words_of_its_name(metric: HICE, caption: str, name: str) -> None:
    things = {thing.text for phrase in judged(metric, caption, BIRD).phrases for thing in phrase.things}
    assert name in things
    assert not any(len(thing) < len(name) and name.endswith(f" {thing}") for thing in things)


def test_both_words_of_a_name_are_marked_in_the_caption(metric: HICE) -> None:
    caption = "A cup and a potted plant."
    spans = {thing.span for phrase in judged(metric, caption, BIRD).phrases for thing in phrase.things}
    assert {caption[start:end] for start, end in spans} == {"cup", "potted plant"}


def test_the_reason_names_an_absent_thing_by_both_words(metric: HICE) -> None:
    found = judged(metric, "A wine glass.", BIRD)
    assert [phrase.reason for phrase in found.phrases] == [
        "Annotators looked for “wine glass” and found none in this picture."
    ]


def test_a_supported_relation_names_the_rule_in_words(metric: HICE) -> None:
    (phrase,) = judged(metric, "A person rides a horse.", *ON_HORSE).phrases
    assert phrase.reason == (
        "“person” and “horse” are labelled: their outlines touch, and the first is above or within the second."
    )


def test_of_several_people_the_one_in_the_stated_relation_is_meant(metric: HICE) -> None:
    found = judged(metric, "A man rides a horse.", ("person", 60, 0, 79, 60), *ON_HORSE)
    assert [region.mentioned for region in found.regions][:3] == [False, True, True]
    assert found.phrases[0].mark == "correct"


NEAR_DOGS = (("dog", 10, 20, 20, 30), ("dog", 21, 20, 30, 30))
FAR_DOGS = (("dog", 2, 20, 10, 30), ("dog", 60, 20, 70, 30))


@pytest.mark.parametrize(
    ("caption", "drawn", "mark"),
    [
        ("Two dogs lie next to each other.", NEAR_DOGS, "correct"),
        ("Two dogs lie next to each other.", FAR_DOGS, "not judged"),
        ("Two dogs stand side by side.", NEAR_DOGS, "correct"),
        ("Dogs sitting near one another.", NEAR_DOGS, "correct"),
        ("Two dogs look at each other.", NEAR_DOGS, "not judged"),
        ("Two dogs chase each other.", NEAR_DOGS, "not judged"),
    ],
)
def test_outlines_support_that_things_are_next_to_each_other(
    metric: HICE, caption: str, drawn: tuple[Drawn, ...], mark: Mark
) -> None:
    phrases = [phrase for phrase in judged(metric, caption, *drawn).phrases if not phrase.text.endswith(" 2")]
    assert [phrase.mark for phrase in phrases] == [mark]


@pytest.mark.parametrize(
    ("caption", "mark"),
    [
        ("A man is surfing.", "correct"),
        ("A man is skiing.", "not judged"),
        ("A man is smiling.", "not judged"),
    ],
)
def test_an_action_on_a_board_is_supported_by_the_board(metric: HICE, caption: str, mark: Mark) -> None:
    (phrase,) = judged(metric, caption, ("person", 30, 5, 45, 35), ("surfboard", 20, 33, 60, 42)).phrases
    assert phrase.mark == mark


@pytest.mark.parametrize("labels", [("surfboard",), ("surfboard", "skis")])
def test_a_board_elsewhere_supports_no_action(metric: HICE, labels: tuple[str, ...]) -> None:
    drawn = [(label, 60, 5, 79, 15) for label in labels]
    (phrase,) = judged(metric, "A man is surfing.", ("person", 2, 30, 15, 55), *drawn).phrases
    assert phrase.mark == "not judged"


OVEN, FRIDGE = ("oven", 0, 30, 20, 59), ("refrigerator", 60, 5, 79, 59)
TOILET, SINK = ("toilet", 30, 30, 45, 59), ("sink", 5, 25, 20, 35)


@pytest.mark.parametrize(
    ("caption", "drawn", "mark"),
    [
        ("A kitchen with an oven.", (OVEN, FRIDGE), "correct"),
        ("An oven in a kitchen.", (OVEN, FRIDGE), "correct"),
        ("A kitchen with an oven.", (OVEN, BUS), "not judged"),
        ("A kitchen with a window.", (OVEN, FRIDGE), "not judged"),
        ("A bathroom with a toilet.", (TOILET, SINK), "correct"),
        ("A bathroom with a toilet.", (TOILET, BUS), "not judged"),
        ("A kitchen with a toilet.", (TOILET, SINK), "not judged"),
        ("A room with a toilet.", (TOILET, SINK), "correct"),
        ("A living room with a toilet.", (TOILET, SINK), "not judged"),
    ],
)
def test_two_fixtures_show_a_room(metric: HICE, caption: str, drawn: tuple[Drawn, ...], mark: Mark) -> None:
    (phrase,) = judged(metric, caption, *drawn).phrases
    assert phrase.mark == mark


def test_a_supported_room_names_its_fixtures(metric: HICE) -> None:
    (phrase,) = judged(metric, "A bathroom with a toilet.", TOILET, SINK).phrases
    assert phrase.reason == "Labels “toilet” and “sink” show “bathroom”, and “toilet” is labelled."
    assert [thing.mark for thing in phrase.things] == ["correct", "correct"]


@pytest.mark.parametrize(
    ("caption", "label", "mark"),
    [
        ("A man in jeans.", "man in dark clothes", "not judged"),
        ("A man in a beige coat.", "man in a beige fleece coat", "correct"),
        ("A woman in a naval uniform.", "woman in a naval uniform", "correct"),
    ],
)
def test_clothes_are_supported_only_by_a_label_that_names_them(
    metric: HICE, caption: str, label: str, mark: Mark
) -> None:
    found = judged(metric, caption, (label, 30, 10, 50, 50))
    assert {phrase.mark for phrase in found.phrases} == {mark}


def test_each_mark_has_its_reason_in_words(metric: HICE) -> None:
    found = judged(metric, "A coach waits next to a dog.", BUS, MAN)
    assert all(phrase.reason.endswith(".") for phrase in found.phrases)
    assert all(region.reason.endswith(".") for region in found.regions if not region.is_full)
    assert [phrase.reason for phrase in judged(metric, "A tall man near a shelf.", MAN).phrases] == [
        "“man” is labelled, but no label says “tall”.",
        "The labels do not show whether there is “shelf”.",
    ]
    assert found.regions[0].reason == "No noun of the caption matches label “bus”."


def test_a_thing_that_a_sentence_denies_alone_is_a_phrase_and_leaves_the_score_as_it_was(metric: HICE) -> None:
    with_denial = scored(metric, "A man stands beside a bus. There is no dog.", MAN, BUS)
    assert [(one.shown, one.mark) for one in with_denial.explanation.phrases if one.kind == "denied"] == [
        ("no dog", "correct")
    ]
    alone = scored(metric, "A man stands beside a bus.", MAN, BUS)
    assert {with_denial.components[name] for name in ("precision", "recall")} == {
        alone.components[name] for name in ("precision", "recall")
    }
    supports = [[region.support for region in one.explanation.regions] for one in (with_denial, alone)]
    assert supports[0] == supports[1]


@pytest.mark.parametrize(
    ("caption", "shown"),
    [
        ("A man dries his hair with a hair dryer.", "person near hair dryer"),
        ("A man eats with a spoon and a bowl.", "person near bowl"),
        ("A shelf is stocked with cups.", "shelf is stocked with cups"),
    ],
)
def test_outlines_support_what_is_used_or_contained(metric: HICE, caption: str, shown: str) -> None:
    found = judged(metric, caption, MAN, ("hair drier", 44, 15, 54, 20), ("bowl", 45, 30, 52, 40),
                   ("shelf", 0, 0, 29, 40), ("cup", 5, 5, 12, 14))  # fmt: skip
    assert {phrase.shown: phrase.mark for phrase in found.phrases}[shown] == "correct"


def test_one_of_two_men_means_no_third_person(metric: HICE) -> None:
    found = judged(metric, "Two men stand in the grass, one wears a tie.", MAN, OTHER_MAN, ("person", 70, 0, 75, 10))
    assert [region.mentioned for region in found.regions] == [True, True, False, True]


DOGS = ("dog", 2, 20, 20, 40), ("dog", 40, 20, 60, 40)


@pytest.mark.parametrize(("number", "marks"), [(1, ["correct", "not judged"]), (2, ["correct", "correct"])])
def test_another_dog_needs_a_second_region(metric: HICE, number: int, marks: list[Mark]) -> None:
    (phrase,) = judged(metric, "A dog chases another dog.", *DOGS[:number]).phrases
    assert (phrase.shown, phrase.mark) == ("dog chases another dog", "not judged")
    assert [thing.mark for thing in phrase.things] == marks


@pytest.mark.parametrize(
    ("caption", "noun"),
    [
        ("A cat team pulls a sled.", "team"),
        ("Someone left a bag in the grass.", "person"),
        ("A shirt with a bear on it.", "bear"),
        ("A bear on a blue shirt.", "bear"),
        ("A photo of a woman on a wall.", "woman"),
        ("The statue of a man on a horse.", "horse"),
        ("A road sign with a horse.", "horse"),
        ("A billboard with a woman.", "woman"),
        ("A TV showing a man.", "man"),
        ("An elephant dressed as a sheep.", "sheep"),
        ("A shelf decorated as a bus.", "bus"),
        ("A wooden horse.", "horse"),
        ("A glass horse.", "horse"),
        ("A model bus on a shelf.", "bus"),
        ("A horse made of wood.", "horse"),
        ("A horse made of paper.", "horse"),
        ("An elephant draws a horse.", "horse"),
        ("A bear hug.", "bear"),
        ("The tie of the match.", "tie"),
    ],
)
def test_a_depicted_thing_is_not_contradicted(metric: HICE, caption: str, noun: str) -> None:
    assert "incorrect" not in marks_of(judged(metric, caption, FAR_CAR, ELEPHANTS, BIRD), noun)


@pytest.mark.parametrize(
    ("caption", "noun"),
    [
        ("A man on a horse.", "horse"),
        ("A wooden chair.", "chair"),
        ("A picture of a dog on a bed.", "dog"),
        ("A shirt with a tie.", "tie"),
        ("A horse beside a statue.", "horse"),
    ],
)
def test_an_absent_thing_that_is_not_depicted_is_contradicted(metric: HICE, caption: str, noun: str) -> None:
    assert "incorrect" in marks_of(judged(metric, caption, FAR_CAR, BIRD), noun)


@pytest.mark.parametrize(
    ("caption", "label"),
    [
        ("A bowl on a shelf.", "cup"),
        ("A cup on a shelf.", "bowl"),
        ("A bus on a street.", "truck"),
        ("A truck on a street.", "bus"),
        ("A bowl of apples.", "bowl"),
        ("A bowl of cut grapes and apples.", "bowl"),
        ("A bowl of beans, fresh apples.", "bowl"),
        ("A cup full of apples.", "cup"),
    ],
)
def test_annotators_confuse_some_things_and_outline_no_contents(metric: HICE, caption: str, label: str) -> None:
    found = judged(metric, caption, (label, 10, 10, 40, 40))
    assert {one.mark for one in found.phrases} == {"not judged"}


def test_a_family_of_animals_means_the_animals(metric: HICE) -> None:
    found = judged(metric, "The elephant family drinks water.", ELEPHANTS, ("elephant", 42, 40, 70, 60))
    assert mentioned(found) == ["elephant", "elephant"]
    assert {(thing.text, thing.mark) for phrase in found.phrases for thing in phrase.things} == {
        ("elephant family", "correct"),
        ("water", "not judged"),
    }


def test_a_couple_of_is_no_exact_number(metric: HICE) -> None:
    one = {
        phrase.text: phrase.mark
        for phrase in judged(metric, "A couple of cups on a shelf.", ("cup", 1, 1, 9, 9)).phrases
    }
    assert one["cups is 2"] == "not judged"
    two = judged(metric, "Two cups on a shelf.", ("cup", 1, 1, 9, 9))
    assert {phrase.text: phrase.mark for phrase in two.phrases}["cups is 2"] == "incorrect"


def test_no_one_means_no_people(metric: HICE) -> None:
    (phrase,) = judged(metric, "No one is at the beach.", FAR_CAR).phrases
    assert (phrase.mark, phrase.reason) == ("correct", "Annotators looked for “people” and found none in this picture.")
    (phrase,) = judged(metric, "No one is at the beach.", MAN).phrases
    assert phrase.mark == "not judged" and "else" not in phrase.reason


def test_a_region_that_the_caption_denies_has_the_denial_as_its_reason(metric: HICE) -> None:
    found = judged(metric, "A room with no toilets.", ("toilet", 10, 10, 20, 20))
    assert [region.reason for region in found.regions if not region.is_full] == [
        "Annotators labelled “toilet”, but the caption says there is no such thing."
    ]


@pytest.mark.parametrize(
    ("caption", "number"),
    [
        ("A player of a team.", 1),
        ("A woman in the crowd waves.", 1),
        ("A boy stands apart from a group.", 1),
        ("A soldier talks to his family.", 1),
        ("A team waits.", 3),
        ("A crowd of people waits.", 3),
        ("A crowd in a street.", 3),
    ],
)
def test_a_member_of_a_group_is_one_person(metric: HICE, caption: str, number: int) -> None:
    found = judged(metric, caption, MAN, OTHER_MAN, ("person", 60, 10, 75, 50))
    assert len(mentioned(found)) == number


GERMAN = [
    "Ein Mann steht neben einem Bus.",
    "Un hombre está al lado de un sofá.",
    "一个男人站在公交车旁边",
    "رجل بجانب حافلة",
]


@pytest.mark.parametrize("caption", GERMAN)
def test_nothing_is_marked_in_a_caption_that_is_not_english(metric: HICE, caption: str) -> None:
    score = scored(metric, caption, MAN, BUS)
    assert score.components["not_english"] == 1.0
    assert not score.explanation.is_read
    assert score.explanation.phrases == ()
    reasons = {(region.mentioned, region.phrase, region.reason) for region in score.explanation.regions}
    assert reasons == {(False, None, "Not compared: the caption does not look English.")}


@pytest.mark.parametrize("caption", GERMAN)
def test_an_encoder_marks_nothing_in_a_caption_that_is_not_english_either(caption: str) -> None:
    score = scored(HICE(HiceParts(DependencyParser.load(), SampleRegions(), Letters())), caption, MAN, BUS)
    assert score.explanation.phrases == ()
    assert not any(region.mentioned for region in score.explanation.regions)


def test_an_english_caption_has_no_component_about_its_language(metric: HICE) -> None:
    score = scored(metric, "A man stands beside a bus.", MAN, BUS)
    assert "not_english" not in score.components
    assert score.explanation.is_read


@pytest.mark.parametrize(
    ("caption", "drawn"),
    [
        ("A baby sits beside a bowl.", (("person", 10, 10, 40, 50), ("bowl", 38, 40, 50, 50))),
        ("A male holds a cup.", (("person", 10, 10, 40, 50), ("cup", 35, 30, 42, 38))),
        ("A female stands beside a bus.", (MAN, BUS)),
        ("An equestrian rides a horse.", (("person", 25, 5, 45, 35), ("horse", 15, 25, 60, 58))),
        ("A shepherd stands near his sheep.", (MAN, ("sheep", 45, 40, 60, 50))),
    ],
)
def test_a_relation_of_a_labelled_person_is_supported_under_other_names_too(
    metric: HICE, caption: str, drawn: tuple[Drawn, ...]
) -> None:
    assert "correct" in {phrase.mark for phrase in judged(metric, caption, *drawn).phrases}


@pytest.mark.parametrize("caption", ["A baby is next to an elephant.", "A female is near a bear."])
def test_a_word_that_may_mean_an_animal_is_related_to_no_animal(metric: HICE, caption: str) -> None:
    drawn = (("person", 10, 10, 40, 50), ("bear", 38, 20, 60, 50), ("elephant", 38, 20, 60, 50))
    assert "correct" not in {phrase.mark for phrase in judged(metric, caption, *drawn).phrases}


@pytest.mark.parametrize("caption", ["A photographer and a bus.", "The owner waits.", "A baby sleeps."])
def test_a_person_who_may_be_out_of_sight_is_not_contradicted(metric: HICE, caption: str) -> None:
    found = judged(metric, caption, BUS)
    assert not any(thing.mark == "incorrect" for phrase in found.phrases for thing in phrase.things)


BICYCLE = ("bicycle", 60, 0, 79, 8)


@pytest.mark.parametrize(
    ("caption", "drawn", "mark"),
    [
        ("A cyclist waits.", (MAN, BICYCLE), "not judged"),
        ("A cyclist waits.", (MAN, ("bicycle", 45, 30, 70, 52)), "correct"),
        ("A driver waits.", (MAN, BUS), "not judged"),
        ("A driver waits.", (("person", 60, 15, 68, 25), BUS), "correct"),
        ("A rider waits.", (MAN, ("horse", 62, 40, 79, 58)), "not judged"),
    ],
)
def test_a_vehicle_shows_the_role_only_of_a_person_who_is_at_it(
    metric: HICE, caption: str, drawn: tuple[Drawn, ...], mark: Mark
) -> None:
    things = [thing for phrase in judged(metric, caption, *drawn).phrases for thing in phrase.things]
    assert {thing.mark for thing in things} == {mark}


ON_BENCH = (("person", 30, 10, 50, 50), ("chair", 25, 40, 60, 58))


@pytest.mark.parametrize(
    ("caption", "drawn"),
    [
        ("A couple sits on a chair.", ON_BENCH),
        ("A family on a chair.", ON_BENCH),
        ("A crew stands beside a bus.", (MAN, BUS)),
        ("A couple.", (MAN,)),
        ("A crowd waits.", (MAN, OTHER_MAN)),
        ("A trio of men waits.", (MAN, OTHER_MAN)),
        ("A pair of cups.", (("cup", 1, 1, 9, 9),)),
        ("A trio of cups on a shelf.", (("cup", 1, 1, 9, 9), ("cup", 11, 1, 19, 9))),
        ("A pair of potted plants.", (("potted plant", 1, 1, 9, 9),)),
    ],
)
def test_a_group_needs_as_many_regions_as_its_word_says(metric: HICE, caption: str, drawn: tuple[Drawn, ...]) -> None:
    found = judged(metric, caption, *drawn)
    assert "correct" not in {phrase.mark for phrase in found.phrases}
    group = min(thing.span for phrase in found.phrases for thing in phrase.things)
    assert "correct" not in {thing.mark for phrase in found.phrases for thing in phrase.things if thing.span == group}
    assert mentioned(found)


@pytest.mark.parametrize(
    ("caption", "drawn"),
    [
        ("A couple beside a bus.", (MAN, ("person", 40, 12, 51, 50), BUS)),
        ("A family.", (MAN, OTHER_MAN)),
        ("A pair of cups.", (("cup", 1, 1, 9, 9), ("cup", 11, 1, 19, 9))),
        ("A pair of skis.", (("skis", 1, 1, 9, 9),)),
        ("A crowd waits.", (("crowd", 1, 1, 60, 40),)),
        ("A crowd waits.", (("blurred crowd", 1, 1, 60, 40),)),
    ],
)
def test_a_group_of_enough_regions_is_supported(metric: HICE, caption: str, drawn: tuple[Drawn, ...]) -> None:
    found = judged(metric, caption, *drawn)
    assert {thing.mark for phrase in found.phrases for thing in phrase.things} == {"correct"}


@pytest.mark.parametrize(
    ("caption", "drawn", "marks"),
    [
        ("A man and a woman on a chair.", ON_BENCH, ["correct", "not judged"]),
        ("A boy pushes a girl.", (MAN,), ["correct", "not judged"]),
        ("A man and his wife sit on a chair.", ON_BENCH, ["correct", "not judged"]),
        ("A man looks at a skier.", (MAN,), ["correct", "not judged"]),
        ("A nurse and a woman wait.", (MAN, OTHER_MAN), ["not judged", "correct"]),
        ("A dog and a puppy.", DOGS[:1], ["correct", "not judged"]),
        ("A man and a woman on a chair.", (*ON_BENCH, OTHER_MAN), ["correct", "correct"]),
        ("A boy pushes a girl.", (("boy and girl", 30, 10, 50, 50),), ["correct", "correct"]),
    ],
)
def test_two_different_persons_need_two_regions(
    metric: HICE, caption: str, drawn: tuple[Drawn, ...], marks: list[Mark]
) -> None:
    found = judged(metric, caption, *drawn)
    first: dict[tuple[int, int], Mark] = {}
    for thing in (thing for phrase in found.phrases for thing in phrase.things if thing.text != "chair"):
        first.setdefault(thing.span, thing.mark)
    assert [mark for _, mark in sorted(first.items())] == marks


@pytest.mark.parametrize(
    "caption", ["A man rides a bus. He waves.", "A man waits. The boy smiles.", "A skier waits. The man smiles."]
)
def test_a_person_named_again_needs_no_second_region(metric: HICE, caption: str) -> None:
    things = {thing.mark for phrase in judged(metric, caption, MAN, BUS).phrases for thing in phrase.things}
    assert "incorrect" not in things
    assert judged(metric, caption, MAN, BUS).regions[0].mentioned


@pytest.mark.parametrize(
    ("caption", "animal"),
    [
        ("A mother bird leads her family.", "bird"),
        ("A sheep with its family.", "sheep"),
        ("Bears and their families rest.", "bear"),
        ("An elephant and its team.", "elephant"),
    ],
)
def test_the_family_of_an_animal_is_not_contradicted(metric: HICE, caption: str, animal: str) -> None:
    found = judged(metric, caption, (animal, 10, 10, 40, 40), (animal, 42, 10, 60, 40))
    assert "incorrect" not in {phrase.mark for phrase in found.phrases}


@pytest.mark.parametrize(
    "caption", ["A family walks a dog.", "A man with his dog and his family.", "A dog and a family of four."]
)
def test_an_absent_family_of_people_is_contradicted(metric: HICE, caption: str) -> None:
    assert "incorrect" in marks_of(judged(metric, caption, ("dog", 10, 10, 40, 40)), "family")


@pytest.mark.parametrize(
    ("caption", "number", "shown"),
    [
        ("A family of three waits.", 3, "three people"),
        ("A family of four.", 4, "four people"),
        ("A couple of men.", 2, "couple of people"),
    ],
)
def test_a_number_of_a_group_is_shown_in_words(metric: HICE, caption: str, number: int, shown: str) -> None:
    drawn = [("person", 10 * place, 0, 10 * place + 8, 30) for place in range(number)]
    assert shown in {phrase.shown for phrase in judged(metric, caption, *drawn).phrases}


def test_a_thing_for_two_is_one_thing(metric: HICE) -> None:
    found = judged(metric, "A bed for two.", ("bed", 10, 10, 40, 40))
    assert [(phrase.shown, phrase.mark) for phrase in found.phrases] == [("bed", "correct")]


@pytest.mark.parametrize(
    ("caption", "drawn"),
    [
        ("A street with hardly any cars.", (BUS,)),
        ("Barely any people stand beside a bus.", (BUS,)),
        ("There are scarcely any birds.", (BUS,)),
        ("Hardly a dog is on the beach.", (BUS,)),
        ("Almost no cars wait.", (BUS,)),
        ("Almost no cars wait.", (FAR_CAR,)),
        ("No more than two dogs run.", DOGS[:1]),
        ("At most three cups stand on a shelf.", (("cup", 1, 1, 9, 9),)),
        ("Fewer than five dogs run.", DOGS),
        ("Nobody is without a tie.", (MAN, ("tie", 38, 15, 42, 30))),
        ("A sign says no dogs.", DOGS[:1]),
        ("A sign says no dogs.", (BUS,)),
        ("A poster that reads no cats allowed.", (BUS,)),
        ("A board with the words “no horses”.", (BUS,)),
    ],
)
def test_scarce_bounded_and_quoted_things_are_not_contradicted(
    metric: HICE, caption: str, drawn: tuple[Drawn, ...]
) -> None:
    found = judged(metric, caption, *drawn)
    assert "incorrect" not in {phrase.mark for phrase in found.phrases}
    assert not any(phrase.kind == "denied" and phrase.mark == "correct" for phrase in found.phrases)


@pytest.mark.parametrize(
    ("caption", "label", "mark"),
    [
        ("A street clear of dogs.", "bus", "correct"),
        ("A street clear of dogs.", "dog", "not judged"),
        ("A room bare of chairs.", "bus", "correct"),
        ("A bus, not a car.", "bus", "correct"),
        ("A bus rather than a dog.", "dog", "incorrect"),
        ("It is not a dog but a cat.", "cat", "correct"),
        ("A field with neither horses nor sheep.", "bus", "correct"),
    ],
)
def test_the_denied_thing_is_looked_up(metric: HICE, caption: str, label: str, mark: Mark) -> None:
    found = [one for one in judged(metric, caption, (label, 10, 10, 40, 40)).phrases if one.kind == "denied"]
    assert {one.mark for one in found} == {mark}


@pytest.mark.parametrize(
    ("caption", "words"),
    [
        ("A man not wearing a tie points.", "man not wearing tie"),
        ("A woman without a tie.", "woman without tie"),
        ("A man has no tie.", "man has no tie"),
    ],
)
def test_what_a_person_lacks_may_be_elsewhere(metric: HICE, caption: str, words: str) -> None:
    found = judged(metric, caption, MAN, ("tie", 70, 10, 75, 20))
    assert found.regions[1].reason == f"The caption says only “{words}”."


@pytest.mark.parametrize(
    ("caption", "noun"),
    [
        ("A bowl with a bird printed on it.", "bird"),
        ("A bear embroidered on a towel.", "bear"),
        ("A dog tattooed on an arm.", "dog"),
        ("Sheep drawn on paper.", "sheep"),
        ("A bus painted on a wall.", "bus"),
        ("A horse carved into a tree.", "horse"),
        ("A carpet with a cat and a bird woven into it.", "cat"),
        ("A carpet with a sheep and a bear woven into it.", "sheep"),
        ("A towel printed with dogs.", "dogs"),
        ("A bag embroidered with a cat and a bear.", "bear"),
        ("A tapestry shows a horse.", "horse"),
        ("A fresco that depicts two bears.", "bears"),
        ("A calendar featuring dogs.", "dogs"),
        ("A mosaic portrays a man and a dog.", "dog"),
        ("A puddle reflects a bus.", "bus"),
        ("A dog reflected in a window.", "dog"),
        ("A hand-painted horse.", "horse"),
        ("A stick person.", "person"),
        ("A blanket with bears on it.", "bears"),
        ("A coin with a man on it.", "man"),
        ("A skirt with dogs on it.", "dogs"),
        ("A scarf with sheep.", "sheep"),
        ("A saucer with a dog on it.", "dog"),
        ("A cupcake with a bear on top.", "bear"),
        ("A brochure with a man.", "man"),
        ("A tale about a bear.", "bear"),
        ("A film about dogs and horses.", "horses"),
        ("A video of a bear.", "bear"),
        ("An icon of a bus.", "bus"),
        ("A girl points at a horse in a magazine.", "horse"),
        ("A bear in a cartoon.", "bear"),
        ("A sign warns about dogs.", "dogs"),
        ("A sign warning of sheep.", "sheep"),
        ("A board lists cake.", "cake"),
        ("An elephant dreams about an apple.", "apple"),
        ("An elephant thinks of a horse.", "horse"),
        ("An elephant mimics a dog.", "dog"),
        ("An elephant wishes for a cake.", "cake"),
        ("An elephant wants an apple and a cake.", "cake"),
        ("An elephant plans to ride a horse.", "horse"),
        ("An elephant is on its way to the bus.", "bus"),
        ("An elephant travels by bus.", "bus"),
        ("An elephant arrives by truck.", "truck"),
        ("An elephant runs like a horse.", "horse"),
        ("A cake of soap.", "cake"),
        ("A cat bed.", "bed"),
    ],
)
def test_a_thing_that_is_only_shown_or_thought_of_is_not_contradicted(metric: HICE, caption: str, noun: str) -> None:
    persons_and_things = (FAR_CAR, ELEPHANTS, MAN, ("bowl", 60, 20, 70, 30), ("cake", 60, 30, 70, 40))
    drawn = [one for one in persons_and_things if one[0] not in (noun, {"man": "person"}.get(noun))]
    assert "incorrect" not in marks_of(judged(metric, caption, *drawn), noun)


@pytest.mark.parametrize(
    ("caption", "noun"),
    [
        ("The picture shows a horse.", "horse"),
        ("A photo of a dog on a bed.", "dog"),
        ("A bus painted in red.", "bus"),
        ("A plate with a cake on it.", "cake"),
        ("A table with a cat on it.", "cat"),
        ("A man chased by dogs.", "dogs"),
        ("A woman with a dog in a garden.", "dog"),
        ("A bed with a cat.", "bed"),
        ("A man looks at a horse.", "horse"),
        ("A horse and a poster.", "horse"),
        ("A man in a hat with a dog.", "dog"),
    ],
)
def test_a_thing_that_is_not_shown_on_another_is_contradicted(metric: HICE, caption: str, noun: str) -> None:
    assert "incorrect" in marks_of(judged(metric, caption, FAR_CAR, BIRD), noun)


@pytest.mark.parametrize("caption", ["A dog printed on a cup.", "A cup printed with a dog."])
def test_a_printed_thing_is_not_the_real_one(metric: HICE, caption: str) -> None:
    assert "correct" not in marks_of(judged(metric, caption, *DOGS), "dog")


def test_a_label_that_the_caption_names_itself_is_no_other_name(metric: HICE) -> None:
    found = judged(metric, "A truck waits next to a bus.", BUS)
    assert marks_of(found, "truck") == {"incorrect"}
    assert "incorrect" not in marks_of(judged(metric, "A truck waits.", BUS), "truck")


@pytest.mark.parametrize(
    ("caption", "drawn", "number"),
    [
        ("A red bus is parked behind another.", (("bus", 0, 0, 20, 20), ("bus", 25, 0, 50, 20)), 2),
        ("A girl pushes another.", (MAN, OTHER_MAN), 2),
        ("One cat sleeps and the other eats.", (("cat", 0, 0, 20, 20), ("cat", 25, 0, 50, 20)), 2),
        ("Twins push a bus.", (MAN, OTHER_MAN), 2),
        ("They rest in the grass.", (("bear", 0, 0, 20, 20), ("bear", 25, 0, 50, 20)), 2),
        ("They rest in the grass.", (("bear", 0, 0, 20, 20), MAN), 1),
        ("A bed set for two people.", (("bed", 0, 0, 20, 20),), 1),
        ("We look for a bus.", (BUS,), 1),
    ],
)
def test_words_without_a_noun_mention_their_regions(
    metric: HICE, caption: str, drawn: tuple[Drawn, ...], number: int
) -> None:
    assert len(mentioned(judged(metric, caption, *drawn))) == number


def test_a_further_thing_is_shown_with_its_noun(metric: HICE) -> None:
    shown = [phrase.shown for phrase in judged(metric, "A boy chases another.", MAN, OTHER_MAN).phrases]
    assert shown == ["boy chases another boy"]
    found = judged(metric, "A boy chases another.", MAN)
    assert "No further region" in " ".join(phrase.reason for phrase in found.phrases)


def test_they_is_named_as_in_the_caption(metric: HICE) -> None:
    found = judged(metric, "They rest in the grass.", ("bear", 0, 0, 20, 20), ("bear", 25, 0, 50, 20))
    assert found.regions[0].reason == "Label “bear” matches “they”."
    assert [thing.text for phrase in found.phrases for thing in phrase.things][:1] == ["they"]


@pytest.mark.parametrize(
    ("caption", "label", "words"),
    [
        ("A slice of wedding cake.", "cake", "“cake” is labelled, but no label says “slice”."),
        ("A tall man.", "person", "“man” is labelled, but no label says “tall”."),
    ],
)
def test_a_reason_names_what_is_labelled(metric: HICE, caption: str, label: str, words: str) -> None:
    assert words in {phrase.reason for phrase in judged(metric, caption, (label, 0, 0, 20, 20)).phrases}


@pytest.mark.parametrize(
    ("caption", "mark"),
    [
        ("A sky void of birds.", "correct"),
        ("A table cleared of cups.", "correct"),
        ("A street emptied of cars.", "correct"),
        ("There are no longer any sheep in the field.", "not judged"),
        ("There are no longer horses on the street.", "not judged"),
    ],
)
def test_words_that_empty_a_place_deny_what_follows(metric: HICE, caption: str, mark: Mark) -> None:
    found = [thing.mark for phrase in judged(metric, caption, MAN).phrases for thing in phrase.things]
    assert "incorrect" not in found
    assert mark in {phrase.mark for phrase in judged(metric, caption, MAN).phrases}


def test_a_commuter_is_a_person(metric: HICE) -> None:
    assert "incorrect" not in marks_of(judged(metric, "A commuter waits.", MAN), "commuter")

"""A street with a dog and two cars, searched for dogs, cats, cars and people; its caption tells of a cat and a sofa."""

from core.captions.explanation_hints import Hint, hints
from core.captions.labelled_scene import LabelledScene
from core.captions.noun_phrases import NounPhrase
from core.captions.nouns import bundled_nouns
from core.regions import masks
from core.types import ImageRegion

SIZE = (4, 6)
LABELS = ("dog", "car", None, "car")
REGIONS = tuple(ImageRegion(masks.full(SIZE), SIZE, label) for label in LABELS)
VOCABULARY = ("dog", "cat", "car", "person")
NOUNS = bundled_nouns()
CAPTION = ("cat", "sofa")


def never(noun: str, label: str) -> bool:
    return False


def scene(regions: tuple[ImageRegion, ...] = REGIONS, vocabulary: tuple[str, ...] = VOCABULARY) -> LabelledScene:
    return LabelledScene(regions, vocabulary, NOUNS, never)


def found(*nouns: str) -> list[tuple[str, tuple[int, ...]]]:
    named = [NounPhrase(noun, 0, 1, "said") for noun in nouns]
    return [(hint.where, hint.regions) for hint in hints(named, CAPTION, scene())]


def test_a_thing_is_on_the_picture_where_a_label_names_it_or_a_wider_word_does() -> None:
    assert found("dogs", "puppy", "animal", "vehicles") == [
        ("picture", (0,)), ("picture", (0,)), ("picture", (0,)), ("picture", (1, 3))
    ]  # fmt: skip


def test_what_only_the_caption_names_is_told_from_what_nothing_names() -> None:
    assert found("cat", "kitten", "pet cat") == [("caption", ())] * 3
    assert found("woman", "people") == [("nowhere", ())] * 2


def test_what_nobody_looked_for_is_not_called_absent() -> None:
    assert found("wave", "sky", "sofa") == [("unknown", ())] * 3  # the sofa of the caption among them
    phrase = NounPhrase("woman", 2, 7, "denied")
    assert hints([phrase], CAPTION, scene(vocabulary=())) == (Hint(2, 7, "denied", "unknown"),)


def test_without_any_label_nothing_is_said() -> None:
    bare = tuple(ImageRegion(masks.full(SIZE), SIZE, None) for _ in range(2))
    assert hints([NounPhrase("cat", 0, 3, "said")], CAPTION, scene(bare)) == ()

"""What sentences of explanations say of things, worked out by hand, and where labels show the things.

+ said to be there, - denied, ? said to be lacking in the caption, " reported to be in the caption.
"""

from functools import cache

import pytest

from core.captions.hints import Hint, hints, named_in
from core.captions.judging.scene import LabelledScene
from core.captions.reading.lexicon import lexicon
from core.models.parser import DependencyParser
from core.regions import masks
from core.types import ImageRegion

SIGNS = {"said": "+", "denied": "-", "lacking": "?", "reported": '"'}
SIZE = (4, 6)
VOCABULARY = ("dog", "cat", "car", "person")


@cache
def parser() -> DependencyParser:
    return DependencyParser.load()


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("The caption accurately describes a man on a horse.", "man+ horse+"),
        ("The image shows not only a dog but also a cat.", "dog+ cat+"),
        ("There is no dog on the sofa.", "dog- sofa+"),
        ("There is no man holding a racket.", "man- racket-"),
        ("The woman is not wearing a hat or a scarf.", "woman+ hat- scarf-"),
        ("The dog is not visible in the image.", "dog-"),
        ("The image does not contain the dog.", "dog-"),
        ("The image shows a dog instead of a cat.", "dog+ cat-"),
        ("The caption does not mention the dog.", "dog?"),
        ("It does not provide any details about the cars, the bus, or the truck.", "cars? bus? truck?"),
        ("The dog is missing from the caption.", "dog?"),
        ("The caption does not fail to mention the dog.", 'dog"'),
        ("The caption mentions a cat, while the image shows a dog.", 'cat" dog+'),
        ("The caption describes a dog, but there is no dog in the image.", 'dog" dog-'),
        ("The caption is fluent and its description of the scene lacks details.", ""),
    ],
)
def test_a_sentence_says_of_a_thing_that_it_is_there_or_not(sentence: str, expected: str) -> None:
    named = [one for tree in parser().trees(sentence) for one in named_in(sentence, tree)]
    assert " ".join(f"{one.text.split()[-1]}{SIGNS[one.stance]}" for one in named) == expected


def test_a_hint_says_where_a_thing_is_and_never_calls_absent_what_nobody_looked_for() -> None:
    regions = tuple(ImageRegion(masks.full(SIZE), SIZE, label) for label in ("dog", "car", None, "car"))
    scene = LabelledScene(regions, VOCABULARY, lexicon(), lambda noun, label: False)
    nouns = ("puppy", "vehicles", "kitten", "woman", "sofa")
    found = hints([Hint(noun, 0, 1, "said") for noun in nouns], ("cat", "sofa"), scene)
    assert [(hint.where, hint.regions) for hint in found] == [
        ("picture", (0,)), ("picture", (1, 3)), ("caption", ()), ("nowhere", ()), ("unknown", ()),
    ]  # fmt: skip
    bare = LabelledScene(regions[2:3], (), lexicon(), lambda noun, label: False)
    assert hints([Hint("cat", 0, 3, "said")], (), bare) == ()

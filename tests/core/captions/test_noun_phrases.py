"""What sentences say of things, worked out by hand.

+ said to be there, - denied, ? said to be lacking in the caption, " reported to be in the caption.
"""

import pytest

from core.captions.noun_phrases import NounPhrase, noun_phrases
from core.models.language.dependency_parser import DependencyParser

SIGNS = {"said": "+", "denied": "-", "lacking": "?", "reported": '"'}


@pytest.fixture(scope="module")
def parser() -> DependencyParser:
    return DependencyParser.load()


def phrases(parser: DependencyParser, sentence: str) -> list[NounPhrase]:
    return [one for tree in parser.trees(sentence) for one in noun_phrases(tree)]


CASES = {
    # nothing is denied
    "A dog sits on the sofa.": "dog+ sofa+",
    "The caption accurately describes a man on a horse.": "man+ horse+",
    "The dog is not running.": "dog+",
    "The caption does not accurately describe the dog.": "dog+",
    "The caption does not fully capture the dog on the sofa.": "dog+ sofa+",
    "The image shows not only a dog but also a cat.": "dog+ cat+",
    "The man is not near the car.": "man+ car+",
    # "no"
    "There is no dog.": "dog-",
    "There is no dog in the image.": "dog-",
    "There are no dogs or cats in the picture.": "dogs- cats-",
    "No dog can be seen.": "dog-",
    "The picture shows no dog.": "dog-",
    "There is no sign of a dog.": "dog-",
    "There is no dog on the sofa.": "dog- sofa+",
    "There is no man holding a racket.": "man- racket-",
    "There is no dog, and the cat is sleeping.": "dog- cat+",
    # a negated verb
    "There isn't any dog on the couch.": "dog- couch+",
    "The woman is not wearing a hat.": "woman+ hat-",
    "The woman is not wearing a hat or a scarf.": "woman+ hat- scarf-",
    "The dog is not visible in the image.": "dog-",
    "The dog is not in the picture.": "dog-",
    "The image does not show a dog.": "dog-",
    "The image does not contain the dog.": "dog-",
    "A cat cannot be seen in the photo.": "cat-",
    "The presence of a man is not evident in the image.": "man-",
    "The boy is not holding a doll.": "boy+ doll-",
    # "without", "instead of", "not ... but"
    "The picture shows a street without any cars.": "street+ cars-",
    "A man without a hat stands near a bus.": "man+ hat- bus+",
    "The image shows a dog instead of a cat.": "dog+ cat-",
    "The image shows a dog rather than a cat.": "dog+ cat-",
    "It is not a cat but a dog.": "cat- dog+",
    "It is a dog, not a cat.": "dog+ cat-",
    "The image shows a boy on a beach, not three dogs on a track.": "boy+ beach+ dogs- track-",
    "There is neither a cat nor a dog.": "cat- dog-",
    "The picture shows neither a cat nor a dog.": "cat- dog-",
    # what the picture lacks
    "The image lacks a dog.": "dog-",
    "There is a lack of cars on the road.": "cars- road+",
    "The table is missing a chair.": "table+ chair-",
    # what the caption lacks
    "The caption does not mention the dog.": "dog?",
    "The caption doesn't mention the dog or the cat.": "dog? cat?",
    "It does not provide any information about the cars.": "cars?",
    "It does not provide any details about the cars, the bus, or the truck.": "cars? bus? truck?",
    "The caption lacks information about the man.": "man?",
    "The caption fails to mention the dog.": "dog?",
    "The caption is missing the dog.": "dog?",
    "The dog is missing from the caption.": "dog?",
    "The caption omits the dog.": "dog?",
    "The dog is not mentioned in the caption.": "dog?",
    "There is no mention of the dog.": "dog?",
    "The caption makes no mention of the dog.": "dog?",
    "The caption does not say that the man is holding a racket.": "man? racket?",
    "The image shows a dog, which is not mentioned in the caption.": "dog?",
    "The caption mentions a cat without mentioning the dog.": 'cat" dog?',
    "The caption neither mentions the dog nor describes the cat.": "dog? cat?",
    "The caption ignores the dog in the background.": "dog?",
    "The reference mentions a jet and a fountain, which are not mentioned in the caption.": "jet? fountain?",
    # two that undo each other
    "The caption does not fail to mention the dog.": 'dog"',
    "The caption does not omit the dog.": 'dog"',
    "There is no lack of cars.": "cars+",
    # what the caption says, and what it could say
    "The caption could be improved by adding details about the man.": "man+",
    "The caption mentions a cat, while the image shows a dog.": 'cat" dog+',
    "The caption describes a dog, but there is no dog in the image.": 'dog" dog-',
}


@pytest.mark.parametrize("sentence", CASES)
def test_what_a_sentence_says_of_a_thing_is_found_on_the_way_up_from_its_noun(
    parser: DependencyParser, sentence: str
) -> None:
    found = [f"{one.text.split()[-1]}{SIGNS[one.stance]}" for one in phrases(parser, sentence)]
    assert " ".join(found) == CASES[sentence]


def test_a_phrase_stands_where_its_words_do_adjectives_and_numbers_among_them(parser: DependencyParser) -> None:
    sentence = "Two large tennis rackets lie on a table."
    found = phrases(parser, sentence)
    assert [sentence[one.start : one.end] for one in found] == ["Two large tennis rackets", "table"]
    assert [one.text for one in found] == ["tennis rackets", "table"]


def test_words_about_the_text_itself_name_nothing(parser: DependencyParser) -> None:
    assert phrases(parser, "The caption is fluent and its description of the scene lacks details.") == []

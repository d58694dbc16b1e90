"""The last noun of a list is beside the whole thing, unless it can be in or on the listed place."""

import pytest

from core.models.language.dependency_parser import DependencyParser


@pytest.fixture(scope="module")
def parser() -> DependencyParser:
    return DependencyParser.load()


@pytest.mark.parametrize(
    ("caption", "wrong"),
    [
        ("A woman in sandals and a horse.", "woman in horse"),
        ("A boy in a cap and a cow.", "boy in cow"),
        ("A dog in a basket and a kitten.", "dog in kitten"),
        ("A parrot on a perch and a monkey.", "parrot on monkey"),
        ("A man on a camel and a goat.", "man on goat"),
        ("A woman in a green coat and a baby.", "woman in baby"),
        ("A nurse in a car and a doctor.", "nurse in doctor"),
        ("A man in a jacket and a bus.", "man in bus"),
        ("A woman on a bike and a truck behind her.", "woman on truck"),
    ],
)
def test_a_creature_is_no_place(parser: DependencyParser, caption: str, wrong: str) -> None:
    phrases = parser.phrases([caption])[0]
    assert wrong not in {phrase.text for phrase in phrases}
    assert wrong.split()[-1] in {thing.text for phrase in phrases for thing in phrase.things}


@pytest.mark.parametrize(
    ("caption", "right"),
    [
        ("A woman in a coat and a scarf.", "woman in scarf"),
        ("A man in a suit and a tie.", "man wear tie"),
        ("A girl with a cat and a dog.", "girl with dog"),
        ("A bus near a car and a man.", "bus near man"),
        ("A boy in boots and a hat.", "boy wear hat"),
    ],
)
def test_a_list_of_clothes_or_company_stays_one(parser: DependencyParser, caption: str, right: str) -> None:
    assert right in {phrase.text for phrase in parser.phrases([caption])[0]}

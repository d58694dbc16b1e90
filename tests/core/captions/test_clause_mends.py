"""Verbs and listed nouns belong to the right noun, although the parser joins them to another one."""

import pytest

from core.models.language.dependency_parser import DependencyParser


@pytest.fixture(scope="module")
def parser() -> DependencyParser:
    return DependencyParser.load()


def texts(parser: DependencyParser, caption: str) -> list[str]:
    return [phrase.text for phrase in parser.phrases([caption])[0]]


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("A dog chases another dog.", ["dog chase dog"]),
        ("A skier jumps while another skier watches him.", ["skier is jumping", "skier watch skier"]),
        ("A boy pushes another boy on a swing.", ["boy push boy", "boy on swing"]),
        ("Two boys chase three boys.", ["boys is 2", "boys chase boys", "boys is 3"]),
    ],
)
def test_two_things_of_one_noun_relate(parser: DependencyParser, caption: str, expected: list[str]) -> None:
    assert texts(parser, caption) == expected


def test_another_is_shown_in_a_phrase(parser: DependencyParser) -> None:
    assert [phrase.shown for phrase in parser.phrases(["A dog chases another dog."])[0]] == ["dog chases another dog"]


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("A bowl of soup and a spoon.", ["soup in bowl", "spoon"]),
        ("A boy eats a bowl of soup and a sandwich.", ["boy eat bowl", "boy eat sandwich", "soup in bowl"]),
        ("A man in a blue shirt and a dog.", ["man wear shirt", "shirt is blue", "dog"]),
        ("A man in a blue shirt and a tie.", ["man wear shirt", "man wear tie", "shirt is blue"]),
        ("A picture of a dog and a cat.", ["dog next to cat"]),
    ],
)
def test_a_new_thing_in_a_list_is_beside_the_whole(parser: DependencyParser, caption: str, expected: list[str]) -> None:
    assert texts(parser, caption) == expected


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("A man whose tie is red shouts.", ["man is shouting", "tie is red"]),
        ("A man whose dog pulls the leash smiles.", ["man is smiling", "dog pull leash"]),
        ("A boy whose hat covers his eyes laughs.", ["boy is laughing", "hat cover eyes"]),
        ("A woman whose hair sits on her shoulders smiles.", ["woman is smiling", "hair sit on shoulders"]),
        ("A woman whose dog is sleeping reads a book.", ["woman read book", "dog is sleeping"]),
        ("A man whose dog runs is smiling on a beach.", ["man smile on beach", "dog is running"]),
        ("A rose whose leaves are red stands in a vase.", ["rose stand in vase", "leaves is red"]),
        ("A woman whose long hair covers her face.", ["hair is long", "hair cover face"]),
        ("A man whose coat is beige.", ["coat is beige", "man"]),
        ("A man whose shirt is white and whose tie is red.", ["shirt is white", "tie is red", "man"]),
    ],
)
def test_what_whose_states_is_about_the_owned_thing(
    parser: DependencyParser, caption: str, expected: list[str]
) -> None:
    found = [text for text in texts(parser, caption) if text != "woman"]
    assert found == expected


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("A girl watches a boy mend a bike.", ["girl watch boy", "boy mend bike"]),
        ("A boy sees a dog chase a cat.", ["boy see dog", "dog chase cat"]),
        ("A bench for people to sit on.", ["bench for people"]),
        ("A table to eat on.", ["table"]),
        ("Two runners mend their shoes and wave.", ["runners is 2", "runners mend shoes", "runners is waving"]),
        ("A boy kicks and waves.", ["boy is kicking", "boy is waving"]),
        ("A woman sings and waves to people.", ["woman is singing", "woman wave to people"]),
        ("A dog and a man without a hat.", ["man without hat", "dog"]),
        (
            "A toddler is carried by his grandfather on his back.",
            ["grandfather carry toddler", "toddler on back"],
        ),
        ("Two men eat bread and fish.", ["men is 2", "men eat bread", "men eat fish"]),
    ],
)
def test_an_action_has_its_own_actor(parser: DependencyParser, caption: str, expected: list[str]) -> None:
    assert texts(parser, caption) == expected


@pytest.mark.parametrize("caption", ["A street free of cars.", "A beach empty of people."])
def test_what_a_place_is_free_of_is_denied_in_the_captions_words(parser: DependencyParser, caption: str) -> None:
    (phrase,) = parser.phrases([caption])[0]
    assert (phrase.kind, phrase.shown) == ("denied", caption[2:-1])


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("A woman sees a ship sink.", ["woman see ship", "ship is sinking"]),
        ("A boy watches ducks swim.", ["boy watch ducks", "ducks is swimming"]),
        ("A crowd watches cars race.", ["crowd watch cars", "cars is racing"]),
        ("A man hears a cat purr.", ["man hear cat", "cat is purring"]),
        ("A girl feels her phone vibrate.", ["girl feel phone", "phone is vibrating"]),
        ("Two women watch trains arrive.", ["women is 2", "women watch trains", "trains is arriving"]),
        ("A man makes an elephant kneel.", ["man make elephant", "elephant is kneeling"]),
        ("A girl watches a cat chasing a mouse.", ["girl watch cat", "cat chase mouse"]),
        ("A boy helps his sister ride a bike.", ["boy help sister", "sister ride bike"]),
        ("A man sees a bus stop.", ["man see bus stop"]),
        ("A man watches TV sitting on a couch.", ["man watch tv", "man sit on couch"]),
    ],
)
def test_a_seen_thing_does_the_seen_action(parser: DependencyParser, caption: str, expected: list[str]) -> None:
    assert texts(parser, caption) == expected


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("A boy whose bike is blue talks to a girl whose cat sleeps.", [
            "boy talk to girl", "bike is blue", "cat is sleeping"]),
        ("A church whose door is green stands on a square.", ["church stand on square", "door is green"]),
        ("A man with a dog whose collar is red runs.", ["man with dog", "man is running", "collar is red"]),
        ("A boy whose sister rides a camel smiles.", ["boy is smiling", "sister ride camel"]),
        ("Three cats whose owner sleeps on a sofa play.", ["cats is 3", "cats is playing", "owner sleep on sofa"]),
        ("A woman with hair that covers her ears sings.", ["woman with hair", "woman is singing", "hair cover ears"]),
        ("A woman whose coat is green and whose boots are black waits.", [
            "woman is waiting", "coat is green", "boots is black"]),
    ],
)  # fmt: skip
def test_a_clause_of_whose_ends_before_the_main_verb(
    parser: DependencyParser, caption: str, expected: list[str]
) -> None:
    assert sorted(set(texts(parser, caption)) - {"woman have ears"}) == sorted(expected)

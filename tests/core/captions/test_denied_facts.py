"""Facts that captions deny, read with the bundled parser."""

import pytest

from core.captions.phrases import CaptionPhrase
from core.metrics.hice_options import HiceSettings
from core.models.language.dependency_parser import DependencyParser


@pytest.fixture(scope="module")
def parser() -> DependencyParser:
    return DependencyParser.load()


def read(parser: DependencyParser, caption: str) -> tuple[CaptionPhrase, ...]:
    return parser.phrases([caption])[0]


@pytest.mark.parametrize(
    ("caption", "denied", "absent"),
    [
        ("There is no dog.", "no dog", ["dog"]),
        ("There are no people in the picture.", "no people in picture", ["people"]),
        ("No cars are parked on the street.", "no cars are parked on street", ["cars"]),
        ("There is no car behind the bus.", "no car behind bus", ["car"]),
        ("The bus is not blue.", "bus is not blue", []),
        ("Nobody is on the street.", "nobody is on street", ["nobody"]),
        ("Nobody watches the sheep.", "nobody watches sheep", ["nobody"]),
        ("A man without a hat rides a horse.", "man without hat", ["hat"]),
        ("A boy not wearing a shirt plays soccer.", "boy not wearing shirt", ["shirt"]),
        ("The dog doesn't chase the cat.", "dog doesn't chase cat", []),
        ("No people are sitting on the bench.", "no people are sitting on bench", ["people"]),
        ("The cat isn't on the sofa.", "cat isn't on sofa", []),
        ("A bus with nobody in it.", "nobody in bus", ["nobody"]),
    ],
)
def test_a_denied_fact_is_a_phrase_of_its_own_kind(
    parser: DependencyParser, caption: str, denied: str, absent: list[str]
) -> None:
    (found,) = [phrase for phrase in read(parser, caption) if phrase.kind == "denied"]
    assert (found.shown, [thing.text for thing in found.absent], found.claim) == (denied, absent, "denied")


@pytest.mark.parametrize(
    "caption",
    [
        "A dog sits on the sofa.",
        "A no parking sign on a pole.",
        "A man holds not only a cup but a plate.",
        "Nothing but a dog is on the sofa.",
    ],
)
def test_a_caption_that_denies_nothing_has_no_denied_phrase(parser: DependencyParser, caption: str) -> None:
    assert all(phrase.kind != "denied" for phrase in read(parser, caption))


@pytest.mark.parametrize(
    ("caption", "compared"),
    [
        ("There is no dog.", ["dog"]),
        ("There are no people in the picture.", ["people in picture"]),
        ("The bus is not blue.", ["bus is blue"]),
        ("Nobody is on the street.", ["nobody on street"]),
        ("A man without a hat rides a horse.", ["man without hat", "man ride horse"]),
        ("A boy not wearing a shirt plays soccer.", ["boy wear shirt", "boy play soccer"]),
        ("A man is holding an umbrella and there is no rain.", ["man hold umbrella"]),
    ],
)
def test_hice_compares_denied_facts_as_if_they_were_stated(
    parser: DependencyParser, caption: str, compared: list[str]
) -> None:
    assert [phrase.text for phrase in HiceSettings().chosen(read(parser, caption), caption)] == compared


@pytest.mark.parametrize(
    ("caption", "shown"),
    [
        ("There isn't anybody in the room.", "nobody in room"),
        ("The plate has no food on it.", "no food on plate"),
        ("None of the chairs is occupied.", "none of chairs is occupied"),
        ("The hall is empty of chairs.", "hall is empty of chairs"),
        ("No one rides the horse.", "no one rides horse"),
        ("The men are not wearing helmets or gloves.", "men are not wearing helmets"),
    ],
)
def test_a_denial_is_shown_as_one(parser: DependencyParser, caption: str, shown: str) -> None:
    first = read(parser, caption)[0]
    assert (first.kind, first.shown) == ("denied", shown)


@pytest.mark.parametrize(
    ("caption", "denied"),
    [
        ("A man in a coat, not wearing a hat, walks past a bus.", ["not wearing a hat"]),
        ("A man in a red coat who is not wearing a hat walks.", ["not wearing a hat"]),
        ("The man isn't wearing shoes.", ["isn't wearing shoes"]),
        ("Two women, but no children, walk.", ["no children"]),
        ("No one is at the beach.", ["No one"]),
        ("A street empty of cars.", ["empty of cars"]),
        ("A man without a hat.", ["without a hat"]),
        ("Neither a car nor a bus.", ["Neither a car nor a bus"]),
        ("A boy refuses to jump.", ["refuses to jump"]),
        ("A dog is on a bed.", []),
    ],
)
def test_a_denial_covers_the_words_from_the_denying_word_on(
    parser: DependencyParser, caption: str, denied: list[str]
) -> None:
    assert [caption[slice(*phrase.denied)] for phrase in read(parser, caption) if phrase.denied] == denied


@pytest.mark.parametrize(
    ("caption", "denied", "absent"),
    [
        ("A street clear of buses.", "street clear of buses", ["buses"]),
        ("The road is clear of snow.", "road is clear of snow", ["snow"]),
        ("A parking garage clear of trucks.", "parking garage clear of trucks", ["trucks"]),
        ("A shelf bare of cups.", "shelf bare of cups", ["cups"]),
        ("A parking lot devoid of people.", "parking lot devoid of people", ["people"]),
        ("A parking lot empty of cars.", "parking lot empty of cars", ["cars"]),
        ("A living room free of chairs.", "living room free of chairs", ["chairs"]),
        ("A wall of the town is devoid of posters.", "wall is devoid of posters", ["posters"]),
        ("A room bereft of furniture.", "room bereft of furniture", ["furniture"]),
        ("A horse, not a cow.", "no cow", ["cow"]),
        ("A horse rather than a cow.", "no cow", ["cow"]),
        ("A horse instead of a cow.", "no cow", ["cow"]),
        ("It is not a horse but a cow.", "no horse", ["horse"]),
        ("A man rides a horse, not a bike.", "man rides no bike", ["bike"]),
        ("A cat sits on a bed rather than on a chair.", "cat sits on no chair", ["chair"]),
        ("Not a dog but a cat sits on the bed.", "no dog sits on bed", ["dog"]),
        ("A dog can't reach the ball.", "dog can't reach ball", []),
        ("A boy cannot see the bus.", "boy cannot see bus", []),
        ("The woman doesn't have an umbrella.", "woman doesn't have umbrella", ["umbrella"]),
        ("Nobody is without a hat.", "nobody is without hat", ["nobody"]),
    ],
)
def test_what_a_caption_denies_is_the_thing_and_not_the_place(
    parser: DependencyParser, caption: str, denied: str, absent: list[str]
) -> None:
    found = [phrase for phrase in read(parser, caption) if phrase.kind == "denied"]
    assert [(one.shown, [thing.text for thing in one.absent]) for one in found] == [(denied, absent)]


@pytest.mark.parametrize(
    ("caption", "things"),
    [
        ("A horse, not a cow.", {"horse", "cow"}),
        ("A horse instead of a cow.", {"horse", "cow"}),
        ("It is not a horse but a cow.", {"horse", "cow"}),
        ("A dog can't reach the ball.", {"dog", "ball"}),
        ("A shelf bare of cups.", {"shelf", "cups"}),
    ],
)
def test_the_things_of_a_denial_keep_their_names(parser: DependencyParser, caption: str, things: set[str]) -> None:
    assert {thing.full for phrase in read(parser, caption) for thing in phrase.things} == things


@pytest.mark.parametrize(
    ("caption", "denied"),
    [
        ("A field with neither cows nor sheep.", ["field with no cows", "field with no sheep"]),
        ("A room with neither a bed nor a chair.", ["room with no bed", "room with no chair"]),
        ("The beach is clear of people and dogs.", ["beach is clear of people", "beach is clear of dogs"]),
    ],
)
def test_each_thing_of_a_denied_list_is_denied(parser: DependencyParser, caption: str, denied: list[str]) -> None:
    found = [phrase for phrase in read(parser, caption) if phrase.kind == "denied"]
    assert [phrase.shown for phrase in found] == denied


@pytest.mark.parametrize(
    "caption",
    [
        "A sign says no dogs.",
        "A poster that reads no cars allowed.",
        "A board with the words “no people”.",
        'A shirt with "no cats" on it.',
        "A bottle is empty on the table.",
        "The sky is clear over a street.",
        "Bare trees stand in a park.",
        "A man keeps no more than two dogs.",
    ],
)
def test_words_on_a_sign_and_other_meanings_deny_nothing(parser: DependencyParser, caption: str) -> None:
    assert all(phrase.kind != "denied" for phrase in read(parser, caption))

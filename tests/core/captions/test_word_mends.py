"""Words that the parser takes for another kind are mended before the rules read a tree."""

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
        ("Two men standing next to each other.", ["men is 2", "men stand next to men"]),
        ("Two dogs chase each other.", ["dogs is 2", "dogs chase dogs"]),
        ("Two zebras stand side by side.", ["zebras is 2", "zebras stand side by side with zebras"]),
        ("Two buses are next to each other.", ["buses is 2", "buses next to buses"]),
        ("Two giraffes standing together.", ["giraffes is 2", "giraffes stand next to giraffes"]),
        ("A man works together with a dog.", ["man work with dog"]),
        ("A dog and a cat lie next to each other.", ["dog lie next to cat"]),
        ("A man and a woman are sitting together.", ["man sit next to woman"]),
    ],
)
def test_each_other_relates_several_things_to_one_another(
    parser: DependencyParser, caption: str, expected: list[str]
) -> None:
    assert texts(parser, caption) == expected


def test_a_phrase_with_each_other_shows_the_captions_words_and_means_its_subject(parser: DependencyParser) -> None:
    phrase = parser.phrases(["Two men standing next to each other."])[0][-1]
    assert phrase.shown == "men standing next to each other"
    assert phrase.things[0] == phrase.things[1]


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("A toilet and sink in a bathroom.", ["toilet in bathroom", "sink in bathroom"]),
        (
            "The kitchen has a refrigerator, toaster, and microwaves.",
            ["kitchen have refrigerator", "kitchen have toaster", "kitchen have microwaves"],
        ),
        ("A man eats and drinks.", ["man is eating", "man is drinking"]),
        ("A baker decorates a cake with sugar roses.", ["baker decorate cake", "roses is sugar"]),
        ("The archer draws her bow.", ["archer draw bow"]),
        ("A hedgehog sleeps under dry leaves.", ["hedgehog sleep under leaves", "leaves is dry"]),
        ("A couple dances under string lights.", ["couple dance under lights", "lights is string"]),
        ("A motorcycle courier delivers a parcel.", ["courier is motorcycle", "courier deliver parcel"]),
    ],
)  # fmt: skip
def test_nouns_that_may_be_verbs_stay_nouns(parser: DependencyParser, caption: str, expected: list[str]) -> None:
    assert texts(parser, caption) == expected


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("A man rides his skateboard down the street.", ["man ride skateboard", "man down street"]),
        (
            "A surfer splashes through the waves on his board.",
            ["surfer splash through waves", "surfer splash on board"],
        ),
        ("A man is doing tricks on a skateboard.", ["man do tricks", "man on skateboard"]),
        ("A cat sits on a rug in front of a fire.", ["cat sit on rug", "cat sit in front of fire"]),
        ("A boy in bed next to a girl.", ["boy in bed", "boy next to girl"]),
        ("A vase sits on a table next to roses.", ["vase sit on table", "table next to roses"]),
        ("The tractor pulls a trailer loaded with hay.", ["tractor pull trailer", "trailer load with hay"]),
        ("A butcher sprinkles pepper over the steaks.", ["butcher sprinkle pepper", "pepper over steaks"]),
        ("The painting shows a ship in a storm.", ["painting show ship", "ship in storm"]),
        ("A skier goes down a slope on skis.", ["skier go down slope", "skier on skis"]),
        ("A seal balances a ball on its nose.", ["seal balance ball", "ball on nose"]),
        ("A waiter balances trays on one arm.", ["waiter balance trays", "trays on arm"]),
        ("An elephant eats hay with its trunk.", ["elephant eat hay", "elephant eat with trunk"]),
        ("A guard opens the gate for a lorry.", ["guard open gate", "guard open for lorry"]),
        ("A sheep is sheared by a farmer in a barn.", ["farmer shear sheep", "farmer in barn"]),
        ("A child sits on the shoulders of her father.", ["child sit on shoulders", "father have shoulders"]),
    ],
)
def test_a_place_belongs_to_what_is_there(parser: DependencyParser, caption: str, expected: list[str]) -> None:
    assert texts(parser, caption) == expected


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("The man opens the gate and his son drives the sheep out.", ["man open gate", "son drive out sheep"]),
        ("A nurse measures the fever and a doctor writes a note.", ["nurse measure fever", "doctor write note"]),
        ("As the train arrives, people wave.", ["train is arriving", "people is waving"]),
        ("While the church opens, a dog barks.", ["church is opening", "dog is barking"]),
    ],
)
def test_each_clause_keeps_its_subject(parser: DependencyParser, caption: str, expected: list[str]) -> None:
    assert texts(parser, caption) == expected


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        ("A large number of birds.", ["birds"]),
        ("A large group of people sit.", ["people is group of", "people is sitting"]),
        ("A dozen roses stand in a vase.", ["roses is 12", "roses stand in vase"]),
        ("A bowl of apples.", ["apples in bowl"]),
        ("A school of fish swims around the reef.", ["fish swim around reef"]),
        ("Slices of melon float in water.", ["melon is slices", "melon float in water"]),
        ("A woman is taking a picture of a dog.", ["woman photograph dog"]),
        ("Two foxes cross a field at dawn.", ["foxes is 2", "foxes cross field"]),
    ],
)
def test_measures_and_pictures_are_no_things(parser: DependencyParser, caption: str, expected: list[str]) -> None:
    assert texts(parser, caption) == expected


def test_a_picture_taken_is_shown_in_the_captions_words(parser: DependencyParser) -> None:
    assert parser.phrases(["A woman is taking a picture of a dog."])[0][0].shown == "woman is taking a picture of dog"


def test_what_somebody_refuses_is_denied(parser: DependencyParser) -> None:
    (phrase,) = parser.phrases(["The horse refuses to jump."])[0]
    assert (phrase.kind, phrase.shown) == ("denied", "horse refuses to jump")


def test_two_joined_subjects_that_relate_to_each_other_are_shown_with_their_place(parser: DependencyParser) -> None:
    (phrase,) = parser.phrases(["A dog and a cat lie next to each other."])[0]
    assert phrase.shown == "dog lie next to cat"


@pytest.mark.parametrize(
    ("caption", "expected"),
    [
        (
            "A woman with hair on her shoulders.",
            ["woman with hair", "woman have shoulders", "hair on shoulders"],
        ),
        ("A man with snow on his shoes.", ["man with snow", "snow on shoes"]),
        ("A woman with her hair in a bun.", ["woman with hair", "hair in bun"]),
        (
            "A woman with long hair over her shoulders sits on a bench.",
            ["woman with hair", "woman have shoulders", "woman sit on bench", "hair is long", "hair over shoulders"],
        ),
        ("A dog with a collar around its neck.", ["dog with collar", "dog have neck", "collar around neck"]),
        ("A man with a dog in his car.", ["man with dog", "dog in car"]),
        ("A boy with a girl on his shoulders.", ["boy with girl", "boy have shoulders", "girl on shoulders"]),
    ],
)
def test_a_thing_on_a_part_of_somebody_is_there_not_the_person(
    parser: DependencyParser, caption: str, expected: list[str]
) -> None:
    assert texts(parser, caption) == expected


@pytest.mark.parametrize(
    ("caption", "shown"),
    [
        ("boat and diver", ["boat and diver"]),
        ("A sail boat and a diver.", ["sail boat and diver"]),
        ("A boy and his dog.", ["boy and dog"]),
        ("A cup stands next to a hair drier.", ["cup stands next to hair drier"]),
        ("Two hair driers.", ["two hair driers"]),
        ("A cup & a spoon", ["cup & spoon"]),
        ("A woman with hair on her shoulders.", ["woman with hair", "woman's shoulders", "hair on shoulders"]),
        ("A man with his dog.", ["man with dog"]),
    ],
)
def test_two_listed_things_are_shown_with_and_and_parts_with_their_owner(
    parser: DependencyParser, caption: str, shown: list[str]
) -> None:
    assert [phrase.shown for phrase in parser.phrases([caption])[0]] == shown

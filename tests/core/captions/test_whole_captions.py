"""Whole captions of the kinds that people write, with the facts that they state, and others that they allow.

Half of the captions were kept aside while the rules were written. At the first measurement 90.7 % of their main facts
and 84.4 % of their facts were found, and 9.9 % of their phrases were false.

40 further captions ("kept aside later") were written before later rules, and nobody looked at how they are read. Their
first measurement gave 92.5, 88.4 and 6.1 %; the rules before gave 90.0, 85.5 and 7.5 %. The rules of parser 1.4.0 give
92.5, 89.9 and 4.9 %.

60 captions were written, with their facts, before the rules of parser 1.4.0. The rules were made with the half "open
last" and other sentences of the same kinds. On "kept aside last" the rules before gave 83.3, 88.9 and 9.0 %. The rules
after give 90.0, 92.1 and 3.9 %.
"""

import csv
from dataclasses import dataclass
from pathlib import Path

import pytest

from core.captions.reading.facts import Fact, read_facts
from core.captions.reading.phrases import CaptionPhrase
from core.models.parser import DependencyParser
from tests.core.captions.fact_scores import lemmatised

FILE = Path(__file__).parent / "whole_captions.csv"
SAME = {"lay": "lie", "onto": "on"}  # the corpus has one word for both

Said = tuple[bool, Fact]  # whether it is denied, and the fact


@dataclass(frozen=True)
class Expected:
    caption: str
    part: str
    main: set[Said]
    facts: set[Said]
    also: set[Said]  # neither needed nor wrong


@dataclass(frozen=True)
class Shares:
    """Shares in percent."""

    main: float  # captions whose main facts are all found
    found: float  # expected facts that are found
    false: float  # printed phrases that are neither expected nor allowed


def read(file: Path = FILE) -> list[Expected]:
    with file.open(encoding="utf-8", newline="") as lines:
        return [
            Expected(row["caption"], row["part"], said(row["main"]), said(row["facts"]), said(row["also"]))
            for row in csv.DictReader(lines)
        ]


def said(text: str) -> set[Said]:
    pieces = text.replace(") , ", ")|").split("|") if text else []
    return {
        (piece.startswith("not "), alike(fact)) for piece in pieces for fact in read_facts(piece.removeprefix("not "))
    }


def alike(fact: Fact) -> Fact:
    plain = lemmatised(fact)
    words = (
        " ".join(SAME.get(word, word) for word in part.split())
        for part in (plain.subject, plain.predicate, plain.object)
    )
    return Fact(*words)


def printed(phrase: CaptionPhrase) -> set[Said]:
    """Return what a phrase says, with things by their full names and by their nouns alone; empty for a number."""
    fact = phrase.fact
    if fact is None or fact.kind == "quantity":
        return set()
    names = [(thing.full, thing.text) for thing in phrase.things]
    objects = names[1] if fact.kind == "relation" else (fact.object,)
    return {
        (phrase.kind == "denied", alike(Fact(subject, fact.predicate, object)))
        for subject in names[0]
        for object in objects
    }


def is_of_name(phrase: CaptionPhrase) -> bool:
    """Return whether a phrase says no more than a thing's name or its whole: "tea cup", "bag of food", "oven door"."""
    fact = phrase.fact
    if fact is None or fact.predicate != "have":
        return fact is not None and fact.kind == "attribute" and fact.object in phrase.things[0].full.split()[:-1]
    return " of " in phrase.shown or "'s " in phrase.shown or phrase.shown == phrase.things[-1].full


def measure(parser: DependencyParser, expected: list[Expected], mistakes: list[str] | None = None) -> Shares:
    mains = right = facts = found = phrases = false = 0
    for one in expected:
        read = [(phrase, printed(phrase)) for phrase in parser.phrases([one.caption])[0]]
        read = [(phrase, meanings) for phrase, meanings in read if meanings]
        known = set[Said]().union(*(meanings for _, meanings in read))
        missing = one.facts - known
        right_things = {(False, Fact(thing)) for _, fact in one.facts | one.also for thing in fact.things}
        allowed = one.facts | one.also | right_things
        wrong = [p for p, meanings in read if not meanings & allowed and not is_of_name(p)]
        mains, right = mains + bool(one.main), right + bool(one.main and one.main <= known)
        facts, found = facts + len(one.facts), found + len(one.facts) - len(missing)
        phrases, false = phrases + len(read), false + len(wrong)
        if mistakes is not None and (missing or wrong):
            lines = [f"  - {'not ' * is_denied}{fact}" for is_denied, fact in sorted(missing, key=str)]
            lines += [f"  + {phrase.text} | {phrase.shown} | {phrase.kind}" for phrase in wrong]
            mistakes.append("\n     ".join([f"{'' if one.main <= known else '! '}{one.caption}", *lines]))
    return Shares(100 * right / mains, 100 * found / facts, 100 * false / phrases)


@pytest.fixture(scope="module")
def parser() -> DependencyParser:
    return DependencyParser.load()


@pytest.mark.parametrize("aside", [False, True])
def test_whole_captions_are_read_rightly(parser: DependencyParser, aside: bool) -> None:
    shares = measure(parser, [one for one in read() if one.part.startswith("kept aside") == aside])
    assert (shares.main >= 90, shares.found >= 85, shares.false <= 5) == (True, True, True), shares


@pytest.mark.parametrize(
    ("caption", "shown"),
    [
        ("An old woman watches the pigeons.", ["old woman", "woman watches pigeons"]),
        ("The coach shouts at his players.", ["coach shouts at players"]),
        ("A tram stops, and an old man climbs into it.", ["tram stops", "old man", "man climbs into tram"]),
        ("A boy throws a stick and his dog fetches it.", ["boy throws stick", "dog fetches stick"]),
        ("A runner is cheered on by spectators.", ["runner is cheered on by spectators"]),
        ("Rear Admiral Grace Hopper sits at a desk.", ["Rear Admiral Grace Hopper sits at desk"]),
        ("Neither the boy nor the girl wears a hat.", ["neither boy wears hat", "nor girl wears hat"]),
        ("The hall is empty of chairs.", ["hall is empty of chairs"]),
        ("The bus is blue and nobody is near it.", ["bus is blue", "nobody is near bus"]),
        ("No red cars are parked.", ["no red cars are parked"]),
        ("There are no red cars in the street.", ["no red cars in street"]),
        ("Cars wait at a zebra crossing.", ["cars wait at zebra crossing"]),
        ("Seven of the ten bottles are green.", ["seven bottles", "bottles are green"]),
        ("A family of six.", ["family of six"]),
        ("Five of the dogs bark.", ["five dogs", "dogs bark"]),
        ("The dog is tied to a pole.", ["dog is tied to pole"]),
        ("Two men are at a table; one is eating a pizza.", ["two men", "men are at table", "one is eating pizza"]),
    ],
)
def test_phrases_are_shown_in_the_captions_own_words(parser: DependencyParser, caption: str, shown: list[str]) -> None:
    assert [phrase.shown for phrase in parser.phrases([caption])[0]] == shown


def test_one_of_several_is_a_single_thing(parser: DependencyParser) -> None:
    (phrases,) = parser.phrases(["Two women sit on a sofa and one wears a hat."])
    assert phrases[-1].text == "woman wear hat"
    assert [thing.text for thing in phrases[-1].things] == ["woman", "hat"]


def test_a_thing_has_its_full_name_where_it_stands(parser: DependencyParser) -> None:
    caption = "A birthday cake stands beside a wine glass."
    (phrases,) = parser.phrases([caption])
    (stands,) = [phrase for phrase in phrases if phrase.fact and phrase.fact.kind == "relation"]
    assert [(thing.full, caption[slice(*thing.span)]) for thing in stands.things] == [
        ("birthday cake", "birthday cake"),
        ("wine glass", "wine glass"),
    ]
    assert "cake is birthday" not in {phrase.shown for phrase in phrases}

"""Words that state how somebody does something name no thing, and crossed arms belong to the subject."""

import pytest

from core.models.language.dependency_parser import DependencyParser


@pytest.fixture(scope="module")
def parser() -> DependencyParser:
    return DependencyParser.load()


@pytest.mark.parametrize(
    ("caption", "facts"),
    [
        ("A cheetah runs at full speed across the ground.", {"( cheetah , run across , ground )"}),
        ("A cheetah runs at full speed.", {"( cheetah , is , running )"}),
        ("A man walks in a hurry past a bus at night.", {"( man , walk past , bus )"}),
        ("A car drives at high speed on a road.", {"( car , drive on , road )"}),
        ("A man runs at top speed.", {"( man , is , running )"}),
        ("A train at full speed.", {"( train )"}),
        ("A man with a speed boat.", {"( man , with , boat )", "( boat , is , speed )"}),
    ],
)
def test_a_manner_is_no_thing(parser: DependencyParser, caption: str, facts: set[str]) -> None:
    (found,) = parser.facts([caption])
    assert {str(one.fact) for one in found} == facts


@pytest.mark.parametrize(
    ("caption", "facts"),
    [
        (
            "A lion rests on a rock with his arms crossed.",
            {"( lion , rest on , rock )", "( lion , with , arms )", "( arms , is , crossed )"},
        ),
        ("A man stands beside a bus with his hands folded.", {
            "( man , stand beside , bus )", "( man , have , hands )", "( hands , is , folded )"}),
        ("A man with his arms crossed.", {"( man , with , arms )", "( arms , is , crossed )"}),
        ("A woman poses with her arms crossed.", {
            "( woman , is , posing )", "( woman , with , arms )", "( arms , is , crossed )"}),
    ],
)  # fmt: skip
def test_crossed_arms_belong_to_the_subject(parser: DependencyParser, caption: str, facts: set[str]) -> None:
    (found,) = parser.facts([caption])
    assert {str(one.fact) for one in found} == facts


@pytest.mark.parametrize(
    ("caption", "facts"),
    [
        ("A bowl with a bird printed on it.", {"( bowl , with , bird )"}),
        ("A bag with a cat painted on it hangs on a door.", {"( bag , with , cat )", "( bag , hang on , door )"}),
        ("A dog is printed on a mug.", {"( dog , print on , mug )"}),
        ("A woman sings like a bird.", {"( woman , sing like , bird )"}),
        ("A boy runs like a horse.", {"( boy , run like , horse )"}),
        ("People like dogs.", {"( people , like , dogs )"}),
    ],
)
def test_a_print_and_a_comparison_belong_to_the_right_noun(
    parser: DependencyParser, caption: str, facts: set[str]
) -> None:
    (found,) = parser.facts([caption])
    assert {str(one.fact) for one in found} >= facts
    assert not any("on , bird" in str(one.fact) or "on , cat" in str(one.fact) for one in found)
    assert "like" not in {thing.text for one in found for thing in one.things}

"""Captions without a main verb are read by their nouns."""

import pytest

from core.models.language.dependency_parser import DependencyParser


@pytest.fixture(scope="module")
def parser() -> DependencyParser:
    return DependencyParser.load()


@pytest.mark.parametrize(
    ("caption", "facts"),
    [
        ("Cheetah", {"( cheetah )"}),
        ("One cheetah.", {"( cheetah )"}),
        ("neither a leopard nor a cheetah", {"( leopard , next to , cheetah )"}),
        ("A dahlia whose leaves are red.", {"( leaves , is , red )"}),
        ("A man whose coat is beige.", {"( coat , is , beige )"}),
    ],
)
def test_a_fragment_states_facts_about_its_nouns(parser: DependencyParser, caption: str, facts: set[str]) -> None:
    (found,) = parser.facts([caption])
    assert {str(one.fact) for one in found} == facts


def test_neither_and_nor_deny_both_things(parser: DependencyParser) -> None:
    ((phrase,),) = parser.phrases(["neither a leopard nor a cheetah"])
    assert phrase.kind == "denied"
    assert [thing.text for thing in phrase.absent] == ["leopard", "cheetah"]

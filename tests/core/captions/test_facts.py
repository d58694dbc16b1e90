import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.captions.reading.facts import Fact, read_facts


def golden_cases() -> list[Any]:
    import os

    root = Path(__file__).resolve().parents[3]
    file = Path(os.environ.get("CAPSCOPE_SHARED", root.parent / "shared")) / "golden" / "factual" / "factual.json"
    if not file.is_file():
        return [pytest.param({}, marks=pytest.mark.skip(reason=f"needs the golden vectors at {file}"))]
    return [pytest.param(case, id=f"{case['id']}") for case in json.loads(file.read_text(encoding="utf-8"))["cases"]]


def as_lists(facts: tuple[Fact, ...]) -> list[list[str]]:
    return [[part for part in (fact.subject, fact.predicate, fact.object) if part] for fact in facts]


@pytest.mark.parametrize("case", golden_cases())
def test_graph_texts_are_read_as_the_golden_vectors_say(case: dict[str, Any]) -> None:
    facts = read_facts(case["raw"])
    assert as_lists(facts) == case["facts"]
    assert as_lists(tuple(fact for fact in facts if fact.predicate)) == case["triples"]
    assert [fact.text for fact in facts if fact.predicate] == case["phrases_literal"]
    assert as_lists(tuple(fact for fact in facts if fact.kind == "relation")) == case["relations"]
    things = {thing["head"]: thing for thing in case["entities"]}
    assert list(dict.fromkeys(head for fact in facts for head in fact.things)) == list(things)
    for head, thing in things.items():
        said = [fact for fact in facts if fact.subject == head]
        assert [fact.object for fact in said if fact.kind == "attribute"] == thing["attributes"]
        assert next((fact.object for fact in reversed(said) if fact.kind == "quantity"), "") == thing["quantity"]


@pytest.mark.parametrize("text", ["", "   ", "(", "( )", ")", "Generate Scene Graph:"])
def test_text_without_facts_gives_none(text: str) -> None:
    assert read_facts(text) == ()


word = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=8)
name = st.lists(word, min_size=1, max_size=2).map(" ".join)
a_fact = st.one_of(st.builds(Fact, name), st.builds(Fact, name, name, name))


@given(st.lists(a_fact, unique=True, max_size=6))
def test_what_is_written_is_read_back(facts: list[Fact]) -> None:
    written = (" , ".join(filter(None, (one.subject, one.predicate, one.object))) for one in facts)
    assert read_facts(" , ".join(f"( {text} )" for text in written)) == tuple(facts)


@given(st.text(alphabet="(), abv:1\n", max_size=60))
def test_any_text_is_read_without_repeats_or_empty_names(text: str) -> None:
    facts = read_facts(text)
    assert len(set(facts)) == len(facts)
    assert all(fact.subject and bool(fact.predicate) == bool(fact.object) for fact in facts)

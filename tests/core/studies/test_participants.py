"""States, counts by day and the flow of participants, worked out by hand."""

from datetime import datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.studies.results.participants import Participant, State, flow_text, participant_flow, state_counts

DAY = datetime(2026, 3, 1, 23, 0)
NEXT = DAY + timedelta(hours=2)


def person(code: str = "A", **facts: Any) -> Participant:
    return Participant(**{"code": code, "arrived_at": DAY} | facts)


@pytest.mark.parametrize(
    ("facts", "state"),
    [
        ({}, "arrived"),
        ({"practised_at": DAY}, "practising"),
        ({"practised_at": DAY, "rated_at": DAY}, "rating"),
        ({"rated_at": DAY, "finished_at": NEXT}, "finished"),
        ({"rated_at": DAY, "returned_at": NEXT}, "returned"),
        ({"screened_out_at": DAY, "returned_at": NEXT}, "screened_out"),
        ({"rated_at": DAY, "finished_at": NEXT, "excluded_at": NEXT}, "excluded"),
    ],
)
def test_a_participant_is_in_the_last_state_that_the_facts_show(facts: dict[str, Any], state: State) -> None:
    assert person(**facts).state == state


def test_the_flow_names_every_reason_with_its_number() -> None:
    people = [
        person("A", practised_at=DAY, rated_at=DAY, finished_at=NEXT),
        person("B", screened_out_at=DAY, screened_out="failed the check"),
        person("C", screened_out_at=DAY, screened_out="answers to the questions before the items"),
        person("D", screened_out_at=DAY, screened_out="failed the check"),
        person("E", practised_at=DAY, rated_at=DAY, excluded_at=NEXT, excluded="gold failed"),
        person("F", returned_at=DAY),
        person("G", practised_at=DAY),
    ]
    assert flow_text(participant_flow(people)) == (
        "7 arrived, 3 screened out (2: failed the check; 1: answers to the questions before the items), 3 practised, "
        "2 rated at least one item, 1 finished, 1 returned (1: before the first item), 1 excluded (1: gold failed), "
        "1 not finished (1: before the first item)"
    )
    assert participant_flow([]) == () and flow_text(()) == ""


TIMES = st.one_of(st.none(), st.just(DAY), st.just(NEXT))
FACTS = ("screened_out_at", "practised_at", "rated_at", "finished_at", "returned_at", "excluded_at")
PEOPLE = st.lists(st.fixed_dictionaries(dict.fromkeys(FACTS, TIMES)).map(lambda facts: person(**facts)), max_size=30)


@given(PEOPLE)
def test_everybody_is_in_one_state_and_the_ends_of_the_flow_add_up_to_the_arrivals(people: list[Participant]) -> None:
    assert sum(state_counts(people).values()) == len(people)
    counts = {step.step: step.participants for step in participant_flow(people)}
    ends = ("screened out", "finished", "returned", "excluded", "not finished")
    assert sum(counts.get(end, 0) for end in ends) == counts.get("arrived", 0)

"""States, counts by day and the flow of participants, worked out by hand."""

from datetime import datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from core.studies.results.flow import StudyRater, flow_text, participant_flow, stage_counts

DAY = datetime(2026, 3, 1, 23, 0)
NEXT = DAY + timedelta(hours=2)


def person(code: str = "A", **facts: Any) -> StudyRater:
    return StudyRater(**{"id": 1, "code": code, "arrived_at": DAY} | facts)


def test_the_flow_names_every_reason_with_its_number() -> None:
    people = [
        person("A", practised_at=DAY, rated_at=DAY, finished_at=NEXT),
        person("B", screened_out_at=DAY),
        person("C", screened_out_at=DAY),
        person("D", screened_out_at=DAY),
        person("E", practised_at=DAY, rated_at=DAY, excluded_at=NEXT, excluded="gold failed"),
        person("F", returned_at=DAY),
        person("G", practised_at=DAY),
    ]
    assert flow_text(participant_flow(people)) == (
        "7 arrived, 3 screened out, 3 practised, 2 rated at least one item, 1 finished, 1 returned, "
        "1 excluded (1: gold failed), 1 not finished"
    )
    assert participant_flow([]) == () and flow_text(()) == ""


TIMES = st.one_of(st.none(), st.just(DAY), st.just(NEXT))
FACTS = ("screened_out_at", "practised_at", "rated_at", "finished_at", "returned_at", "excluded_at")
PEOPLE = st.lists(st.fixed_dictionaries(dict.fromkeys(FACTS, TIMES)).map(lambda facts: person(**facts)), max_size=30)


@given(PEOPLE)
def test_everybody_is_in_one_state_and_the_ends_of_the_flow_add_up_to_the_arrivals(people: list[StudyRater]) -> None:
    assert sum(stage_counts(people).values()) == len(people)
    counts = {step.step: step.participants for step in participant_flow(people)}
    ends = ("screened out", "finished", "returned", "excluded", "not finished")
    assert sum(counts.get(end, 0) for end in ends) == counts.get("arrived", 0)

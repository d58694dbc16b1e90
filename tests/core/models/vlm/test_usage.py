"""Tokens as servers tell them: OpenAI's form, vLLM's, others', and what makes no sense."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.costs import Usage, usage_fields
from core.models.vlm.served_chat import usage_of

UNCOUNTED = Usage(1, 0)


def told(**usage: Any) -> Usage:
    return usage_of({"choices": [], "usage": usage})


def test_openai_tells_cached_and_reasoning_tokens_as_parts() -> None:
    found = told(
        prompt_tokens=1_000,
        completion_tokens=70,
        total_tokens=1_070,
        prompt_tokens_details={"cached_tokens": 640, "audio_tokens": 0},
        completion_tokens_details={"reasoning_tokens": 64},
    )
    assert found == Usage(1, 1, 1_000, 70, 1_070, 640, 64)


def test_vllm_tells_null_for_details_and_these_stay_unknown() -> None:
    assert told(prompt_tokens=600, total_tokens=605, completion_tokens=5, prompt_tokens_details=None) == Usage(
        1, 1, 600, 5, 605
    )


def test_tokens_in_the_total_alone_belong_to_the_completion() -> None:
    # Gemini behind OpenAI's protocol counts thinking beside the completion: 10 + 5, but 115 in total
    assert told(prompt_tokens=10, completion_tokens=5, total_tokens=115) == Usage(1, 1, 10, 105, 115)
    assert told(prompt_tokens=10, completion_tokens=5) == Usage(1, 1, 10, 5, 15)
    assert told(prompt_tokens=10, completion_tokens=5, total_tokens=3) == Usage(1, 1, 10, 5, 15)


@pytest.mark.parametrize("odd", ["12", -1, 1.5, None, True, 10**30, float("nan"), float("inf"), [], {}])
@pytest.mark.parametrize("field", ["prompt_tokens", "completion_tokens"])
def test_an_answer_with_a_senseless_count_is_an_answer_without_one(field: str, odd: Any) -> None:
    assert told(**{"prompt_tokens": 10, "completion_tokens": 5, field: odd}) == UNCOUNTED


@pytest.mark.parametrize("answer", [{}, {"usage": None}, {"usage": []}, {"usage": "12"}, {"usage": {}}, [], None, "no"])
def test_an_answer_without_usage_is_counted_as_an_answer_alone(answer: Any) -> None:
    assert usage_of(answer) == UNCOUNTED


def test_parts_larger_than_the_whole_are_unknown() -> None:
    details = {"prompt_tokens_details": {"cached_tokens": 11}, "completion_tokens_details": {"reasoning_tokens": "5"}}
    assert told(prompt_tokens=10, completion_tokens=5, **details) == Usage(1, 1, 10, 5, 15)


JSON = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)
NAMES = ("prompt_tokens", "completion_tokens", "total_tokens", "prompt_tokens_details", "completion_tokens_details")


@given(st.dictionaries(st.sampled_from(NAMES), JSON | st.integers(0, 50) | st.just({"cached_tokens": 3})))
def test_whatever_a_server_tells_becomes_a_sound_usage(usage: Any) -> None:
    found = usage_of({"usage": usage})
    assert found.answers == 1 and Usage(**(usage_fields(found) or {})) == found

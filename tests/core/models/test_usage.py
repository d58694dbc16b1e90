"""Tokens as servers report them: OpenAI's form, vLLM's, others', and impossible counts."""

from typing import Any

import pytest

from core.costs import Usage
from core.models.served_chat import usage_of


@pytest.mark.parametrize(
    ("usage", "expected"),
    [
        (
            {
                "prompt_tokens": 1_000,
                "completion_tokens": 70,
                "total_tokens": 1_070,
                "prompt_tokens_details": {"cached_tokens": 640, "audio_tokens": 0},
                "completion_tokens_details": {"reasoning_tokens": 64},
            },
            Usage(1, 1, 1_000, 70, 1_070, 640, 64),
        ),
        (
            {"prompt_tokens": 600, "total_tokens": 605, "completion_tokens": 5, "prompt_tokens_details": None},
            Usage(1, 1, 600, 5, 605),
        ),
        # Gemini behind OpenAI's protocol counts thinking beside the completion: 10 + 5, but 115 in total
        ({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 115}, Usage(1, 1, 10, 105, 115)),
        ({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": 3}, Usage(1, 1, 10, 5, 15)),
        ({"prompt_tokens": "12", "completion_tokens": 5}, Usage(1, 0)),
        ({"prompt_tokens": 10, "completion_tokens": -1}, Usage(1, 0)),
        ({"prompt_tokens": True, "completion_tokens": float("nan")}, Usage(1, 0)),
        ({"prompt_tokens": 10, "completion_tokens": 5, "total_tokens": "x"}, Usage(1, 0)),
        (None, Usage(1, 0)),
        ([], Usage(1, 0)),
    ],
)
def test_a_reported_usage_becomes_a_sound_one_or_an_answer_without_counts(usage: Any, expected: Usage) -> None:
    assert usage_of({"choices": [], "usage": usage}) == expected
    assert usage_of([]) == Usage(1, 0)

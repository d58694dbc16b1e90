"""Tokens as servers tell them: OpenAI's field `usage`, and its variants."""

from collections.abc import Mapping
from typing import Any

from core.costs import Usage

MOST_OF_AN_ANSWER = 10**9  # tokens; a larger number is a mistake


def usage_of(answer: Any) -> Usage:
    """Return the tokens of one answer. An answer whose count is missing or makes no sense is not counted.

    Some servers count reasoning tokens beside the completion's, in the total alone; these are added to the completion.
    """
    told = answer.get("usage") if isinstance(answer, Mapping) else None
    told = told if isinstance(told, Mapping) else {}
    prompt, completion = _tokens(told.get("prompt_tokens")), _tokens(told.get("completion_tokens"))
    if prompt is None or completion is None:
        return Usage(1, 0)
    total = max(prompt + completion, _tokens(told.get("total_tokens")) or 0)
    completion = total - prompt
    cached = _detail(told, "prompt_tokens_details", "cached_tokens", prompt)
    reasoning = _detail(told, "completion_tokens_details", "reasoning_tokens", completion)
    return Usage(1, 1, prompt, completion, total, cached, reasoning)


def _tokens(told: Any) -> int | None:
    """Return a number of tokens; None for everything else, such as text, a fraction or a negative number."""
    if isinstance(told, float) and told.is_integer():
        told = int(told)
    sound = isinstance(told, int) and not isinstance(told, bool) and 0 <= told <= MOST_OF_AN_ANSWER
    return told if sound else None


def _detail(told: Mapping[str, Any], group: str, name: str, most: int) -> int | None:
    """Return how many of the tokens are of a kind; None where the server does not tell, or tells too many."""
    details = told.get(group)
    found = _tokens(details.get(name)) if isinstance(details, Mapping) else None
    return found if found is not None and found <= most else None

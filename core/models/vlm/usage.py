"""Read the token counts that servers report in OpenAI's field `usage` and its variants."""

from collections.abc import Mapping
from typing import Any

from core.costs import Usage

MOST_OF_AN_ANSWER = 10**9  # maximum tokens of one answer; a larger number is a mistake


def usage_of(answer: Any) -> Usage:
    """Return the token counts of one answer.

    If the server's counts are missing or impossible, returns Usage(1, 0): one answer without a token count. Some
    servers count reasoning tokens only in the total. For such a server, the reasoning tokens are added to the tokens of
    the answer.
    """
    counts = answer.get("usage") if isinstance(answer, Mapping) else None
    counts = counts if isinstance(counts, Mapping) else {}
    prompt, completion = _tokens(counts.get("prompt_tokens")), _tokens(counts.get("completion_tokens"))
    if prompt is None or completion is None:
        return Usage(1, 0)
    total = max(prompt + completion, _tokens(counts.get("total_tokens")) or 0)
    completion = total - prompt
    cached = _detail(counts, "prompt_tokens_details", "cached_tokens", prompt)
    reasoning = _detail(counts, "completion_tokens_details", "reasoning_tokens", completion)
    return Usage(1, 1, prompt, completion, total, cached, reasoning)


def _tokens(value: Any) -> int | None:
    """Return a number of tokens; None for other values, such as text, a fraction or a negative number."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    sound = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_OF_AN_ANSWER
    return value if sound else None


def _detail(counts: Mapping[str, Any], group: str, name: str, most: int) -> int | None:
    """Return the number of tokens of one kind, such as cached tokens.

    Returns None if the number is missing or larger than `most`.
    """
    details = counts.get(group)
    tokens = _tokens(details.get(name)) if isinstance(details, Mapping) else None
    return tokens if tokens is not None and tokens <= most else None

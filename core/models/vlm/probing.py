"""Test which probabilities a server returns and which fields of requests it accepts, with a test question.

There are several ways to request probabilities. They are tried from best to worst: 1. the probabilities of the ten
digits by token id; 2. the probabilities of the 20 likeliest tokens; 3. those of the 5 likeliest tokens; 4. that of the
written token only; 5. no probabilities. If the best way does not work, the module logs this once, because another way
changes scores.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from PIL import Image

from core.errors import BadSetting, NoScore
from core.models.vlm.llava_prompt import Turn
from core.models.vlm.model_server import ModelServer
from core.models.vlm.served_answer import Step, has_all_digits, steps_of
from core.models.vlm.served_chat import MEAN, TOP, Dialect, picture_url, score_body

FEW = 5  # number of likeliest tokens per position; many services return at most this number
_log = logging.getLogger("capscope")


@dataclass(frozen=True, slots=True)
class Found:
    """A format of requests that the server accepts, with the server's answer."""

    dialect: Dialect
    answer: Mapping[str, Any]
    missing: float = 0.0  # highest probability that an omitted digit can have, at any token of the answer


def probe(server: ModelServer, dialect: Dialect, turns: Sequence[Turn]) -> tuple[Dialect, Mapping[str, Any]]:
    """Send the test question about a grey picture.

    Returns the dialect (format) of all further requests, and the server's answer. Raises BadSetting, ModelUnavailable.
    """
    if dialect.digits == "exact" and not dialect.digit_ids:
        dialect = replace(dialect, digits="likeliest")
    refusals, reasons = list[str](), list[str]()
    for way in _ways(dialect):
        attempt, answer = _asked(server, way, turns)
        result = answer if isinstance(answer, NoScore) else _found(attempt, answer)
        if isinstance(result, Found):
            _tell(server, result, refusals)
            return result.dialect, result.answer
        refusals += [str(result)] if isinstance(result, NoScore) else []
        reasons.append(str(result))
    why = "; ".join(dict.fromkeys(reasons))
    if dialect.digits in ("integers", "raw"):  # even a request without probabilities failed
        raise BadSetting(f"{dialect.model} at {server.url} did not answer the test question. Reason: {why}")
    raise BadSetting(
        f"{dialect.model} at {server.url} does not return the probabilities of digits ({why}). Choose another model, "
        "or use the metric General judge."
    )


def probe_answer(server: ModelServer, dialect: Dialect, turns: Sequence[Turn]) -> Any:
    """Return the answer to the test question, or a NoScore if the server refuses it."""
    body = score_body(dialect, turns, picture_url(Image.new("RGB", (32, 32), MEAN), dialect), max_tokens=2)
    if not dialect.plain and dialect.digits not in ("integers", "raw"):
        body |= {"return_prompt_text": True, "return_token_ids": True}
    (answer,) = server.chat([body])
    return answer


def _ways(dialect: Dialect) -> list[Dialect]:
    """Return the formats of requests to try, best format first."""
    if dialect.digits == "raw":
        return [dialect]
    if dialect.digits == "integers":
        few = [replace(dialect, top=top) for top in (FEW, 0)]
        return [dialect, *few, replace(dialect, digits="raw")]
    likeliest = [replace(dialect, digits="likeliest", top=top) for top in (TOP, FEW)]
    plain = (False, True) if dialect.template == "chat" else (False,)
    exact = [dialect] if dialect.digits == "exact" else []
    return [*exact, *(replace(one, plain=is_plain) for one in likeliest for is_plain in plain)]


def _asked(server: ModelServer, dialect: Dialect, turns: Sequence[Turn]) -> tuple[Dialect, Any]:
    """Send the test question, and repeat it without the fields that the server refuses.

    Returns the format of the request that was sent last, and the answer to this request.
    """
    answer = probe_answer(server, dialect, turns)
    for _ in range(2):
        refusal = str(answer).lower() if isinstance(answer, NoScore) else ""
        if "max_completion_tokens" in refusal and dialect.length_field == "max_tokens":
            dialect = replace(dialect, length_field="max_completion_tokens")
        elif "temperature" in refusal and dialect.greedy:
            dialect = replace(dialect, greedy=False)
        else:
            break
        answer = probe_answer(server, dialect, turns)
    return dialect, answer


def _found(dialect: Dialect, answer: Mapping[str, Any]) -> Found | str:
    """Return the format of requests, if the answer has the probabilities that were requested.

    Otherwise returns what is missing, as text.
    """
    if dialect.digits == "raw":
        return Found(dialect, answer)
    try:
        steps = steps_of(answer)
    except (ValueError, KeyError, IndexError, TypeError, AttributeError) as error:
        return f"an answer that cannot be read: {error}"
    if not steps:
        return "an answer without probabilities"
    if dialect.digits == "exact":
        return Found(dialect, answer) if has_all_digits(steps, dialect) else "no probabilities with token ids"
    reported = min(dialect.top or 1, *(step.reported for step in steps))
    if dialect.digits == "likeliest" and reported == 1:
        return "only the probability of the written token"
    return Found(replace(dialect, reported=reported), answer, _missing(steps))


def _missing(steps: Sequence[Step]) -> float:
    return max(1.0 - step.mass for step in steps)


def _tell(server: ModelServer, way: Found, refusals: Sequence[str]) -> None:
    """Log once what this server does not support, and how this changes scores."""
    dialect = way.dialect
    who, why = f"{dialect.model} at {server.url}", f" ({'; '.join(dict.fromkeys(refusals))})" if refusals else ""
    if not dialect.greedy:
        _log.warning("%s refuses temperature 0: the same caption may get another score each time.", who)
    if dialect.digits == "raw" and dialect.sampling is None:
        _log.warning(
            "%s returns no probabilities%s, so scores are the numbers in answers. Signatures have digits:raw.", who, why
        )
    elif dialect.digits != "exact" and dialect.reported < TOP:
        _log.warning(
            "%s returns %d probabilities per token instead of %d%s. On a test picture %.1f %% of the probability is "
            "missing. Scores can differ from scores with all probabilities. Signatures contain digits:%s.",
            *(who, dialect.reported, TOP, why, 100 * way.missing, dialect.signed_digits),
        )

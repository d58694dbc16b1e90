"""Requests to a served model and its answers: OpenAI's chat protocol with vLLM's additions.

There are two ways to read the probabilities of digits. vLLM returns those of the ten digits by their token ids
(``logprob_token_ids``), at every token of the answer. Other servers return the 20 likeliest tokens. Both are
probabilities over the whole vocabulary. Guided decoding is never used, because it would renormalise them.
"""

import base64
import io
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from PIL import Image

from core.costs import Usage
from core.models.vlm.llava_v1 import Turn, pad_to_square
from core.models.vlm.protocol import Reply

MEAN = (122, 116, 104)  # mean colour of CLIP's pictures, each channel 0-255; LLaVA pads with it
LLAVA_SIDE = 336  # px, side of LLaVA-1.5's square picture
LONGEST_SIDE = 1024  # longest side in px to which pictures for models other than LLaVA are reduced
SCORE_TOKENS, MAX_TOKENS = 16, 512  # maximum tokens of a score, and of any answer as published
TOP = 20  # number of likeliest tokens to request at each token of an answer
MOST_OF_AN_ANSWER = 10**9  # maximum tokens of one answer; a larger number is a mistake
TOKEN_ID = re.compile(r"token_id:(\d+)")


@dataclass(frozen=True, slots=True)
class Dialect:
    """The format of requests that a server understands."""

    model: str  # the server's name for the model
    template: str = "llava_v1"  # "chat": the server's own template, with unchanged pictures
    digit_ids: tuple[int, ...] = ()  # the model's own tokens of "0" to "9"; (): read the 20 likeliest tokens
    side: int = LLAVA_SIDE
    gaps: tuple[str, str] = ("", "")  # texts inserted after the begin mark and the picture to get the published tokens
    doubled_end: bool = False  # True: "</s></s>" follows an answer, as published
    max_tokens: int = MAX_TOKENS

    @property
    def digits(self) -> str:
        """The way in which digits are read, as signatures state it."""
        return "exact" if self.digit_ids else f"top{TOP}"


def picture_url(image: Image.Image, dialect: Dialect) -> str:
    """Return an RGB picture as a `data:` URL, resized for the model.

    The encoding is lossless, so the server decodes exactly these pixels.
    """
    if dialect.template == "llava_v1":
        shown = pad_to_square(image, MEAN).resize((dialect.side, dialect.side), Image.Resampling.BICUBIC)
    else:
        shown = image.copy()
        shown.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.BICUBIC)
    file = io.BytesIO()
    shown.save(file, "WEBP", lossless=True, method=0, quality=0)  # WebP needs a third of PNG's time, and no more bytes
    return f"data:image/webp;base64,{base64.b64encode(file.getvalue()).decode()}"


def request(
    dialect: Dialect, turns: Sequence[Turn], picture: str, scored: bool, max_tokens: int | None = None
) -> dict[str, Any]:
    """Return a request for the answer to a conversation's last message. picture: the picture's address.

    scored: also request the probabilities of digits.
    """
    conversation: list[dict[str, Any]] = []
    for index, (question, answer) in enumerate(turns):
        parts = [{"type": "image_url", "image_url": {"url": picture}}, {"type": "text", "text": question}]
        conversation.append({"role": "user", "content": question if index else parts})
        if answer is not None:
            conversation.append({"role": "assistant", "content": answer})
    body = {"model": dialect.model, "messages": conversation, "temperature": 0}
    body["max_tokens"] = max_tokens or (min(SCORE_TOKENS, dialect.max_tokens) if scored else dialect.max_tokens)
    if dialect.template == "llava_v1":
        begin, image = dialect.gaps
        body["chat_template_kwargs"] = {"begin_gap": begin, "image_gap": image, "doubled_end": dialect.doubled_end}
    if scored and dialect.digit_ids:
        body |= {"logprobs": True, "top_logprobs": 0, "logprob_token_ids": list(dialect.digit_ids)}
        body["return_tokens_as_token_ids"] = True
    elif scored:
        body |= {"logprobs": True, "top_logprobs": TOP}
    return body


@dataclass(frozen=True, slots=True)
class Step:
    """One token of an answer, with the probabilities that the server returned for its position."""

    text: str
    by_id: Mapping[int, float]  # key: token id; value: probability
    by_text: Mapping[str, float]
    reported: int  # number of likeliest tokens that the server reported here

    @property
    def least(self) -> float:
        """Return an upper bound for the probability of each unreported token.

        It is at most as likely as the least likely reported token, and at most as likely as all unreported together.
        """
        return max(0.0, min([*self.by_text.values(), 1.0 - math.fsum(self.by_text.values())]))


def text_of(answer: Any) -> str:
    """Return the text of an answer. Raises ValueError for an answer without text."""
    try:
        return str(answer["choices"][0]["message"]["content"] or "")
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError(f"the server's answer must have choices with a message, found {str(answer)[:200]}") from error


def was_cut(answer: Any) -> bool:
    """Return whether an answer was truncated by the token limit."""
    return bool(answer["choices"][0].get("finish_reason") == "length")


def steps_of(answer: Any) -> list[Step]:
    """Return an answer's tokens with the probabilities that the server returned. Raises ValueError."""
    text = text_of(answer)
    try:
        entries = (answer["choices"][0].get("logprobs") or {}).get("content") or []
        steps = [_step(entry) for entry in entries]
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"the probabilities have another form than OpenAI's ({error!r})") from error
    pieces = aligned(text, [step.text for step in steps])
    return [replace(step, text=piece) for piece, step in zip(pieces, steps, strict=True)]


def _step(entry: Mapping[str, Any]) -> Step:
    top = sorted(entry.get("top_logprobs") or (), key=lambda one: -one["logprob"])
    likely = [(str(one["token"]), math.exp(one["logprob"])) for one in [*top, entry]]
    by_id = {int(match[1]): p for token, p in likely if (match := TOKEN_ID.fullmatch(token))}
    by_text = {token: p for token, p in reversed(likely) if not TOKEN_ID.fullmatch(token)}
    written = entry.get("bytes")
    text = str(entry["token"]) if written is None else bytes(written).decode(errors="replace")
    return Step("" if TOKEN_ID.fullmatch(text) else text, by_id, by_text, len(top))


def aligned(text: str, pieces: Sequence[str]) -> list[str]:
    """Split the text into one piece for each token.

    pieces: the text of each token, decoded separately, so that spaces before words are lost. In the result, a token's
    piece also contains the spaces before the token. Text that matches no token is in the last piece.
    """
    joined, place = [], 0
    for piece in pieces:
        start = text.find(piece.strip(), place) if piece.strip() else -1
        end = start + len(piece.strip()) if start >= 0 and not text[place:start].strip() else place
        joined.append(text[place:end])
        place = end
    if joined:
        joined[-1] += text[place:]
    return joined


def reply_of(answer: Any, dialect: Dialect) -> Reply:
    """Return a server's answer with the probabilities of digits.

    Raises ValueError if the server did not return the requested probabilities.
    """
    steps = steps_of(answer)
    if not steps and text_of(answer):
        raise ValueError("the server returned no probabilities of the answer's tokens")
    pieces, usage = tuple(step.text for step in steps), usage_of(answer)
    if dialect.digit_ids:
        if not all(token in step.by_id for step in steps for token in dialect.digit_ids):
            raise ValueError("at a token of the answer, the server returned the probabilities of fewer than ten digits")
        digits = tuple(np.array([step.by_id[token] for token in dialect.digit_ids]) for step in steps)
        return Reply(pieces, digits, usage=usage)
    fewest = min((step.reported for step in steps if any(sign.isdigit() for sign in step.text)), default=TOP)
    if fewest < TOP:
        raise ValueError(f"expected the {TOP} likeliest tokens at each digit, found {fewest}")
    digits = tuple(np.array([step.by_text.get(str(digit), 0.0) for digit in range(10)]) for step in steps)
    likely = tuple(step.by_text for step in steps)
    return Reply(pieces, digits, tuple(step.least for step in steps), likely, usage)


def usage_of(answer: Any) -> Usage:
    """Return the token counts of one answer, from OpenAI's field `usage` and its variants.

    If the server's counts are missing or impossible, returns Usage(1, 0): one answer without a token count. Some
    servers count reasoning tokens only in the total. They are added to the tokens of the answer.
    """
    counts = answer.get("usage") if isinstance(answer, Mapping) else None
    counts = counts if isinstance(counts, Mapping) else {}
    prompt, completion = _tokens(counts.get("prompt_tokens")), _tokens(counts.get("completion_tokens"))
    if prompt is None or completion is None:
        return Usage(1, 0)
    total = max(prompt + completion, _tokens(counts.get("total_tokens")) or 0)
    cached = _detail(counts, "prompt_tokens_details", "cached_tokens", prompt)
    reasoning = _detail(counts, "completion_tokens_details", "reasoning_tokens", total - prompt)
    return Usage(1, 1, prompt, total - prompt, total, cached, reasoning)


def _tokens(value: Any) -> int | None:
    """Return a number of tokens; None for other values, such as text, a fraction or a negative number."""
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    sound = isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= MOST_OF_AN_ANSWER
    return value if sound else None


def _detail(counts: Mapping[str, Any], group: str, name: str, most: int) -> int | None:
    details = counts.get(group)
    tokens = _tokens(details.get(name)) if isinstance(details, Mapping) else None
    return tokens if tokens is not None and tokens <= most else None

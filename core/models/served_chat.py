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
from functools import lru_cache
from typing import Any

import numpy as np
from PIL import Image

from core.costs import Usage, is_count
from core.models.vlm import Reply, Turn, pad_to_square

MEAN = (122, 116, 104)  # mean colour of CLIP's pictures, each channel 0-255; LLaVA pads with it
LLAVA_SIDE = 336  # px, side of LLaVA-1.5's square picture
LONGEST_SIDE = 1024  # longest side in px to which pictures for models other than LLaVA are reduced
MAX_TOKENS = 512  # maximum tokens of any answer, as published
TOP = 20  # number of likeliest tokens to request at each token of an answer
_TOKEN_ID = re.compile(r"token_id:(\d+)")


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

    def request(self, turns: Sequence[Turn], image: Image.Image, scored: bool, max_tokens: int) -> dict[str, Any]:
        """Return a request for the answer to a conversation's last message. scored: with probabilities of digits."""
        url = picture_url(image.size, image.tobytes(), self.side if self.template == "llava_v1" else None)
        conversation: list[dict[str, Any]] = []
        for index, (question, answer) in enumerate(turns):
            parts = [{"type": "image_url", "image_url": {"url": url}}, {"type": "text", "text": question}]
            conversation.append({"role": "user", "content": question if index else parts})
            if answer is not None:
                conversation.append({"role": "assistant", "content": answer})
        body = {"model": self.model, "messages": conversation, "temperature": 0, "max_tokens": max_tokens}
        if self.template == "llava_v1":
            begin, gap = self.gaps
            body["chat_template_kwargs"] = {"begin_gap": begin, "image_gap": gap, "doubled_end": self.doubled_end}
        if scored and self.digit_ids:
            body |= {"logprobs": True, "top_logprobs": 0, "logprob_token_ids": list(self.digit_ids)}
            body["return_tokens_as_token_ids"] = True
        elif scored:
            body |= {"logprobs": True, "top_logprobs": TOP}
        return body


@lru_cache(32)  # a picture's captions are adjacent
def picture_url(size: tuple[int, int], pixels: bytes, side: int | None) -> str:
    """Return an RGB picture as a `data:` URL. side: that of LLaVA's square; None: only reduce a large picture.

    The encoding is lossless, so the server decodes exactly these pixels.
    """
    shown = Image.frombytes("RGB", size, pixels)
    if side is not None:
        shown = pad_to_square(shown, MEAN).resize((side, side), Image.Resampling.BICUBIC)
    else:
        shown.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.BICUBIC)
    file = io.BytesIO()
    shown.save(file, "WEBP", lossless=True, method=0, quality=0)  # WebP needs a third of PNG's time, and no more bytes
    return f"data:image/webp;base64,{base64.b64encode(file.getvalue()).decode()}"


@dataclass(frozen=True, slots=True)
class Step:
    """One token of an answer, and the probabilities that the server returned at this token."""

    text: str
    by_id: Mapping[int, float]  # key: token id; value: probability
    by_text: Mapping[str, float]
    reported: int  # number of likeliest tokens that the server reported here


def text_of(answer: Any) -> str:
    """Return the text of an answer. Raises ValueError for an answer without text."""
    try:
        return str(answer["choices"][0]["message"]["content"] or "")
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError(f"the server's answer must have choices with a message, found {str(answer)[:200]}") from error


def steps_of(answer: Any) -> list[Step]:
    """Return an answer's tokens with the probabilities that the server returned. Raises ValueError."""
    text, place = text_of(answer), 0
    try:
        steps = list(map(_step, (answer["choices"][0].get("logprobs") or {}).get("content") or []))
    except (KeyError, IndexError, TypeError, AttributeError) as error:
        raise ValueError(f"the probabilities have another form than OpenAI's ({error!r})") from error
    # Tokens are decoded separately, so that spaces before words are lost. Here a token's piece also contains the spaces
    # before the token. Text that matches no token is in the last piece.
    for row, step in enumerate(steps):
        piece = step.text.strip()
        start = text.find(piece, place) if piece else -1
        end = start + len(piece) if start >= 0 and not text[place:start].strip() else place
        steps[row], place = replace(step, text=text[place : end if row + 1 < len(steps) else None]), end
    return steps


def _step(entry: Mapping[str, Any]) -> Step:
    top = sorted(entry.get("top_logprobs") or (), key=lambda one: -one["logprob"])
    likely = [(str(one["token"]), math.exp(one["logprob"])) for one in [*top, entry]]
    by_id = {int(match[1]): p for token, p in likely if (match := _TOKEN_ID.fullmatch(token))}
    by_text = {token: p for token, p in reversed(likely) if not _TOKEN_ID.fullmatch(token)}
    written = entry.get("bytes")
    text = str(entry["token"]) if written is None else bytes(written).decode(errors="replace")
    return Step("" if _TOKEN_ID.fullmatch(text) else text, by_id, by_text, len(top))


def reply_of(answer: Any, dialect: Dialect) -> Reply:
    """Return a server's answer with the probabilities of digits. Raises ValueError if some are missing."""
    steps, usage = steps_of(answer), usage_of(answer)
    if not steps and text_of(answer):
        raise ValueError("the server returned no probabilities of the answer's tokens")
    pieces = tuple(step.text for step in steps)
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
    # An unreported token is at most as likely as the least likely reported one, and as all unreported ones together.
    least = (max(0.0, min([*some.values(), 1.0 - math.fsum(some.values())])) for some in likely)
    return Reply(pieces, digits, tuple(least), likely, usage)


def usage_of(answer: Any) -> Usage:
    """Return the token counts of one answer, from OpenAI's field `usage`; missing or impossible counts stay unknown.

    Some servers count reasoning tokens only in the total. They are added to the tokens of the answer.
    """
    try:
        counts = answer["usage"]
        prompt, completion = counts["prompt_tokens"], counts["completion_tokens"]
        if not is_count(prompt) or not is_count(completion):
            return Usage(1, 0)
        total = max(prompt + completion, counts.get("total_tokens") or 0)
        details = [counts.get(f"{name}_tokens_details") or {} for name in ("prompt", "completion")]
        cached, reasoning = details[0].get("cached_tokens"), details[1].get("reasoning_tokens")
        return Usage(1, 1, prompt, total - prompt, total, cached, reasoning)
    except (KeyError, TypeError, ValueError, AttributeError):
        return Usage(1, 0)

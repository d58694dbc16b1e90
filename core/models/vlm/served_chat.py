"""Requests to a served model and its answers: OpenAI's chat protocol with vLLM's additions.

Probabilities of the ten digits are requested by token id (``logprob_token_ids``), for every step of the answer. They
are probabilities over the whole vocabulary, before sampling settings change them. Guided decoding is never used,
because it would renormalise the probabilities over the allowed tokens.
"""

import base64
import io
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np
from PIL import Image

from core.models.vlm.llava_image import pad_to_square
from core.models.vlm.llava_prompt import Turn
from core.models.vlm.protocol import Reply
from core.models.vlm.sampling import Sampling
from core.score_reading.score_text import score_is_complete
from core.score_reading.smoothing import Digits

MEAN = (122, 116, 104)  # mean colour of CLIP's pictures, each channel 0-255; LLaVA pads with it
LLAVA_SIDE = 336  # px, side of LLaVA-1.5's square picture
LONGEST_SIDE = 1024  # longest side in px to which pictures for models other than LLaVA are reduced
SCORE_TOKENS = 16  # maximum tokens of a score; if an answer is longer, it is requested again
TOP = 20  # maximum number of likeliest tokens to request at each token of an answer
TOKEN_ID = re.compile(r"token_id:(\d+)")
# Control tokens of common tokenizers. A server's own tokens are unknown, so captions must contain none of these.
CONTROL_TEXTS = frozenset(
    {"<s>", "</s>", "<unk>", "<pad>", "<image>", "<|im_start|>", "<|im_end|>", "<|endoftext|>", "<|eot_id|>"}
    | {"<|begin_of_text|>", "<|start_header_id|>", "<|end_header_id|>", "<|vision_start|>", "<|image_pad|>"}
    | {"<start_of_turn>", "<end_of_turn>", "<bos>", "<eos>", "[INST]", "[/INST]", "[IMG]"}
)


@dataclass(frozen=True, slots=True)
class Dialect:
    """The format of requests that a server understands."""

    model: str  # the server's name for the model
    template: Literal["llava_v1", "chat"] = "llava_v1"  # chat: the server's own template, with unchanged pictures
    digits: Literal["exact", "likeliest", "integers", "raw"] = "exact"  # kinds of probabilities in answers; raw: none
    digit_ids: tuple[int, ...] = ()  # tokens of "0" to "9"; () if the server does not give them
    plain: bool = False  # True: the server accepts only OpenAI's own fields
    side: int = LLAVA_SIDE
    gaps: tuple[str, str] = ("", "")  # texts after begin mark and picture that make the server tokenise as published
    doubled_end: bool = False  # True: "</s></s>" follows an answer, as published
    max_tokens: int = 512  # maximum tokens of one answer, as published
    top: int = TOP  # number of likeliest tokens to request at each step; 0: only the written token's probability
    reported: int = TOP  # number of likeliest tokens that the server returns at each token of an answer
    length_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    sampling: Sampling | None = None  # sampling of answers, whose mean is the score; None: no sampling
    greedy: bool = True  # True: temperature 0; False: the server's default temperature, if the model refuses 0

    @property
    def signed_digits(self) -> str:
        """The name by which signatures call the kind of probabilities that the server returns."""
        if self.sampling is not None:
            return "sampled"
        if self.digits == "likeliest":
            return f"top{self.reported}"
        few = self.digits == "integers" and self.reported < TOP
        return f"{self.digits}-top{self.reported}" if few else self.digits


def picture_url(image: Image.Image, dialect: Dialect) -> str:
    """Return an RGB picture as a lossless data: address, in the size that the model needs.

    The server decodes exactly these pixels, because the encoding is lossless.
    """
    if dialect.template == "llava_v1":
        size = (dialect.side, dialect.side)
        shown = pad_to_square(image, MEAN).resize(size, Image.Resampling.BICUBIC)
    else:
        shown = image.copy()
        shown.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.BICUBIC)
    file = io.BytesIO()
    shown.save(file, "WEBP", lossless=True, method=0, quality=0)  # takes a third of a PNG's time, and is no larger
    return f"data:image/webp;base64,{base64.b64encode(file.getvalue()).decode()}"


def messages(turns: Sequence[Turn], picture: str) -> list[dict[str, Any]]:
    """Return a conversation as messages of the chat protocol.

    The picture, as an address, comes first in the first message.
    """
    conversation: list[dict[str, Any]] = []
    for index, (question, answer) in enumerate(turns):
        text = {"type": "text", "text": question}
        head = [{"type": "image_url", "image_url": {"url": picture}}] if index == 0 else []
        conversation.append({"role": "user", "content": [*head, text] if head else question})
        if answer is not None:
            conversation.append({"role": "assistant", "content": answer})
    return conversation


def answer_body(dialect: Dialect, turns: Sequence[Turn], picture: str) -> dict[str, Any]:
    """Return the request for an answer as text."""
    conversation = messages(turns, picture)
    body = {"model": dialect.model, "messages": conversation, dialect.length_field: dialect.max_tokens}
    body |= {"temperature": 0} if dialect.greedy else {}
    if dialect.template == "llava_v1":
        begin, image = dialect.gaps
        body["chat_template_kwargs"] = {"begin_gap": begin, "image_gap": image, "doubled_end": dialect.doubled_end}
    return body


def score_body(dialect: Dialect, turns: Sequence[Turn], picture: str, max_tokens: int = SCORE_TOKENS) -> dict[str, Any]:
    """Return the request for a score with the probabilities of its digits."""
    body = answer_body(dialect, turns, picture) | {dialect.length_field: max_tokens}
    if dialect.sampling is not None:
        return body | {"temperature": dialect.sampling.temperature}
    if dialect.digits == "raw":
        return body
    body["logprobs"] = True
    if dialect.digits == "exact":
        body |= {"top_logprobs": 0, "logprob_token_ids": list(dialect.digit_ids)}
    elif dialect.top:
        body["top_logprobs"] = dialect.top
    if dialect.digits != "integers" and not dialect.plain:
        body["return_tokens_as_token_ids"] = True
    return body


@dataclass(frozen=True, slots=True)
class Step:
    """One token of an answer, with the probabilities that the server returned for its position."""

    text: str
    by_id: Mapping[int, float]  # key: token id; value: probability
    by_text: Mapping[str, float]
    reported: int = 1  # number of likeliest tokens that the server reports at each step; 1: only the written token

    @property
    def mass(self) -> float:
        """The total probability of all returned tokens."""
        return min(1.0, math.fsum([*self.by_id.values(), *self.by_text.values()]))


def text_of(answer: Any) -> str:
    """Return the text of an answer. Raises ValueError for an answer without text."""
    try:
        return str(answer["choices"][0]["message"]["content"] or "")
    except (KeyError, IndexError, TypeError) as error:
        raise ValueError(f"the server's answer must have choices with a message, found {str(answer)[:200]}") from error


def was_cut(answer: Any) -> bool:
    """Return whether an answer was truncated by the token limit."""
    return bool(answer["choices"][0].get("finish_reason") == "length")


def steps_of(answer: Any, most: int | None = None) -> list[Step]:
    """Return an answer's tokens with the probabilities that the server returned for each.

    most: number of likeliest tokens to read at each position; None: all returned tokens are read. Raises ValueError for
    an answer without a message.
    """
    text = text_of(answer)
    token_list = (answer["choices"][0].get("logprobs") or {}).get("content") or []
    steps = [_step(entry, most) for entry in token_list]
    pieces = aligned(text, [step.text for step in steps])
    return [replace(step, text=piece) for piece, step in zip(pieces, steps, strict=True)]


def _step(entry: Mapping[str, Any], most: int | None) -> Step:
    top = sorted(entry.get("top_logprobs") or (), key=lambda one: -one["logprob"])[:most]
    likely = [(str(one["token"]), math.exp(one["logprob"])) for one in [*top, entry]]
    by_id = {int(match[1]): p for token, p in likely if (match := TOKEN_ID.fullmatch(token))}
    by_text = {token: p for token, p in reversed(likely) if not TOKEN_ID.fullmatch(token)}
    written = entry.get("bytes")
    text = str(entry["token"]) if written is None else bytes(written).decode(errors="replace")
    return Step("" if TOKEN_ID.fullmatch(text) else text, by_id, by_text, max(1, len(top)))


def aligned(text: str, pieces: Sequence[str]) -> list[str]:
    """Split the text into one piece for each token.

    pieces: the text of each token, decoded alone, so that the space before a word is lost. In the result, text between
    two tokens belongs to the next matching token, or to the last token. All pieces together equal the text.
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


def has_all_digits(steps: Sequence[Step], dialect: Dialect) -> bool:
    """Return whether the server returned the probabilities of all ten digits for every token."""
    return bool(steps) and all(digit in step.by_id for step in steps for digit in dialect.digit_ids)


def reply_of(answer: Any, dialect: Dialect) -> Reply:
    """Return an answer with the probabilities of its digits. The answer ends where its score is complete.

    Answers of models on this computer also end where the score is complete. Raises ValueError if the server did not
    return the requested probabilities.
    """
    if dialect.digits == "raw":
        return Reply((text_of(answer),), ())
    steps = steps_of(answer, None if dialect.digits == "exact" else dialect.reported)
    if not steps and text_of(answer):
        raise ValueError("the server returned no probabilities of the answer's tokens")
    if dialect.digits != "exact":
        _check_reported(steps, dialect)
    if dialect.digits == "integers":
        return Reply(tuple(s.text for s in steps), (), likely=tuple(s.by_text for s in steps))
    if dialect.digits == "exact" and not has_all_digits(steps, dialect):
        raise ValueError("the server must return all ten digits at every token of the answer, but returned fewer")
    steps = steps[: _needed([step.text for step in steps])]
    digits = tuple(_digits(step, dialect) for step in steps)
    unreported = () if dialect.digits == "exact" else tuple(_least(step) for step in steps)
    return Reply(tuple(step.text for step in steps), digits, unreported)


def _check_reported(steps: Sequence[Step], dialect: Dialect) -> None:
    """Raise ValueError if the server returned fewer probabilities for a digit than the signature states."""
    fewest = min(
        (step.reported for step in steps if any(sign.isdigit() for sign in step.text)), default=dialect.reported
    )
    if fewest < dialect.reported:
        signed = f"signatures state digits:{dialect.signed_digits}"
        raise ValueError(f"expected the {dialect.reported} likeliest tokens at each digit, found {fewest}; {signed}")


def _needed(pieces: Sequence[str]) -> int:
    """Return how many tokens of an answer are needed until its score is complete."""
    ends = (end for end in range(1, len(pieces) + 1) if score_is_complete("".join(pieces[:end])))
    return next(ends, len(pieces))


def _digits(step: Step, dialect: Dialect) -> Digits:
    if dialect.digit_ids and step.by_id:
        return np.array([step.by_id.get(token, 0.0) for token in dialect.digit_ids])
    return np.array([step.by_text.get(str(digit), 0.0) for digit in range(10)])


def _least(step: Step) -> float:
    """Return the largest possible probability of a token that the server did not report.

    Such a token is at most as likely as the least likely reported token. The token's probability is also at most 1
    minus the sum of the reported probabilities.
    """
    return min([*step.by_id.values(), *step.by_text.values(), 1.0 - step.mass])

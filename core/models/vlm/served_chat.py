"""Requests to a served model and its answers: OpenAI's chat protocol with vLLM's additions.

Probabilities of the ten digits are requested by token id (``logprob_token_ids``), for every step of the answer. They
are probabilities over the whole vocabulary, before sampling settings change them. Guided decoding is never used,
because it would renormalise the probabilities over the allowed tokens.
"""

import base64
import io
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Literal

from PIL import Image

from core.models.vlm.llava_image import pad_to_square
from core.models.vlm.llava_prompt import Turn
from core.models.vlm.sampling import Sampling

MEAN = (122, 116, 104)  # mean colour of CLIP's pictures, each channel 0-255; LLaVA pads with it
LLAVA_SIDE = 336  # px, side of LLaVA-1.5's square picture
LONGEST_SIDE = 1024  # longest side in px to which pictures for models other than LLaVA are reduced
SCORE_TOKENS = 16  # maximum tokens of a score; if an answer is longer, it is requested again
TOP = 20  # maximum number of likeliest tokens to request at each token of an answer
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
    digits: Literal["exact", "likeliest", "integers", "raw"] = "exact"  # source of digits' probabilities; raw: none
    digit_ids: tuple[int, ...] = ()  # tokens of "0" to "9"; () if the server does not give them
    plain: bool = False  # True: the server accepts only OpenAI's own fields
    side: int = LLAVA_SIDE
    gaps: tuple[str, str] = ("", "")  # texts inserted after the begin mark and the picture to get the published tokens
    doubled_end: bool = False  # True: "</s></s>" follows an answer, as published
    max_tokens: int = 512  # maximum tokens of one answer, as published
    top: int = TOP  # number of likeliest tokens to request at each step; 0: only the written token's probability
    reported: int = TOP  # number of likeliest tokens that the server returns at each token of an answer
    length_field: Literal["max_tokens", "max_completion_tokens"] = "max_tokens"
    sampling: Sampling | None = None  # how to sample answers; the score is their mean; None: no sampling
    greedy: bool = True  # True: temperature 0; False: the server's default temperature, if the model refuses 0

    @property
    def signed_digits(self) -> str:
        """The kind of token probabilities that the server returns, such as "exact".

        Signatures of scores contain this text.
        """
        if self.sampling is not None:
            return "sampled"
        if self.digits == "likeliest":
            return f"top{self.reported}"
        few = self.digits == "integers" and self.reported < TOP
        return f"{self.digits}-top{self.reported}" if few else self.digits


def picture_url(image: Image.Image, dialect: Dialect) -> str:
    """Return an RGB picture as a `data:` URL, resized for the model.

    The encoding is lossless, so the server decodes exactly these pixels.
    """
    if dialect.template == "llava_v1":
        size = (dialect.side, dialect.side)
        shown = pad_to_square(image, MEAN).resize(size, Image.Resampling.BICUBIC)
    else:
        shown = image.copy()
        shown.thumbnail((LONGEST_SIDE, LONGEST_SIDE), Image.Resampling.BICUBIC)
    file = io.BytesIO()
    shown.save(file, "WEBP", lossless=True, method=0, quality=0)  # WebP needs a third of PNG's time, and no more bytes
    return f"data:image/webp;base64,{base64.b64encode(file.getvalue()).decode()}"


def messages(turns: Sequence[Turn], picture: str) -> list[dict[str, Any]]:
    """Return a conversation as messages of the chat protocol.

    The first message begins with the picture. picture: the picture's address.
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

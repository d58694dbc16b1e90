"""Run LLaVA-1.5 through transformers' batched ``generate``, with the published prompt and pixels (core.models.vlm).

Conversations of one batch are padded on the left, and each picture is encoded once. Other models run on a model server.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from os.path import commonprefix
from typing import Any

import numpy as np
import torch
from PIL import Image

from core.costs import timed
from core.errors import BadSetting
from core.models import ModelSettings
from core.models.adapter import merged_model
from core.models.device import enough_memory, fits_into_memory, loading, prepare_torchvision, torch_device
from core.models.vlm import IMAGE, MAX_TOKENS, Chat, Facts, Reply, Turn, digit_ids, llava_v1, pixel_values
from core.models.weights import Weights, pretrained
from core.score_reading.score_text import score_is_complete
from core.score_reading.smoothing import Digits

DTYPES = {"float32": torch.float32, "float16": torch.float16, "bfloat16": torch.bfloat16}


class LocalVlm:
    """A loaded LLaVA-1.5 with its processor."""

    def __init__(
        self,
        model: Any,
        processor: Any,
        facts: Facts,
        doubled_end: bool = False,
        max_new_tokens: int = MAX_TOKENS,
    ) -> None:
        self.model, self.processor, self.tokenizer = model, processor, processor.tokenizer
        self.facts: Facts = {**facts, "template": "llava_v1"}
        self.doubled_end, self.max_new_tokens = doubled_end, max_new_tokens
        self.digits = digit_ids(partial(self.tokenizer.encode, add_special_tokens=False))
        if not self.digits:
            raise BadSetting(
                f"Expected a model whose ten digits are ten single tokens, but {facts['model']} has other tokens for "
                "numbers. Its scores cannot be smoothed. Choose another --model."
            )
        configured = model.generation_config.eos_token_id
        listed = configured if isinstance(configured, list) else [configured]
        self.ends = sorted({token for token in (*listed, self.tokenizer.eos_token_id) if token is not None})
        self.control_texts = frozenset(self.tokenizer.all_special_tokens) | {IMAGE}

    def answers(self, chats: Sequence[Chat], scored: bool) -> list[Reply]:
        """Return the model's answers. See core.models.vlm.Vlm."""
        with torch.inference_mode(), enough_memory(), timed("model"):
            return self._generate(chats, scored)

    def text(self, ids: Sequence[int]) -> str:
        """Return the text of an answer without control tokens."""
        return str(self.tokenizer.decode(list(ids), skip_special_tokens=True))

    def encode(self, turns: Sequence[Turn], image_tokens: int) -> list[int]:
        """Return a conversation's tokens for LLaVA-1.5.

        The texts before and after the picture are tokenised separately, as in the published code.
        """
        before, after = llava_v1(turns, self.doubled_end).split(IMAGE, maxsplit=1)
        head, tail = (self.tokenizer.encode(text, add_special_tokens=False) for text in (before, after))
        begin = [] if self.tokenizer.bos_token_id is None else [self.tokenizer.bos_token_id]
        return [*begin, *head, *[self.model.config.image_token_id] * image_tokens, *tail]

    def _generate(self, chats: Sequence[Chat], scored: bool) -> list[Reply]:
        output = self.model.generate(
            **self._padded(chats),
            do_sample=False,
            num_beams=1,
            temperature=None,
            top_p=None,
            top_k=None,
            repetition_penalty=1.0,
            max_new_tokens=self.max_new_tokens,
            eos_token_id=self.ends,
            pad_token_id=self.ends[0],
            stopping_criteria=[self._is_complete] if scored else [],
            output_logits=scored,
            return_dict_in_generate=True,
        )
        answers = [self._ended(ids) for ids in output.sequences.tolist()]
        if not scored:
            return [Reply((self.text(ids).strip(),)) for ids in answers]
        digits = [digit_probabilities(step, self.digits) for step in output.logits[: max(map(len, answers))]]
        return [
            Reply(token_pieces(self.text, ids), tuple(step[row] for step in digits[: len(ids)]))
            for row, ids in enumerate(answers)
        ]

    def _ended(self, ids: Sequence[int]) -> list[int]:
        """Return an answer's tokens up to its end, without the padding after it, which consists of end tokens."""
        return list(ids[: next((count for count, token in enumerate(ids, 1) if token in self.ends), len(ids))])

    def _padded(self, chats: Sequence[Chat]) -> dict[str, torch.Tensor]:
        """Return the embedded prompts of a batch, in which image features replace the image tokens."""
        pictures = {id(chat.image): chat.image for chat in chats}
        features = dict(zip(pictures, self._features(list(pictures.values())), strict=True))
        rows = [self.encode(chat.turns, len(features[id(chat.image)])) for chat in chats]
        width, device = max(map(len, rows)), self.model.device
        ids = torch.tensor([[0] * (width - len(row)) + row for row in rows], device=device)
        mask = torch.tensor([[0] * (width - len(row)) + [1] * len(row) for row in rows], device=device)
        embedded = self.model.get_input_embeddings()(ids)
        for row, chat in enumerate(chats):
            embedded[row, ids[row] == self.model.config.image_token_id] = features[id(chat.image)].to(embedded.dtype)
        return {"inputs_embeds": embedded, "attention_mask": mask}

    def _features(self, images: Sequence[Image.Image]) -> list[torch.Tensor]:
        side, prepared = self.model.config.vision_config.image_size, self.processor.image_processor
        pixels = [pixel_values(image, side, prepared.image_mean, prepared.image_std) for image in images]
        stacked = torch.from_numpy(np.stack(pixels)).to(self.model.device, self.model.dtype)
        return list(self.model.get_image_features(pixel_values=stacked, return_dict=True).pooler_output)

    def _is_complete(self, input_ids: torch.Tensor, scores: torch.Tensor, **_: Any) -> torch.Tensor:
        """Return which answers have a complete score, so that `generate` ends them."""
        complete = [score_is_complete(self.text(row)) for row in input_ids.tolist()]
        return torch.tensor(complete, device=input_ids.device)


def digit_probabilities(logits: torch.Tensor, digits: Sequence[int]) -> Digits:
    """Return the probability of each digit 0 to 9 as next token, float64 [rows, 10].

    logits: [rows, vocabulary]. The softmax is over the whole vocabulary.
    """
    scores = logits.detach().to("cpu", torch.float64)
    return np.asarray(scores.softmax(dim=-1)[:, list(digits)].numpy(), dtype=np.float64)


def token_pieces(decode: Callable[[Sequence[int]], str], ids: Sequence[int]) -> tuple[str, ...]:
    """Return the text of each token. For ordinary text, the joined texts equal decode(ids)."""
    pieces: list[str] = []
    before = ""
    for end in range(1, len(ids) + 1):
        text = decode(ids[:end])
        pieces.append(text[len(commonprefix((before, text))) :])
        before = text
    return tuple(pieces)


def build_vlm(weights: Weights, adapter: Weights | None, settings: ModelSettings) -> LocalVlm:
    """Load a model and its processor. An adapter is merged into the weights. Raises ModelUnavailable, BadSetting."""
    prepare_torchvision()
    from transformers import AutoProcessor

    device = torch_device(settings.device)
    dtype = find_dtype(settings.options.get("dtype", "auto"), device)
    with loading(weights.name, weights.folder):
        processor = pretrained(AutoProcessor, weights)
        model = load_model(weights, device, dtype)
        if adapter is not None:
            model = merged_model(model, adapter.folder)
    facts: Mapping[str, str | bool | None] = {
        "model": weights.name,
        "revision": weights.revision,
        "adapter": f"{adapter.name}@{adapter.revision}" if adapter else None,
        "dtype": str(dtype).removeprefix("torch."),
    }
    return LocalVlm(model, processor, facts, settings.strict_reference)


def find_dtype(name: str, device: torch.device) -> torch.dtype:
    """Return the number format of the weights: by default float32 on a CPU, else float16 as in the published code."""
    if name == "auto":
        return torch.float32 if device.type == "cpu" else torch.float16
    return DTYPES[name]


def load_model(weights: Weights, device: torch.device, dtype: torch.dtype) -> Any:
    """Return LLaVA-1.5 with all its weights. Raises OutOfMemoryError, ModelUnavailable."""
    from transformers import LlavaForConditionalGeneration

    if device.type == "cpu" and not fits_into_memory(weights.folder, dtype):  # the system would kill the process
        raise torch.OutOfMemoryError
    place = {} if device.type == "cpu" else {"device_map": {"": device}}  # load without a copy in the main memory
    return pretrained(LlavaForConditionalGeneration, weights, dtype=dtype, **place).to(device).eval()

"""Run LLaVA-1.5 as in FLEUR and EXPERT, without computing anything twice.

A picture is encoded once. All captions of a picture have prompts with the same beginning (system text, picture,
instruction). They share the keys and values of this beginning. Prompts about different pictures are padded on the left,
so that they form one batch. A further message continues from the cache of the earlier messages.
core.models.vlm.llava_prompt produces the text.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from PIL import Image

from core.costs import timed
from core.models.runtime.memory import enough_memory
from core.models.vlm.cache import TokenRows, common_prefix
from core.models.vlm.decoding import MAX_NEW_TOKENS, Decoding, decode_greedily, digit_ids, end_tokens
from core.models.vlm.llava_image import pixel_values
from core.models.vlm.llava_prompt import IMAGE, Turn, llava_v1
from core.models.vlm.local_conversations import LocalConversations
from core.models.vlm.protocol import Reply


class LlavaVlm:
    """LlavaForConditionalGeneration with its processor, ready for conversations."""

    def __init__(
        self,
        model: Any,
        processor: Any,
        facts: Mapping[str, str | bool | None],
        doubled_end: bool = False,
        max_new_tokens: int = MAX_NEW_TOKENS,
    ) -> None:
        self.model, self.processor, self.doubled_end = model, processor, doubled_end
        self.facts = {**facts, "template": "llava_v1"}
        self.tokenizer = processor.tokenizer
        digits = digit_ids(self.tokenizer, str(facts["model"]))
        self.image_token: int = model.config.image_token_id
        self.decoding = Decoding(self.tokenizer, end_tokens(model, self.tokenizer), digits, max_new_tokens)
        self.control_texts = frozenset(self.tokenizer.all_special_tokens) | {IMAGE}

    def open(self, images: Sequence[Image.Image], rows: Sequence[int]) -> "LlavaConversations":
        """Start one conversation for each entry of `rows`. Conversation i is about images[rows[i]].

        Every picture is encoded once.
        """
        with torch.inference_mode(), enough_memory(), timed("model"):
            return LlavaConversations(self, self._features(images), rows)

    def encode(self, turns: Sequence[Turn], image_tokens: int) -> list[int]:
        """Return a conversation's tokens.

        The texts before and after the picture are tokenised separately, as in the published code.
        """
        before, after = llava_v1(turns, self.doubled_end).split(IMAGE, maxsplit=1)
        head, tail = (self.tokenizer.encode(text, add_special_tokens=False) for text in (before, after))
        begin = [] if self.tokenizer.bos_token_id is None else [self.tokenizer.bos_token_id]
        return [*begin, *head, *[self.image_token] * image_tokens, *tail]

    def _features(self, images: Sequence[Image.Image]) -> list[torch.Tensor]:
        side = self.model.config.vision_config.image_size
        mean, std = self.processor.image_processor.image_mean, self.processor.image_processor.image_std
        pixels = torch.stack([torch.from_numpy(pixel_values(image, side, mean, std)) for image in images])
        pixels = pixels.to(self.model.device, self.model.dtype)
        return list(self.model.get_image_features(pixel_values=pixels, return_dict=True).pooler_output)


class LlavaConversations(LocalConversations):
    """Conversations about pictures in one shared cache. See core.models.vlm.protocol.Conversations."""

    def __init__(self, vlm: LlavaVlm, features: Sequence[torch.Tensor], rows: Sequence[int]) -> None:
        super().__init__(len(rows))
        self._vlm, self._features, self._image_of = vlm, features, list(rows)
        self._read = TokenRows(vlm.model)

    def keep(self, rows: Sequence[int]) -> None:
        """Keep only the conversations whose indices are in `rows`, in this order."""
        self._turns = [self._turns[row] for row in rows]
        self._image_of = [self._image_of[row] for row in rows]
        self._read.select(rows)

    def _answers(self, complete: Callable[[str], bool] | None) -> list[Reply]:
        sizes = [len(self._features[image]) for image in self._image_of]
        wanted = [self._vlm.encode(turns, size) for turns, size in zip(self._turns, sizes, strict=True)]
        with torch.inference_mode(), enough_memory(), timed("model"):
            logits = self._continue(wanted) if self._read.ids else self._begin(wanted)
            return decode_greedily(logits, self._read, self._vlm.decoding, complete)

    def _begin(self, wanted: Sequence[Sequence[int]]) -> torch.Tensor:
        """Read the common beginning of each picture's prompts once, then the rest of each prompt."""
        images, features, token = self._image_of, self._features, self._vlm.image_token
        if len(images) == len(features):  # one caption per picture, so no two prompts begin with the same picture
            return self._read.feed(wanted, token, [features[image] for image in images])
        captions = [[ids for ids, of in zip(wanted, images, strict=True) if of == i] for i in range(len(features))]
        shared = [min(common_prefix(*group), min(map(len, group)) - 1) for group in captions]
        self._read.feed([group[0][:length] for group, length in zip(captions, shared, strict=True)], token, features)
        self._read.select(images)
        return self._read.feed([ids[shared[image] :] for ids, image in zip(wanted, images, strict=True)])

    def _continue(self, wanted: Sequence[Sequence[int]]) -> torch.Tensor:
        """Continue the conversations, and return the next-token logits.

        In each row, the cached tokens that match the new conversation are kept. Only the remaining tokens are read.
        """
        kept = [min(common_prefix(read, ids), len(ids) - 1) for read, ids in zip(self._read.ids, wanted, strict=True)]
        self._read.cut(kept)
        return self._read.feed([ids[length:] for ids, length in zip(wanted, kept, strict=True)])

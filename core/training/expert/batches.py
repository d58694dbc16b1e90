"""Batches of tokenised conversations and pictures, prepared when a step needs them."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import torch

from core.errors import BadSetting
from core.images.pictures import open_rgb
from core.models.vlm.llava_v1 import pixel_values
from core.training.expert.conversations import Conversation
from core.training.expert.loop import Batch
from core.training.expert.tokens import IGNORED, Lesson, lesson


class Lessons:
    """A run's conversations, prepared for a LlavaForConditionalGeneration and its processor."""

    def __init__(
        self, model: Any, processor: Any, conversations: Sequence[Conversation], pictures: Sequence[Path]
    ) -> None:
        """Take the model and the conversations.

        pictures: one per conversation. Raises BadSetting if the longest conversation does not fit the model.
        """
        self.model, self.tokenizer, self.images = model, processor.tokenizer, processor.image_processor
        self.conversations, self.pictures = conversations, pictures
        longest = max(range(len(conversations)), key=lambda number: sum(map(len, conversations[number].turns)))
        self._lesson(longest)

    def batch(self, numbers: Sequence[int]) -> Batch:
        """Return conversations as the model's inputs, padded on the right, on the model's device."""
        lessons = [self._lesson(number) for number in numbers]
        inputs = {
            "input_ids": _padded([each.ids for each in lessons], self.tokenizer.pad_token_id or 0),
            "labels": _padded([each.labels for each in lessons], IGNORED),
            "attention_mask": _padded([[1] * len(each.ids) for each in lessons], 0),
            "pixel_values": torch.stack([self._pixels(number) for number in numbers]).to(self.model.dtype),
        }
        return {name: values.to(self.model.device) for name, values in inputs.items()}

    def _lesson(self, number: int) -> Lesson:
        config, conversation = self.model.config, self.conversations[number]
        made = lesson(self.tokenizer, conversation, config.image_token_id, image_tokens(config))
        if len(made.ids) > config.text_config.max_position_embeddings:
            raise BadSetting(
                f"a conversation may have at most {config.text_config.max_position_embeddings} tokens, but "
                f"{conversation.id} has {len(made.ids)}; remove it, or shorten its caption or explanation"
            )
        return made

    def _pixels(self, number: int) -> torch.Tensor:
        side = self.model.config.vision_config.image_size
        image = open_rgb(self.pictures[number])
        return torch.from_numpy(pixel_values(image, side, self.images.image_mean, self.images.image_std))


def image_tokens(config: Any) -> int:
    """Return how many tokens a picture takes.

    There is one token per patch of the picture, and one for the class token if the model keeps it.
    """
    side = config.vision_config.image_size // config.vision_config.patch_size
    return int(side**2 + (config.vision_feature_select_strategy == "full"))


def _padded(rows: Sequence[Sequence[int]], filling: int) -> torch.Tensor:
    width = max(map(len, rows))
    return torch.tensor([[*row, *[filling] * (width - len(row))] for row in rows])

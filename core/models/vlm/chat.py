"""Talk to any image-text-to-text model of transformers through the model's own chat template.

`generate` is called separately for each message of each conversation. The reason is that these models differ in
positions, image slicing and caches. FLEUR's Table 5 compares such models.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from PIL import Image

from core.costs import timed
from core.errors import BadSetting
from core.models.runtime.memory import enough_memory
from core.models.vlm.decoding import MAX_NEW_TOKENS, Decoding, digit_ids, digit_probabilities, end_tokens, token_pieces
from core.models.vlm.llava_prompt import Turn
from core.models.vlm.local_conversations import LocalConversations
from core.models.vlm.protocol import Reply


class ChatVlm:
    """A loaded model with its processor."""

    def __init__(
        self,
        model: Any,
        processor: Any,
        facts: Mapping[str, str | bool | None],
        max_new_tokens: int = MAX_NEW_TOKENS,
    ) -> None:
        if not getattr(processor, "chat_template", None):
            raise BadSetting(f"Expected a model with a chat template, found none in {facts['model']}; choose another.")
        self.model, self.processor = model, processor
        self.facts = {**facts, "template": "chat"}
        tokenizer = processor.tokenizer
        digits = digit_ids(tokenizer, str(facts["model"]))
        self.decoding = Decoding(tokenizer, end_tokens(model, tokenizer), digits, max_new_tokens)
        self.control_texts = frozenset(tokenizer.all_special_tokens)

    def open(self, images: Sequence[Image.Image], rows: Sequence[int]) -> "ChatConversations":
        """Start one conversation for each entry of `rows`. Conversation i is about images[rows[i]]."""
        return ChatConversations(self, [images[row] for row in rows])

    def answer(self, image: Image.Image, turns: Sequence[Turn], complete: Callable[[str], bool] | None) -> Reply:
        """Let the model answer the last message.

        complete: returns whether an answer's text is complete. See core.models.vlm.decoding.decode_greedily.
        """
        with torch.inference_mode(), enough_memory(), timed("model"):
            read, output = self._generate(image, turns, complete)
        ids = output.sequences[0, read:].tolist()
        if complete is None:
            return Reply((self.decoding.text(ids),), ())
        digits = digit_probabilities(torch.cat(output.logits), self.decoding.digits)
        return Reply(token_pieces(self.decoding.text, ids), tuple(digits))

    def _generate(
        self, image: Image.Image, turns: Sequence[Turn], complete: Callable[[str], bool] | None
    ) -> tuple[int, Any]:
        """Return the number of prompt tokens, and the result of `generate`."""
        inputs = self.processor.apply_chat_template(
            messages(image, turns), add_generation_prompt=True, tokenize=True, return_dict=True, return_tensors="pt"
        ).to(self.model.device, self.model.dtype)
        read = inputs["input_ids"].shape[1]
        decoding = self.decoding
        output = self.model.generate(
            **inputs,
            do_sample=False,
            num_beams=1,
            temperature=None,
            top_p=None,
            top_k=None,
            repetition_penalty=1.0,
            max_new_tokens=decoding.max_new_tokens,
            eos_token_id=sorted(decoding.ends) or None,
            pad_token_id=min(decoding.ends, default=0),
            stopping_criteria=[] if complete is None else [_Until(complete, decoding, read)],
            output_logits=True,
            return_dict_in_generate=True,
        )
        return read, output


class ChatConversations(LocalConversations):
    """Conversations that run one after the other. See core.models.vlm.protocol.Conversations."""

    def __init__(self, vlm: ChatVlm, images: Sequence[Image.Image]) -> None:
        super().__init__(len(images))
        self._vlm, self._images = vlm, list(images)

    def keep(self, rows: Sequence[int]) -> None:
        """Keep only the conversations whose indices are in `rows`, in this order."""
        self._images = [self._images[row] for row in rows]
        self._turns = [self._turns[row] for row in rows]

    def _answers(self, complete: Callable[[str], bool] | None) -> list[Reply]:
        held = zip(self._images, self._turns, strict=True)
        return [self._vlm.answer(image, turns, complete) for image, turns in held]


def messages(image: Image.Image, turns: Sequence[Turn]) -> list[dict[str, Any]]:
    """Return a conversation in the format of chat templates.

    The picture comes first in the first message.
    """
    conversation: list[dict[str, Any]] = []
    for index, (question, answer) in enumerate(turns):
        picture = [{"type": "image", "image": image}] if index == 0 else []
        conversation.append({"role": "user", "content": [*picture, {"type": "text", "text": question}]})
        if answer is not None:
            conversation.append({"role": "assistant", "content": [{"type": "text", "text": answer}]})
    return conversation


class _Until:
    """A stopping rule that ends `generate` when the answer's text is complete."""

    def __init__(self, complete: Callable[[str], bool], decoding: Decoding, read: int) -> None:
        self._complete, self._decoding, self._read = complete, decoding, read

    def __call__(self, input_ids: torch.Tensor, scores: torch.Tensor, **_: Any) -> torch.Tensor:
        done = self._complete(self._decoding.text(input_ids[0, self._read :].tolist()))
        return torch.tensor([done], device=input_ids.device)

"""What the published code does, written plainly: one whole `generate` a caption and turn, nothing shared."""

from collections.abc import Sequence
from typing import Any

import torch
from PIL import Image

from core.models.llava import token_pieces
from core.models.vlm import Reply, Turn, llava_v1, pixel_values


def generate_answer(
    model: Any, processor: Any, image: Image.Image, turns: Sequence[Turn], max_new_tokens: int, to_the_end: bool = True
) -> Reply:
    """Encode picture and conversation anew and let the model answer greedily; to_the_end: stop at "</s>"."""
    tokenizer, config = processor.tokenizer, model.config
    before, after = llava_v1(turns).split("<image>", maxsplit=1)
    ids = [
        tokenizer.bos_token_id,
        *tokenizer.encode(before, add_special_tokens=False),
        *[config.image_token_id] * (config.vision_config.image_size // config.vision_config.patch_size) ** 2,
        *tokenizer.encode(after, add_special_tokens=False),
    ]
    prepared = processor.image_processor
    pixels = pixel_values(image, config.vision_config.image_size, prepared.image_mean, prepared.image_std)
    with torch.inference_mode():
        output = model.generate(
            input_ids=torch.tensor([ids]),
            attention_mask=torch.ones(1, len(ids), dtype=torch.long),
            pixel_values=torch.from_numpy(pixels)[None].to(model.dtype),
            do_sample=False,
            max_new_tokens=max_new_tokens,
            eos_token_id=tokenizer.eos_token_id if to_the_end else None,
            pad_token_id=tokenizer.eos_token_id,
            output_logits=True,
            return_dict_in_generate=True,
        )
    new = output.sequences[0, len(ids) :].tolist()
    digits = [tokenizer.encode(str(digit), add_special_tokens=False)[-1] for digit in range(10)]
    chances = [step[0].double().softmax(dim=-1)[digits].numpy() for step in output.logits]
    return Reply(token_pieces(lambda some: tokenizer.decode(list(some), skip_special_tokens=True), new), tuple(chances))

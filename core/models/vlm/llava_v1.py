"""LLaVA-1.5's input as in FLEUR and EXPERT: the conversation template ``llava_v1``, and pictures padded to a square.

The template's system text has "curious human"; ``vicuna_v1`` has "curious user". Pictures are resized by Pillow, as in
the published code. Resized tensors would differ by up to 0.03 after normalisation (about 2 grey levels).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image

SYSTEM = (
    "A chat between a curious human and an artificial intelligence assistant. "
    "The assistant gives helpful, detailed, and polite answers to the human's questions."
)
END = "</s>"  # follows each of the assistant's answers
IMAGE = "<image>"  # replaced by the picture's tokens; occurs once, in the first user turn

Turn = tuple[str, str | None]  # (the user's question, the assistant's answer); None: no answer yet


def llava_v1(turns: Sequence[Turn], doubled_end: bool = False) -> str:
    """Return the text of a conversation, up to the beginning of the assistant's next answer.

    doubled_end: write ``</s></s>`` after an answer. The published code stored the answer with its end mark, and the
    template added a second one.
    """
    end = END * 2 if doubled_end else END
    written = [f"{SYSTEM} "]
    for index, (question, answer) in enumerate(turns):
        picture = f"{IMAGE}\n" if index == 0 else ""
        written.append(f"USER: {picture}{question} ASSISTANT:")
        written.append("" if answer is None else f" {answer}{end}")
    return "".join(written)


def pad_to_square(image: Image.Image, background: tuple[int, int, int]) -> Image.Image:
    """Centre an RGB picture in a square whose side is the picture's longer side.

    If the padding is an odd number of pixels, the additional pixel is at the right or the bottom.
    """
    side = max(image.size)
    square = Image.new("RGB", (side, side), background)
    square.paste(image, ((side - image.width) // 2, (side - image.height) // 2))
    return square


def pixel_values(image: Image.Image, side: int, mean: Sequence[float], std: Sequence[float]) -> NDArray[np.float32]:
    """Return an RGB picture as float32 [3, side, side]: padded with the mean, resized bicubically, normalised.

    mean and std are per channel, for values in [0, 1].
    """
    red, green, blue = (int(255 * channel) for channel in mean)
    square = pad_to_square(image, (red, green, blue)).resize((side, side), Image.Resampling.BICUBIC)
    values = (np.asarray(square, dtype=np.float64) / 255 - np.asarray(mean)) / np.asarray(std)
    return np.ascontiguousarray(values.transpose(2, 0, 1), dtype=np.float32)

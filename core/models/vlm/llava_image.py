"""LLaVA-1.5's image preprocessing, ``image_aspect_ratio=pad``, with Pillow as in the published code.

If tensors were resized instead of Pillow images, normalised pixel values would differ by up to 0.03 (about 2 grey
levels).
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray
from PIL import Image


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

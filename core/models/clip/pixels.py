"""Prepare pictures and masks for CLIP's encoders with the same geometry (resizing and cropping).

As in Alpha-CLIP's training transform (SunzeY/AlphaCLIP@e5676c9 train/dataset/alpha_grit.py), the picture is padded with
zeros to a square before it is standardised. Tensors are resized with antialiasing: the picture bicubic (not clamped),
the mask bilinear.
"""

from typing import Literal, get_args

import numpy as np
import torch
from torch.nn.functional import interpolate, pad

from core.errors import BadMask, BadSetting
from core.images.pictures import file_of, open_rgb
from core.models.clip.openai import MEAN, STD
from core.regions import masks
from core.types import ImageRef, ImageRegion

Geometry = Literal["pad", "crop", "squash", "readme"]  # readme: crops pictures, squashes masks, so these do not match
ALPHA_MEAN, ALPHA_STD = 0.5, 0.26  # normalised values: +1.923 inside a mask, -1.923 outside


def checked_geometry(name: str) -> str:
    """Return the name of a geometry (how pictures become square). Raises BadSetting for an unknown name."""
    if name not in get_args(Geometry):
        raise BadSetting(f"geometry: expected {', '.join(get_args(Geometry))}, found {name!r}")
    return name


def picture(image: ImageRef) -> torch.Tensor:
    """Return the picture as people see it, float32 [3, height, width] in [0, 1]. Raises BadImage."""
    return torch.from_numpy(np.array(open_rgb(file_of(image)))).permute(2, 0, 1).float() / 255


def standardised(rgb: torch.Tensor, side: int, geometry: str) -> torch.Tensor:
    """Return a picture [3, height, width] in [0, 1] as float32 [3, side, side], standardised as CLIP does."""
    framed = _framed(rgb, "crop" if geometry == "readme" else geometry)
    resized = interpolate(framed[None], (side, side), mode="bicubic", antialias=True)[0]
    return (resized - torch.tensor(MEAN)[:, None, None]) / torch.tensor(STD)[:, None, None]


def alpha(region: ImageRegion, size: tuple[int, int], side: int, geometry: str) -> torch.Tensor:
    """Return a region's standardised mask, float32 [1, side, side], for a picture of size (height, width).

    For the whole picture the mask is 1 everywhere, including the padding. Raises BadMask for a mask of another size.
    """
    if region.size != size:
        raise BadMask(f"a mask of the picture's {size[1]}×{size[0]} px", f"{region.size[1]}×{region.size[0]} px")
    if region.is_full:
        mask = torch.ones(1, side, side)
    else:
        inside = torch.from_numpy(np.ascontiguousarray(masks.decode(region.rle, size)))[None].float()
        framed = _framed(inside, "squash" if geometry == "readme" else geometry)
        mask = interpolate(framed[None], (side, side), mode="bilinear", antialias=True)[0]
    return (mask - ALPHA_MEAN) / ALPHA_STD


def _framed(tensor: torch.Tensor, geometry: str) -> torch.Tensor:
    """Make a tensor [C, height, width] square: pad with zeros or crop the centre.

    For the geometry "squash", the tensor is returned unchanged, because the later resize makes it square.
    """
    height, width = tensor.shape[1:]
    if geometry == "squash":
        return tensor
    if geometry == "crop":
        short = min(height, width)
        top, left = height // 2 - short // 2, width // 2 - short // 2
        return tensor[:, top : top + short, left : left + short]
    left, top = max(0, height - width) // 2, max(0, width - height) // 2
    return pad(tensor, (left, max(0, height - width) - left, top, max(0, width - height) - top))

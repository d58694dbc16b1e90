"""Convert between the coordinates of MobileSAMv2: picture, detector input and SAM input.

As in ChaoningZhang/MobileSAM@34bbbfd MobileSAMv2: ultralytics' letterbox (padding) for the detector, ResizeLongestSide
for SAM.
"""

import numpy as np
import numpy.typing as npt
from PIL import Image

Boxes = npt.NDArray[np.float64]  # [N, 4] x0, y0, x1, y1 in px
Rgb = npt.NDArray[np.uint8]  # [height, width, 3]
Size = tuple[int, int]  # (height, width) in px

SAM_SIDE = 1024  # px
BORDER = 20  # px of the detector's input; a box side nearer to the picture's border is moved onto the border
_MEAN = np.array([123.675, 116.28, 103.53], np.float32)
_DEVIATION = np.array([58.395, 57.12, 57.375], np.float32)


def snapped(boxes: Boxes, size: Size) -> Boxes:
    """Move box sides less than BORDER px from the picture's border onto the border.

    Boxes are in the coordinates of the detector's input.
    """
    height, width = size
    x0, y0, x1, y1 = boxes.T
    return np.stack(
        [
            np.where(x0 < BORDER, 0, x0),
            np.where(y0 < BORDER, 0, y0),
            np.where(x1 > width - BORDER, width, x1),
            np.where(y1 > height - BORDER, height, y1),
        ],
        axis=1,
    )


def from_letterbox(boxes: Boxes, network: Size, picture: Size) -> Boxes:
    """Convert boxes from the detector's padded input to the picture. Boxes are clipped to the picture."""
    gain = min(network[0] / picture[0], network[1] / picture[1])
    pad_x = round((network[1] - picture[1] * gain) / 2 - 0.1)
    pad_y = round((network[0] - picture[0] * gain) / 2 - 0.1)
    inside = (boxes - [pad_x, pad_y, pad_x, pad_y]) / gain
    limits = [picture[1], picture[0], picture[1], picture[0]]
    clipped: Boxes = np.clip(inside, 0, limits)
    return clipped


def sam_size(picture: Size, side: int = SAM_SIDE) -> Size:
    """Return a picture's size (height, width) after its longer side is scaled to `side` px."""
    scale = side / max(picture)
    return int(picture[0] * scale + 0.5), int(picture[1] * scale + 0.5)


def to_sam(boxes: Boxes, picture: Size, side: int = SAM_SIDE) -> Boxes:
    """Convert boxes from the picture's coordinates to those of SAM's input."""
    height, width = sam_size(picture, side)
    across, down = width / picture[1], height / picture[0]
    scaled: Boxes = boxes * [across, down, across, down]
    return scaled


def sam_pixels(rgb: Rgb, side: int = SAM_SIDE) -> npt.NDArray[np.float32]:
    """Return a picture as SAM's input, float32 [1, 3, side, side].

    The picture is resized, standardised, and padded with zeros at the right and bottom.
    """
    height, width = sam_size(rgb.shape[:2], side)
    resized = np.asarray(Image.fromarray(rgb).resize((width, height), Image.Resampling.BILINEAR))
    pixels = np.zeros((1, 3, side, side), np.float32)
    pixels[0, :, :height, :width] = ((resized - _MEAN) / _DEVIATION).transpose(2, 0, 1)
    return pixels

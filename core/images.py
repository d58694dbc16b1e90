"""Opening pictures safely."""

import warnings
from pathlib import Path

from PIL import Image, ImageOps, UnidentifiedImageError

from core.errors import BadImage


def open_rgb(path: Path) -> Image.Image:
    """Return the picture as RGB, turned upright by its EXIF rotation; an alpha channel is dropped. Raises BadImage."""
    try:
        with warnings.catch_warnings(), Image.open(path) as picture:
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            return ImageOps.exif_transpose(picture).convert("RGB")
    except FileNotFoundError as error:
        raise BadImage(f"Expected a picture at {path.name}, found no such file.") from error
    except (Image.DecompressionBombError, Image.DecompressionBombWarning) as error:
        raise BadImage(f"Expected a picture of reasonable size, found {path.name}: {error}") from error
    except (UnidentifiedImageError, OSError, SyntaxError, ValueError) as error:
        raise BadImage(f"Expected a whole picture, found that {path.name} cannot be read: {error}") from error

"""Common code for COCO's files: lists of images and annotations, linked by ids."""

from core.datasets.base import Source
from core.datasets.rows import Row
from core.errors import BadFile, BadRow

LARGEST_ID = 10**12


def file_names(source: Source, images: list[object]) -> dict[str, str]:
    """Return the paths of the images by image id. Raises BadFile."""
    try:
        rows = [Row(source.path, n, {"images": image}).nested("images") for n, image in enumerate(images, start=1)]
        return {row.identifier("id"): row.picture("file_name") for row in rows}
    except BadRow as bad:
        raise BadFile(source.path, f"images, entry {bad.row}, field {bad.field}: {bad.reason}") from bad


def list_under(source: Source, content: dict[str, object], name: str) -> list[object]:
    """Return the list in a field of the file's JSON object. Raises BadFile."""
    value = content.get(name)
    if not isinstance(value, list):
        raise BadFile(source.path, f"the list {name!r} is missing; choose another format")
    return value

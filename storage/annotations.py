"""Annotated regions of pictures: kept once a picture, in the order of their source."""

from collections.abc import Iterable
from typing import Any

from sqlalchemy import ColumnElement, Connection, select

from core.types import ImageRegion
from storage.tables import AnnotationRow, ImageRow


def regions_by_image(connection: Connection, *of: ColumnElement[bool]) -> dict[int, tuple[ImageRegion, ...]]:
    """Return the annotated regions of the pictures that meet the conditions on images, by the picture's id."""
    query = select(*AnnotationRow.__table__.columns).join(ImageRow, ImageRow.id == AnnotationRow.image_id).where(*of)
    found: dict[int, list[ImageRegion]] = {}
    for row in connection.execute(query.order_by(AnnotationRow.image_id, AnnotationRow.place)):
        region = ImageRegion(row.rle, (row.height, row.width), row.label, is_crowd=row.is_crowd)
        found.setdefault(row.image_id, []).append(region)
    return {image_id: tuple(regions) for image_id, regions in found.items()}


def annotation_columns(image_id: int, regions: Iterable[ImageRegion]) -> list[dict[str, Any]]:
    """Return AnnotationRow's columns for the regions of one picture; the whole picture is none of them."""
    parts = (region for region in regions if not region.is_full)
    return [
        {
            "image_id": image_id,
            "place": place,
            "rle": part.rle,
            "height": part.size[0],
            "width": part.size[1],
            "label": part.label,
            "is_crowd": part.is_crowd,
        }
        for place, part in enumerate(parts)
    ]

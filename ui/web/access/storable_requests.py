"""Refuse requests with texts that cannot be stored: NUL, or half of a surrogate pair."""

import re
from collections.abc import Iterator
from typing import Any

from fastapi import Request

from core.errors import BadSetting
from core.storable_text import odd_character

# Route that checks answers one by one, so that an invalid note does not keep other answers from being stored.
CHECKED_THERE = "/api/rate/saves"
_SUSPECT = re.compile(rb"\0|\\u0000|\\ud[89a-f]", re.IGNORECASE)


async def storable_texts(request: Request) -> None:
    """Raise BadSetting if a request has NUL or half a surrogate pair.

    The address and the body are checked. The function is a dependency for FastAPI.
    """
    if "\0" in request.scope["path"] or b"%00" in request.scope["query_string"]:
        raise BadSetting("The address contains the character NUL. Remove it and try again.")
    if "form" in request.headers.get("content-type", ""):
        for name, value in (await request.form()).multi_items():
            odd = odd_character(value) if isinstance(value, str) else None
            if odd is not None:
                raise BadSetting(f"{name} contains {odd}, which cannot be stored. Remove it and try again.")
        return
    if "json" not in request.headers.get("content-type", "") or request.scope["path"] == CHECKED_THERE:
        return
    if _SUSPECT.search(await request.body()):
        for where, text in _texts(await request.json()):
            odd = odd_character(text)
            if odd is not None:
                raise BadSetting(
                    f"{where or 'The text'} contains {odd}, which cannot be stored. Remove it and try again."
                )


def _texts(value: Any, where: str = "") -> Iterator[tuple[str, str]]:
    """Yield every text in nested JSON with the path of its field."""
    if isinstance(value, str):
        yield where, value
    elif isinstance(value, dict):
        for name, part in value.items():
            yield "A field's name", name
            yield from _texts(part, where or (name if odd_character(name) is None else "A field"))
    elif isinstance(value, list):
        for part in value:
            yield from _texts(part, where)

"""Pydantic's readers of types, kept from one app to the next: hundreds are built in a run, each with the same types.

Reading a type again takes two thirds of the time that building an app takes. No test lives here.
"""

from collections.abc import Hashable
from typing import Annotated, Any, get_args, get_origin

from fastapi._compat import v2
from pydantic import TypeAdapter

_kept: dict[Hashable, TypeAdapter[Any]] = {}


def remember_types() -> None:
    """Let FastAPI make one reader a type with its constraints, not one a route and app."""
    v2.TypeAdapter = _reader  # type: ignore[assignment, misc]


def _reader(annotated: Any, **how: Any) -> TypeAdapter[Any]:
    base, *about = get_args(annotated) if get_origin(annotated) is Annotated else (annotated,)
    key = (base, repr(about), repr(how))
    if key not in _kept:
        _kept[key] = TypeAdapter(annotated, **how)
    return _kept[key]

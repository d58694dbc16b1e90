"""What FastAPI makes of routes and their types, kept from one app to the next: hundreds are built in a run.

Reading a type again takes two thirds of the time that building an app takes. Making each route ready again, which
FastAPI does at an app's first request, takes longer than most tests' own requests. No test lives here.
"""

from collections.abc import Hashable
from dataclasses import replace
from typing import Annotated, Any, get_args, get_origin

from fastapi import FastAPI, routing
from fastapi._compat import v2
from pydantic import TypeAdapter

_kept: dict[Hashable, TypeAdapter[Any]] = {}
_ready: dict[tuple[int, str], Any] = {}
_make_ready = routing._EffectiveRouteContext.from_api_route


def remember_types() -> None:
    """Let FastAPI make one reader a type with its constraints, and each route ready once, not once an app."""
    v2.TypeAdapter = _reader  # type: ignore[assignment, misc]
    routing._EffectiveRouteContext.from_api_route = _route  # type: ignore[assignment, method-assign]


def make_routes_ready(app: FastAPI) -> None:
    """Do at once what FastAPI does at an app's first request."""
    for router in app.router.routes:
        if isinstance(router, routing._IncludedRouter):
            router.effective_candidates()


def _route(*, original_route: routing.APIRoute, include_context: Any) -> Any:
    """Return a route made ready. It knows no app: no test overrides what an app's routes depend on."""
    of_no_app = replace(include_context, dependency_overrides_provider=None)
    key = (id(original_route), repr(of_no_app))  # a kept route is never freed, so no other one gets its id
    if key not in _ready:
        _ready[key] = _make_ready(original_route=original_route, include_context=of_no_app)
    return _ready[key]


def _reader(annotated: Any, **how: Any) -> TypeAdapter[Any]:
    base, *about = get_args(annotated) if get_origin(annotated) is Annotated else (annotated,)
    key = (base, repr(about), repr(how))
    if key not in _kept:
        _kept[key] = TypeAdapter(annotated, **how)
    return _kept[key]

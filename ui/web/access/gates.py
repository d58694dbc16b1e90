"""Who may use each route. A route says it where it is declared; without it, the server does not start."""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

from starlette.routing import BaseRoute, compile_path

Who = Literal["anyone", "rater", "viewer", "researcher", "admin"]
# anyone: every client that can reach the server. rater: for writing, clients with a rater's session; the route checks
# its study.
# The others are roles of accounts, and each may also use the routes of the roles before it.


@dataclass(frozen=True, slots=True)
class Gate:
    """Who may use a route, and what is written about it."""

    who: Who
    deed: str = ""  # name of the action in the log; empty: the log has no line about it
    most: int | None = None  # maximum bytes of a request; None: the limit of the audience


def gate(who: Who, deed: str = "", most: int | None = None) -> dict[str, Any]:
    """Return the arguments by which a route declares its gate, as in `@ROUTER.get("/samples", **gate("viewer"))`."""
    return {"openapi_extra": {"gate": Gate(who, deed, most)}}


# Parts of Gradio that Capscope's pages use. Gradio's other routes, such as uploads and files by path, stay closed.
_OF_GRADIO = {
    **{("GET", f"/{path}"): Gate("anyone") for path in ("favicon.ico", "robots.txt")},
    **{("GET", f"/{path}"): Gate("viewer") for path in ("", "inspect", "analyse", "config", "theme.css")},
    **{("GET", f"/{path}/{{path:path}}"): Gate("viewer") for path in ("static", "assets", "svelte")},
    **{("GET", f"/{path}"): Gate("viewer") for path in ("manifest.json", "pwa_icon", "pwa_icon/{size}")},
    ("GET", "/rate"): Gate("researcher"),  # page for rating without a link
    **{
        ("GET", f"/gradio_api/{path}"): Gate("viewer")
        for path in ("heartbeat/{session_hash}", "startup-events", "app_id", "info")
    },
}


def gates_of(routes: Iterable[BaseRoute]) -> dict[tuple[str, str], Gate | None]:
    """Return the gates of an app's own routes by method and path; None: the route declares none."""
    found: dict[tuple[str, str], Gate | None] = {}
    for route in routes:
        if hasattr(route, "effective_candidates"):  # FastAPI's place for an included router
            found |= gates_of(route.effective_candidates())
        elif hasattr(route, "openapi_extra"):
            declared = (route.openapi_extra or {}).get("gate")
            found |= {(method, route.path): declared for method in route.methods if method != "HEAD"}  # type: ignore[attr-defined]
    return found


class Gates:
    """The gates of all routes, prepared for fast look-up."""

    def __init__(self, routes: Iterable[BaseRoute]) -> None:
        """Read the gates of an app's routes. Raises ValueError for a route without a gate."""
        own = gates_of(routes)
        if closed := [f"{method} {path}" for (method, path), one in own.items() if one is None]:
            raise ValueError(f"Say by `gate` who may use these routes: {', '.join(closed)}.")
        self._plain: dict[tuple[str, str], Gate] = {}
        self._patterns: list[tuple[str, re.Pattern[str], Gate]] = []
        for (method, path), one in (own | _OF_GRADIO).items():
            assert one is not None
            if "{" in path:
                self._patterns.append((method, compile_path(path)[0], one))
            else:
                self._plain[method, path.rstrip("/") or "/"] = one

    def find(self, method: str, path: str) -> Gate | None:
        """Return a route's gate; None: the route does not exist, or nobody may use it."""
        method, path = "GET" if method == "HEAD" else method, path.rstrip("/") or "/"
        known = self._plain.get((method, path))
        if known is not None:
            return known
        return next((one for of, pattern, one in self._patterns if of == method and pattern.match(path)), None)

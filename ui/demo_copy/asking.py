"""Send the requests of the demo's pages to the app in this process. Responses are recorded byte for byte."""

import json
from collections.abc import Mapping
from typing import Any

import httpx2
from starlette.types import ASGIApp

from core.errors import ModelUnavailable, WorkFailed

_ADDRESS = "http://127.0.0.1"
_PATIENCE_S = 600.0  # long timeout in seconds, because models are loaded at the first request


class Asker:
    """A client of the app in this process, with cookies."""

    def __init__(self, app: ASGIApp) -> None:
        transport = httpx2.ASGITransport(app=app)
        headers = {"X-Capscope": "1"}
        self._client = httpx2.AsyncClient(transport=transport, base_url=_ADDRESS, headers=headers, timeout=_PATIENCE_S)

    async def json(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> Any:
        """Return the JSON of a response. Raises WorkFailed if it has none."""
        return (await self._ask(method, path, body)).json()

    async def outcome(self, body: Mapping[str, Any]) -> Any:
        """Request a caption's score, and return the last event of the response.

        The response is a stream of events. Raises ModelUnavailable if the event says that no score could be made.
        """
        answer = await self._ask("POST", "/api/judge", body)
        *_, last = (event for event in answer.text.split("\n\n") if event)
        told = json.loads(last.removeprefix("data: "))
        if "outcome" not in told:
            raise ModelUnavailable(f"The copy needs scores of HICE-S, but HICE-S returned none: {_detail(told)}")
        return told

    async def picture(self, path: str) -> tuple[bytes, str]:
        """Return a picture, and its media type."""
        answer = await self._ask("GET", path)
        return answer.content, answer.headers["content-type"]

    async def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> httpx2.Response:
        answer = await self._client.request(method, path, json=body)
        try:
            return answer.raise_for_status()
        except httpx2.HTTPStatusError as error:
            raise WorkFailed(error) from error


def _detail(told: Mapping[str, Any]) -> str:
    return str(told.get("problem", {}).get("detail", told))


def question(method: str, path: str, body: Mapping[str, Any] | None = None) -> str:
    """Return the name under which a request's response is recorded.

    ui/static/recorded/recording.js uses the same names.
    """
    asked = "" if body is None else " " + json.dumps(body, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
    return f"{method} {path}{asked}"

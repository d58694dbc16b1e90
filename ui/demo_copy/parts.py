"""Write recorded responses to files.

Responses that the page needs together are in one file.
"""

import hashlib
import json
import re
from collections.abc import Mapping
from typing import Any

from ui.demo_copy.asking import Asker, question

PICTURES = "pictures"
RECORDED = "recorded"
_ENDINGS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/gif": "gif"}
_PICTURE = re.compile(r"/api/images/\d+(?:/small|/screen)?")
_NAME_DIGITS = 12  # number of hexadecimal digits of a picture's checksum in the picture's name


class Pictures:
    """The pictures in recorded responses, each stored once."""

    def __init__(self, asker: Asker) -> None:
        self._asker = asker
        self._paths: dict[str, str] = {}  # key: a picture's address in the app; value: its path in the copy
        self.files: dict[str, bytes] = {}  # key: path in the copy; value: content of the file

    async def beside(self, part: Any) -> Any:
        """Replace the addresses of pictures in a part of a response.

        The addresses in the app are replaced by the paths of the stored pictures.
        """
        if isinstance(part, dict):
            return {name: await self.beside(value) for name, value in part.items()}
        if isinstance(part, list):
            return [await self.beside(value) for value in part]
        return await self._path(part) if isinstance(part, str) and _PICTURE.fullmatch(part) else part

    async def _path(self, address: str) -> str:
        if address not in self._paths:
            content, media_type = await self._asker.picture(address)
            name = f"{hashlib.sha256(content).hexdigest()[:_NAME_DIGITS]}.{_ENDINGS[media_type]}"
            self._paths[address] = f"/{PICTURES}/{name}"
            self.files[f"{PICTURES}/{name}"] = content
        return self._paths[address]


class Part:
    """The recorded responses that one file contains."""

    def __init__(self, name: str, pictures: Pictures) -> None:
        self.path = f"{RECORDED}/{name}.json"
        self._pictures = pictures
        self.answers: dict[str, Any] = {}  # key: request

    async def keep(self, answer: Any, method: str, path: str, body: Mapping[str, Any] | None = None) -> None:
        """Record the response to a request."""
        self.answers[question(method, path, body)] = {"json": await self._pictures.beside(answer)}

    def keep_event(self, event: Any, path: str, body: Mapping[str, Any]) -> None:
        """Record the last event of a response that is a stream of events."""
        self.answers[question("POST", path, body)] = {"event": event}

    def content(self) -> bytes:
        """Return the content of the file."""
        return _written(self.answers)


def index(parts: list[Part]) -> bytes:
    """Return the index of all recorded responses: the file of each request's response."""
    return _written({asked: f"/{part.path}" for part in parts for asked in part.answers})


def _written(content: Mapping[str, Any]) -> bytes:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":")).encode()

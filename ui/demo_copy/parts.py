"""Write recorded responses to files.

Responses that a page needs together are in one file. A text that occurs several times is written once.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from ui.demo_copy.asking import Asker, question

PICTURES = "pictures"
RECORDED = "recorded"
LONG = 100  # texts with at least this many characters, such as outlines, are stored once for all occurrences
_ENDINGS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/gif": "gif"}
_PICTURE = re.compile(r"/api/(?:images/\d+(?:/small|/screen)?|rate/items/[\w-]+/image)")
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
        self._answers: list[Any] = []
        self.places: dict[str, int] = {}  # key: request; value: index of its response, which several requests may share

    async def keep(self, answer: Any, method: str, path: str, body: Mapping[str, Any] | None = None) -> None:
        """Record the response to a request."""
        self._add(question(method, path, body), {"json": await self._pictures.beside(answer)})

    def keep_event(self, event: Any, path: str, body: Mapping[str, Any]) -> None:
        """Record the last event of a response that is a stream of events."""
        self._add(question("POST", path, body), {"event": event})

    def _add(self, asked: str, answer: Any) -> None:
        if answer not in self._answers:
            self._answers.append(answer)
        self.places[asked] = self._answers.index(answer)

    def content(self) -> bytes:
        """Return the content of the file."""
        counts = Counter(_texts(self._answers))
        places = {text: place for place, text in enumerate(t for t, n in counts.items() if n > 1 and len(t) >= LONG)}
        written = {"texts": list(places), "answers": _pointing(self._answers, places)}
        return json.dumps(written, ensure_ascii=False, separators=(",", ":")).encode()


def index(parts: list[Part]) -> bytes:
    """Return the index of all recorded responses.

    For each request, it has the file of its response and the position in that file.
    """
    where = {asked: [f"/{part.path}", place] for part in parts for asked, place in part.places.items()}
    return json.dumps(where, ensure_ascii=False, separators=(",", ":")).encode()


def _texts(part: Any) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, dict | list):
        for value in part.values() if isinstance(part, dict) else part:
            yield from _texts(value)


def _pointing(part: Any, places: Mapping[str, int]) -> Any:
    """Return a value with references instead of repeated texts.

    The reference to the repeated text number n is {"$text": n}. places: the number of each repeated text.
    """
    if isinstance(part, dict):
        return {name: _pointing(value, places) for name, value in part.items()}
    if isinstance(part, list):
        return [_pointing(value, places) for value in part]
    return {"$text": places[part]} if isinstance(part, str) and part in places else part

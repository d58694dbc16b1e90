"""Record the app's responses about the demo's samples, and about edits of their captions, into files.

Responses about one picture are in one file, because the page needs them together.
"""

import hashlib
import json
import re
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path, PurePath
from typing import Any

import httpx2
from starlette.types import ASGIApp

from core.errors import BadSetting, ModelUnavailable
from core.metrics.hice import HICE

EDITS = Path(__file__).parents[2] / "assets" / "demo" / "edits.json"
PICTURES, RECORDED = "pictures", "recorded"
START = "start"  # the file of the responses that the page needs first
_FIRST_PAGE = "/api/samples?page=1"
_ADDRESS = "http://127.0.0.1"
_PATIENCE_S = 600.0  # long timeout in seconds, because models are loaded at the first request
_ENDINGS = {"image/jpeg": "jpg", "image/png": "png", "image/webp": "webp", "image/gif": "gif"}
_PICTURE = re.compile(r"/api/images/\d+(?:/small)?")
_NAME_DIGITS = 12  # number of hexadecimal digits of a picture's checksum in the picture's name


async def record(app: ASGIApp) -> dict[str, bytes]:
    """Return the files of recorded responses and photographs; key: path.

    Raises BadSetting if all photographs are missing. Raises ModelUnavailable.
    """
    recorder = Recorder(app)
    found = await recorder.get(_FIRST_PAGE)
    shown = [sample for sample in found["samples"] if sample["image"] is not None]
    if not shown:
        raise BadSetting(
            "The demo's photographs are missing. Install the packages of requirements.txt, which contain them."
        )
    found |= {"samples": shown, "total": len(shown)}
    await recorder.keep(START, await recorder.get("/api/datasets"), "GET", "/api/datasets")
    for address in (_FIRST_PAGE, *(f"{_FIRST_PAGE}&around={sample['id']}" for sample in shown)):
        await recorder.keep(START, found, "GET", address)
    for sample in shown:
        await _record_sample(recorder, PurePath(sample["image_name"]).stem, f"/api/samples/{sample['id']}")
    return recorder.files()


async def _record_sample(recorder: "Recorder", part: str, address: str) -> None:
    sample = await recorder.get(address)
    sample["trials"] += edits().get(sample["key"], [])
    await recorder.keep(part, sample, "GET", address)
    metrics = await recorder.get(f"{address}/metrics")
    recorded = [one for one in metrics if one["metric"] == HICE.name or not one["ready"]]
    await recorder.keep(part, recorded, "GET", f"{address}/metrics")
    texts = [rationale["text"] for score in sample["scores"] for rationale in score.get("rationales", ())]
    for text in dict.fromkeys(texts):
        said = {"text": text}
        await recorder.keep(
            part, await recorder.post(f"{address}/sentences", said), "POST", f"{address}/sentences", said
        )
    for trial in sample["trials"]:  # `sample` contains the outcome of the unedited caption, but not of edited ones
        await recorder.keep_outcome(part, {"sample": sample["id"], "metric": HICE.name, "caption": trial["caption"]})


class Recorder:
    """Sends requests to the app in this process, and keeps their responses."""

    def __init__(self, app: ASGIApp) -> None:
        transport, headers = httpx2.ASGITransport(app=app), {"X-Capscope": "1"}
        self._client = httpx2.AsyncClient(transport=transport, base_url=_ADDRESS, headers=headers, timeout=_PATIENCE_S)
        self._parts: dict[str, dict[str, Any]] = defaultdict(dict)  # part (a file) -> request -> response
        self._paths: dict[str, str] = {}  # key: a picture's address in the app; value: its path in the copy
        self._pictures: dict[str, bytes] = {}  # key: path in the copy; value: content of the file

    async def get(self, path: str) -> Any:
        """Return the JSON of a response. Raises ModelUnavailable if the request is refused."""
        return (await self._ask("GET", path)).json()

    async def post(self, path: str, body: Mapping[str, Any]) -> Any:
        """Return the JSON of a response. Raises ModelUnavailable if the request is refused."""
        return (await self._ask("POST", path, body)).json()

    async def keep(
        self, part: str, answer: Any, method: str, path: str, body: Mapping[str, Any] | None = None
    ) -> None:  # fmt: skip
        """Record the response to a request, with the pictures that it names."""
        self._parts[part][question(method, path, body)] = await self._beside(answer)

    async def keep_outcome(self, part: str, body: Mapping[str, Any]) -> None:
        """Request a caption's score, and record the response."""
        await self.keep(part, await self.post("/api/judge", body), "POST", "/api/judge", body)

    def files(self) -> dict[str, bytes]:
        """Return the files of responses, their index and the pictures; key: path."""
        index = {asked: f"/{RECORDED}/{part}.json" for part, answers in self._parts.items() for asked in answers}
        parts = {"index": index, **self._parts}
        return {
            f"{RECORDED}/{name}.json": _compact(content).encode() for name, content in parts.items()
        } | self._pictures

    async def _beside(self, part: Any) -> Any:
        """Replace the addresses of pictures in a part of a response by the paths of stored pictures."""
        if isinstance(part, dict):
            return {name: await self._beside(value) for name, value in part.items()}
        if isinstance(part, list):
            return [await self._beside(value) for value in part]
        return await self._path(part) if isinstance(part, str) and _PICTURE.fullmatch(part) else part

    async def _path(self, address: str) -> str:
        if address not in self._paths:
            answer = await self._ask("GET", address)
            digest = hashlib.sha256(answer.content).hexdigest()[:_NAME_DIGITS]
            path = f"{PICTURES}/{digest}.{_ENDINGS[answer.headers['content-type']]}"
            self._paths[address], self._pictures[path] = f"/{path}", answer.content
        return self._paths[address]

    async def _ask(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> httpx2.Response:
        answer = await self._client.request(method, path, json=body)
        if answer.is_error:
            raise ModelUnavailable(f"The copy cannot be recorded, because {path} failed: {answer.json()['detail']}")
        return answer


def question(method: str, path: str, body: Mapping[str, Any] | None = None) -> str:
    """Return the name under which a request's response is recorded.

    ui/static/recorded/recording.js uses the same names.
    """
    return f"{method} {path}" if body is None else f"{method} {path} {_compact(body, sort_keys=True)}"


def edits() -> dict[str, list[dict[str, str]]]:
    """Return additional caption edits for the samples; key: sample's key.

    They have the same fields as the edits that the app suggests.
    """
    content = json.loads(EDITS.read_text(encoding="utf-8"))
    names = ("kind", "words", "caption")
    return {key: [dict(zip(names, one, strict=True)) for one in listed] for key, listed in content.items()}


def _compact(content: Mapping[str, Any], sort_keys: bool = False) -> str:
    return json.dumps(content, ensure_ascii=False, separators=(",", ":"), sort_keys=sort_keys)

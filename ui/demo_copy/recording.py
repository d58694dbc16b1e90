"""Record the app's responses for the copy of the demo.

They are about the demo's samples, and about edits of their captions.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

from starlette.types import ASGIApp

from core.errors import BadSetting
from core.metrics.hice import HICE
from ui.demo_copy.asking import Asker
from ui.demo_copy.parts import RECORDED, Part, Pictures, index

EDITS = Path(__file__).parents[2] / "assets" / "demo" / "edits.json"
JUDGE = "/api/judge"
_FIRST_PAGE = "/api/samples?page=1"


async def record(app: ASGIApp) -> dict[str, bytes]:
    """Return the files of recorded responses and photographs; key: path.

    Raises BadSetting if all photographs are missing. Raises ModelUnavailable.
    """
    asker = Asker(app)
    pictures = Pictures(asker)
    start = Part("start", pictures)
    found = await asker.json("GET", _FIRST_PAGE)
    shown = [sample for sample in found["samples"] if sample["image"] is not None]
    if not shown:
        raise BadSetting(
            "The demo's photographs are missing. Install the packages of requirements.txt, which contain them."
        )
    found |= {"samples": shown, "total": len(shown)}
    await start.keep(await asker.json("GET", "/api/datasets"), "GET", "/api/datasets")
    for address in (_FIRST_PAGE, *(f"{_FIRST_PAGE}&around={sample['id']}" for sample in shown)):
        await start.keep(found, "GET", address)
    parts = [start, *[await _of_picture(asker, pictures, same) for same in _by_picture(shown)]]
    written = {part.path: part.content() for part in parts}
    return {f"{RECORDED}/index.json": index(parts), **written, **pictures.files}


def _by_picture(samples: Sequence[Mapping[str, Any]]) -> list[list[Mapping[str, Any]]]:
    """Group samples by picture.

    Samples of one picture share the outlines of its regions, so their responses are in one file.
    """
    grouped: dict[str, list[Mapping[str, Any]]] = {}
    for sample in samples:
        grouped.setdefault(sample["image_name"], []).append(sample)
    return list(grouped.values())


async def _of_picture(asker: Asker, pictures: Pictures, samples: Sequence[Mapping[str, Any]]) -> Part:
    part = Part(PurePath(samples[0]["image_name"]).stem, pictures)
    for sample in samples:
        address = f"/api/samples/{sample['id']}"
        whole = await asker.json("GET", address)
        whole["trials"] += edits().get(whole["key"], [])
        await part.keep(whole, "GET", address)
        metrics = await asker.json("GET", f"{address}/metrics")
        recorded = [one for one in metrics if one["metric"] == HICE.name or not one["ready"]]
        await part.keep(recorded, "GET", f"{address}/metrics")
        for text in dict.fromkeys(
            rationale["text"] for score in whole["scores"] for rationale in score.get("rationales", ())
        ):
            said = {"text": text}
            read = await asker.json("POST", f"{address}/sentences", said)
            await part.keep(read, "POST", f"{address}/sentences", said)
        for trial in whole["trials"]:  # `whole` contains the outcome of the unedited caption, but not of edited ones
            body = {"sample": sample["id"], "metric": HICE.name, "keep": False, "caption": trial["caption"]}
            part.keep_event(await asker.outcome(body), JUDGE, body)
    return part


def edits() -> dict[str, list[dict[str, str]]]:
    """Return additional caption edits for the samples; key: sample's key.

    They have the same fields as the edits that the app suggests.
    """
    content = json.loads(EDITS.read_text(encoding="utf-8"))
    names = ("kind", "words", "caption")
    return {key: [dict(zip(names, one, strict=True)) for one in listed] for key, listed in content.items()}

"""Record the app's responses for the copy of the demo.

They are about the demo's samples, about edits of their captions, and about a study with one item to rate.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePath
from typing import Any

from starlette.types import ASGIApp

from core.errors import BadSetting
from core.metrics.hice import HICE
from core.studies.planning.study_request import StudyRequest
from storage.study_types import Study
from ui.demo_copy.asking import Asker
from ui.demo_copy.parts import RECORDED, Part, Pictures, index
from ui.services.demo import DATASET
from ui.services.studies import study_actions
from ui.services.workplace import Workplace

EDITS = Path(__file__).parents[2] / "assets" / "demo" / "edits.json"
JUDGE = "/api/judge"
RATER = "visitor"
_SEED = 4  # random seed of the demo's study with one item
_FIRST_PAGE = "/api/samples?page=1"


async def record(app: ASGIApp, workplace: Workplace) -> dict[str, bytes]:
    """Return the files of recorded responses and photographs; key: path.

    workplace: the app's opened data folder with the demo; a study is added to it. Raises BadSetting if all photographs
    are missing. Raises ModelUnavailable.
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
    parts.append(await _to_rate(asker, pictures, workplace))
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


async def _to_rate(asker: Asker, pictures: Pictures, workplace: Workplace) -> Part:
    """Record a study with one item, as its first rater sees it."""
    part = Part("rate", pictures)
    study = study_actions.create_study(workplace, StudyRequest("One item of the demo", DATASET, size=1, seed=_SEED))
    await asker.json("POST", "/api/rate/session", {"code": RATER})
    for address in ("/api/rate/session", "/api/rate/studies"):
        answer = await asker.json("GET", address)
        only = [one for one in answer if one["id"] == study.id] if isinstance(answer, list) else answer
        await part.keep(only, "GET", address)
    visit = f"/api/rate/studies/{study.id}/visit"
    await part.keep(await asker.json("GET", visit), "GET", visit)
    address = f"/api/rate/studies/{study.id}/items?count=3"
    queue = await asker.json("GET", address)
    await _lift_the_veil(asker, study, queue)
    await part.keep(queue, "GET", address)
    return part


async def _lift_the_veil(asker: Asker, study: Study, queue: Mapping[str, Any]) -> None:
    """Answer all questions about the study's only item, to see its picture.

    The server sends the picture only after it has received these answers. The recording does not contain the answers.
    """
    saves = [
        {
            "key": f"{item['id']}-{panel}-{criterion}",
            "assignment": item["id"],
            "kind": "rating",
            "panel": panel,
            "criterion": criterion,
            "point": 1,
            "age_ms": 0,
        }
        for item in queue["items"]
        for panel in range(1, len(item["panels"]) + 1)
        for criterion in study.criteria
    ]
    await asker.json("POST", "/api/rate/saves", {"saves": saves})

"""What raters are told on a link's page and on the welcome, over HTTP."""

import html
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient

from storage.study_types import Study
from tests.making import answer_all, import_rows, make_study, rows
from tests.ui.conftest import client_of
from tests.ui.forms_played import german
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace

ApiOf = Callable[[Workplace, Judge], FastAPI]


def told(client: TestClient, study: Study) -> dict[str, Any]:
    (found,) = [one for one in client.get("/api/rate/studies").json() if one["id"] == study.id]
    return dict(found)


def on_link(client: TestClient, token: str) -> dict[str, Any]:
    """Return the study as the page of a link holds it."""
    found = re.search(r'name="capscope-answers" content="([^"]*)"', client.get(f"/r/{token}").text)
    assert found is not None
    (study,) = json.loads(html.unescape(found[1]))["/api/rate/studies"]
    return dict(study)


def test_the_last_rater_of_a_study_is_promised_what_is_left(
    workplace: Workplace, api_of: ApiOf, tmp_path: Path
) -> None:
    import_rows(workplace, tmp_path / "files", rows(24, ("ZorkScore",)))
    study = make_study(workplace, "nearly", size=22, practice=1, raters_per_item=1)
    workplace.repository.studies.settle(study.id, items_per_rater=15)
    token = workplace.repository.links.make(study.id, uses=9)[1]
    client = client_of(api_of(workplace, Judge(workplace)))
    first = on_link(client, token)
    assert (first["items"], first["practice"], first["is_most"]) == (15, 1, True)  # a second rater would leave six
    rater = workplace.repository.raters.add("A1")
    workplace.repository.desk.queue(study.id, rater, 1, 20)
    last = on_link(client, token)
    assert (last["items"], last["practice"], last["is_most"], last["done"]) == (6, 1, True, 0)
    assert "up to 6 data samples" in last["instructions"][1]
    assert last["minutes"] < first["minutes"]
    answer_all(workplace.repository, study, workplace.repository.raters.add("B2"))
    assert (on_link(client, token)["items"], on_link(client, token)["stopped"]) == (0, "full")


def test_a_returning_rater_is_told_what_is_left_on_the_welcome(
    workplace: Workplace, api_of: ApiOf, tmp_path: Path
) -> None:
    import_rows(workplace, tmp_path / "files", rows(8, ("ZorkScore",)))
    study = make_study(workplace, "half", size=8)
    client = client_of(api_of(workplace, Judge(workplace)))
    client.post("/api/rate/session", json={"code": "A1"}).raise_for_status()
    assert (told(client, study)["items"], told(client, study)["done"]) == (8, 0)
    rater = workplace.repository.raters.named("A1")
    answer_all(workplace.repository, study, rater)
    after = told(client, study)
    assert (after["items"], after["done"], after["minutes"], after["stopped"]) == (0, 8, 0, None)


def with_pictures(workplace: Workplace, api_of: ApiOf, folder: Path, there: int, **form: Any) -> dict[str, Any]:
    """Return what raters are told of a study of six items with so many pictures."""
    samples = rows(6, ("ZorkScore",))
    for sample in samples[there:]:
        sample["image"] = f"missing-{sample['image']}"
    import_rows(workplace, folder / "files", samples)
    study = make_study(workplace, "pictures", **form)
    return told(client_of(api_of(workplace, Judge(workplace))), study)


def test_in_a_german_study_all_that_the_form_can_give_is_german(
    workplace: Workplace, api_of: ApiOf, tmp_path: Path
) -> None:
    study = with_pictures(workplace, api_of, tmp_path, 4, form_text=german("frage", criteria=1))
    assert study["instructions"][1] == "Sie sehen 6 Bilder."
    assert study["missing"].startswith("Manchen Beispielen fehlt das Bild.")
    assert study["evaluator"] == "Gutachter {number}"
    (criterion,) = study["criteria"]
    assert criterion["unseen"]["text"] == "Das kann ich nicht beurteilen, weil das Bild fehlt."

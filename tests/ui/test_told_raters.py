"""What raters are told on a link's page and on the welcome, over HTTP."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from fastapi import FastAPI
from fastapi.testclient import TestClient

from storage.study_types import Study
from tests.making import import_rows, make_study, rows
from tests.ui.conftest import client_of
from tests.ui.forms_played import german
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace

ApiOf = Callable[[Workplace, Judge], FastAPI]


def told(client: TestClient, study: Study) -> dict[str, Any]:
    (found,) = [one for one in client.get("/api/rate/studies").json() if one["id"] == study.id]
    return dict(found)


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

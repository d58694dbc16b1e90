"""The Studies pages without a browser: from a data set to a link, changes by plain forms, and who may do what."""

import re
from collections.abc import Callable
from pathlib import Path

import httpx
import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from storage.study_types import Save
from tests.command_line import command_line
from tests.making import CRITERIA, HOSTILE, METRICS, answer_all, import_rows, make_study, rating, rows
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace

ADDRESS = "http://127.0.0.1"


@pytest.fixture
def manager(birds: Workplace, api_of: Callable[..., FastAPI]) -> TestClient:
    headers = {"origin": ADDRESS}
    return TestClient(api_of(birds, Judge(birds)), base_url=ADDRESS, headers=headers, follow_redirects=False)


def stamp_of(page: httpx.Response) -> str:
    return re.findall(r'name="stamp" value="([^"]+)"', page.text)[0]


def text_of(page: httpx.Response) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.text))


def draft(**changes: object) -> dict[str, object]:
    asked = {"name": "made", "dataset": "birds", "form": "expert-single", "metrics": list(METRICS[:2])}
    return asked | {"size": "3", "raters_per_item": "2", "criteria": ["consistency"], "state": "running"} | changes


def test_a_study_is_made_on_one_page_and_gets_a_link(birds: Workplace, manager: TestClient) -> None:
    assert "birds" in manager.get("/studies/new").text
    preview = manager.post("/studies/new/preview", data=draft(name=""))
    assert "3 captions × 2 metrics = 6 items , 3 captions with every metric" in text_of(preview)
    made = manager.post("/studies/new", data=draft())
    assert made.status_code == 303
    page = manager.get(made.headers["location"])
    assert "3 captions × 2 metrics = 6 items" in text_of(page) and "Make link for raters" in page.text
    linked = manager.post(f"{made.headers['location']}/links", data={"codes": ""})
    (address,) = re.findall(rf'value="({ADDRESS}/r/[^"]+)"', linked.text)
    assert manager.get(address).status_code == 200
    (study,) = birds.repository.studies.all()
    assert (study.design.raters_per_item, study.design.criteria, study.state) == (2, ("consistency",), "running")
    assert [one.deed for one in birds.repository.audit.all()] == ["study made", "study link made"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"name": "there"}, "A study named &#39;there&#39; already exists"),
        ({"name": " "}, "A study needs a name"),
        ({"size": "9"}, "too few samples"),
        ({"size": "many"}, "size: expected a whole number"),
        ({"criteria": []}, "Choose at least one criterion"),
        ({"metrics": [], "has_metrics": "1"}, "Choose at least one metric"),
    ],
)
def test_a_wrong_study_is_refused_where_it_is_asked_for(
    birds: Workplace, manager: TestClient, change: dict[str, object], why: str
) -> None:
    make_study(birds, "there")
    answer = manager.post("/studies/new", data=draft(**change))
    assert answer.status_code == 400 and why in answer.text and "<h1>New study</h1>" in answer.text
    assert manager.post("/studies/new", data=draft(state="")).status_code == 422  # no button was clicked
    assert len(birds.repository.studies.all()) == 1


def test_settings_and_states_change_with_the_stamp_that_the_page_had(birds: Workplace, manager: TestClient) -> None:
    study = make_study(birds, "kept")
    here = f"/studies/{study.id}"
    stamp = stamp_of(manager.get(here))
    settings = {"stamp": stamp, "deadline": "2030-01-02T03:04", "hold_hours": "2", "contact": "a@b.example"}
    refused = manager.post(f"{here}/settings", data=settings | {"hold_hours": "-3"})
    assert refused.status_code == 400 and 'value="-3"' in refused.text and 'value="a@b.example"' in refused.text
    assert "are saved." in manager.post(f"{here}/settings", data=settings, follow_redirects=True).text
    again = manager.post(f"{here}/settings", data=settings | {"contact": "other"})
    assert again.status_code == 409 and "changed the same settings meanwhile" in again.text
    design = birds.repository.studies.get(study.id).design
    assert f"{design.deadline:%Y-%m-%d %H:%M}" == "2030-01-02 03:04"
    assert (design.hold_hours, design.contact, design.new_raters) == (2, "a@b.example", False)  # the box was not ticked
    paused = {"stamp": stamp_of(manager.get(here)), "state": "paused"}
    assert manager.post(f"{here}/state", data=paused).status_code == 303
    assert "Resume study" in manager.get(here).text
    entry = {"stamp": stamp_of(manager.get(here)), "consent": "We keep your answers.", "before": "Old? = yes / no!"}
    assert manager.post(f"{here}/entry", data=entry | {"before": "Age? = 9..1"}).status_code == 400
    assert manager.post(f"{here}/entry", data=entry).status_code == 303


def test_raters_are_watched_excluded_and_erased(birds: Workplace, manager: TestClient) -> None:
    study = make_study(birds, "watched", metrics=METRICS[:1], raters_per_item=1, size=1)
    here, repository = f"/studies/{study.id}", birds.repository
    answer_all(repository, study, repository.raters.add("K7"))
    seen = text_of(manager.get(f"{here}/progress"))
    assert "1 of 1 item rating by 1 rater " in seen and "K7" in seen
    assert "Close study" in manager.get(here).text
    assert "Done: 1 of 1 item." in (page := text_of(manager.get(f"{here}/raters/K7"))) and "factuality 3" in page
    manager.post(f"{here}/raters/K7/exclude", data={"reason": f"fast {HOSTILE}"[:200]})
    assert "Include again" in manager.get(f"{here}/raters/K7").text and HOSTILE not in manager.get(here).text
    manager.post(f"{here}/raters/K7/include")
    assert re.search(r"Return key of K7: <strong>\w+", manager.post(f"{here}/raters/K7/key").text)
    assert manager.post(f"{here}/raters/K7/erase", data={"typed": "K8"}).status_code == 400
    assert manager.post(f"{here}/raters/K7/erase", data={"typed": "K7"}).status_code == 303
    assert "K7" not in manager.get(here).text and manager.get(f"{here}/raters/K7").status_code == 404


def test_a_skipped_item_counts_alike_on_each_page_and_command(
    birds: Workplace, manager: TestClient, capsys: pytest.CaptureFixture[str]
) -> None:
    study, rater = make_study(birds, "skips", metrics=METRICS[:1], size=3), birds.repository.raters.add("K7")
    first, *others = birds.repository.desk.queue(study.id, rater, 1, 20).items
    birds.repository.save(rater, [rating(item, criterion) for item in others for criterion in CRITERIA])
    skip = {"reason": "broken_picture", "words": "", "skip": True}
    birds.repository.save(rater, [Save(key="skip-item-1", assignment=first.id, kind="report", age_ms=0, said=skip)])
    assert "2 of 3" in text_of(manager.get("/studies"))
    for path in (f"/studies/{study.id}", f"/studies/{study.id}/progress"):
        assert "2 of 3 item ratings , 1 skipped" in text_of(manager.get(path))
    assert "Done: 3 of 3 items, 1 skipped or reassigned." in text_of(manager.get(f"/studies/{study.id}/raters/K7"))
    run = command_line(birds.data_dir, capsys)
    assert "  K7: 2 of 3, 1 skipped\n" in run("study", "list").out


def test_a_study_is_copied_and_deleted_by_its_name(birds: Workplace, manager: TestClient) -> None:
    study = make_study(birds, "first")
    copied = manager.post(f"/studies/{study.id}/copy", data={"name": "second"})
    assert "second" in manager.get(copied.headers["location"]).text
    assert manager.post(f"/studies/{study.id}/delete", data={"name": "second"}).status_code == 400
    assert manager.post(f"/studies/{study.id}/delete", data={"name": "first"}).status_code == 303
    assert [one.name for one in birds.repository.studies.all()] == ["second"]


def test_gold_items_are_proposed_approved_and_retired(
    workplace: Workplace, api_of: Callable[..., FastAPI], tmp_path: Path
) -> None:
    import_rows(workplace, tmp_path / "files", rows(12, ("ZorkScore",)))
    study = make_study(workplace, "gold", size=4)
    client = TestClient(api_of(workplace, Judge(workplace)), base_url=ADDRESS, headers={"origin": ADDRESS})
    here = f"/studies/{study.id}/gold"
    proposed = re.findall(r'name="item" value="([^"]+)"', client.get(here, params={"making": "turned"}).text)
    client.post(here, data={"item": proposed[:2]})
    (first, _) = workplace.repository.gold.all(study.id)
    client.post(f"{here}/{first.item}/retire")
    assert [one.retired_at is None for one in workplace.repository.gold.all(study.id)] == [False, True]
    assert client.post(here, data={"item": ["turned:x:1"]}).status_code == 400


def test_platform_links_carry_the_codes_of_every_end(birds: Workplace, manager: TestClient) -> None:
    study = make_study(birds, "sent")
    asked = {"name": "Prolific", "person": "PROLIFIC_PID", "done_code": "C1", "full_address": "https://p.example/full"}
    page = manager.post(f"/studies/{study.id}/panel-links", data=asked)
    assert "PROLIFIC_PID={{%PROLIFIC_PID%}}" in page.text
    (link,) = birds.repository.links.of_study(study.id)
    panel = link.panel
    assert panel is not None and panel.ends["done"].code == "C1"
    assert panel.ends["full"].address == asked["full_address"]
    assert manager.post(f"/studies/{study.id}/links/{link.id}/close").status_code == 303

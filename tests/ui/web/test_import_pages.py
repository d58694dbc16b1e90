"""Data come in by the pages: files, guessed columns, the import, rows with errors, and the new data set."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from tests.file_server import serving_files
from tests.published_copies import mirrored
from tests.wait_until import wait_until
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace
from ui.settings import Settings

ADDRESS = "http://127.0.0.1"
SURVEY = "file;text;human\r\n" + "".join(f"b{n}.jpg;A dog, number {n}.;{n % 5 + 1}\r\n" for n in range(1, 9))


@pytest.fixture
def manager(workplace: Workplace, api_of: Callable[..., FastAPI]) -> TestClient:
    return TestClient(
        api_of(workplace, Judge(workplace)), base_url=ADDRESS, headers={"origin": ADDRESS, "x-capscope": "1"}
    )


def sent(manager: TestClient, text: str, name: str = "survey.csv") -> str:
    """Send a file; returns the address of the page about its columns."""
    key = manager.post("/api/imports").json()["id"]
    answer = manager.put(f"/api/imports/{key}/files", params={"name": name}, content=text.encode())
    return f"/studies/import/{key}?file={answer.json()['name']}"


def ended(manager: TestClient, run: str) -> str:
    wait_until(lambda: "data-read" not in manager.get(run).text, "the import to end")
    return manager.get(run).text


def form_of(page: str) -> dict[str, list[str]]:
    """Return what the form of a page would send."""
    values: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', page):
        values.setdefault(name, []).append(value)
    for name, inside in re.findall(r'<select id="[^"]+" name="([^"]+)">(.*?)</select>', page):
        chosen = re.findall(r'<option(?: value="([^"]*)")? selected>([^<]*)', inside)
        values[name] = [chosen[0][0] or chosen[0][1]] if chosen else [""]
    for name, value in re.findall(r'<input (?:class="short" )?(?:id="[^"]+" )?name="(\w+)"[^>]* value="([^"]*)"', page):
        values.setdefault(name, [value])
    return values


def test_a_table_with_other_names_is_guessed_and_imported(workplace: Workplace, manager: TestClient) -> None:
    columns = sent(manager, SURVEY)
    page = manager.get(columns).text
    assert "A dog, number 1." in page and 'value="survey"' in page
    extra = manager.get(sent(manager, "file,text,human,MyMetric\na.jpg,A dog.,0.5,0.7\n")).text
    assert "Not read: MyMetric. Columns of scores are named" in extra and "Not read" not in page
    run = manager.post(columns.partition("?")[0], data=form_of(page), follow_redirects=False)
    assert run.status_code == 303
    assert "8 captions imported into survey" in ended(manager, run.headers["location"])
    (dataset,) = workplace.repository.samples.datasets()
    assert (dataset.name, dataset.samples) == ("survey", 8)
    assert "survey" in manager.get("/studies/new?dataset=survey").text


def test_rows_with_errors_stop_the_import_until_they_are_skipped(workplace: Workplace, manager: TestClient) -> None:
    columns = sent(manager, SURVEY + "b9.jpg;A cat.;much\r\n")
    run = manager.post(columns.partition("?")[0], data=form_of(manager.get(columns).text), follow_redirects=False)
    page = ended(manager, run.headers["location"])
    assert "Not imported" in page and "Import the rows without errors" in page
    assert workplace.repository.samples.datasets() == ()
    again = manager.post(columns.partition("?")[0], data=form_of(page), follow_redirects=False)
    assert "8 captions imported" in ended(manager, again.headers["location"])


def test_what_cannot_be_read_is_said_on_the_page(manager: TestClient) -> None:
    columns = sent(manager, "\x00\x01 not a table", "odd.csv")
    page = manager.get(columns)
    assert page.status_code in (200, 400) and "disabled" in page.text
    form = {"file": "odd.csv", "format": "csv"}
    run = manager.post(columns.partition("?")[0], data=form, follow_redirects=False)
    failed = ended(manager, run.headers["location"])
    assert "Not imported" in failed and "Import the rows without errors" not in failed
    assert manager.get("/studies/import/unknown?file=a.csv").status_code in (400, 404)


def test_published_data_are_fetched_and_imported_by_one_button(
    workplace: Workplace, api_of: Callable[..., FastAPI], shared_dir: Path
) -> None:
    with serving_files(mirrored(shared_dir / "data")) as mirror:
        api = api_of(workplace, Judge(workplace), Settings(mirror=mirror.url))
        page = TestClient(api, base_url=ADDRESS, headers={"origin": ADDRESS})
        assert "/studies/published/thumb" in page.get("/studies/published").text
        run = page.post("/studies/published/thumb", follow_redirects=False)
        assert "captions imported into thumb" in ended(page, run.headers["location"])
    (dataset,) = workplace.repository.samples.datasets()
    assert dataset.name == "thumb"
    assert page.post("/studies/published/nothing", follow_redirects=False).status_code == 404

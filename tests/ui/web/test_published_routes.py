"""Published data by the page: for the owner and admins, in a process of its own, with progress and cancelling."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi.testclient import TestClient

from core.datasets.published_files import PUBLISHED, published_named
from core.network import Downloads, Network
from tests.file_server import FileServer, serving_files
from tests.published_copies import mirrored
from tests.ui.conftest import client_of
from ui.services.importing import uploaded_import
from ui.services.importing.import_job import ImportJob, ImportRequest
from ui.services.importing.published import stored_path
from ui.services.importing.uploading import Bringing
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace
from ui.web.access.route_table import TABLE

(THUMB,) = published_named("thumb")


@pytest.fixture
def server() -> Iterator[FileServer]:
    with serving_files({}) as held:
        yield held


@pytest.fixture
def bringing(workplace: Workplace, server: FileServer, quick_imports: None) -> Iterator[Bringing]:
    made = Bringing(workplace, None, downloads=Downloads(mirror=server.url, timeout_s=30))
    yield made
    made.close()


@pytest.fixture
def asking(workplace: Workplace, bringing: Bringing, api_of: Callable[..., Any]) -> TestClient:
    return client_of(api_of(workplace, Judge(workplace), bringing=bringing))


def fetched(asking: TestClient, bringing: Bringing, name: str) -> Any:
    """Fetch data and wait for the end."""
    key = asking.post(f"/api/published/{name}").json()["id"]
    bringing._working.submit(int).result()
    return asking.get(f"/api/imports/{key}").json()


def test_the_list_has_every_row_with_size_licence_and_citation(asking: TestClient) -> None:
    listed = asking.get("/api/published").json()
    assert [one["name"] for one in listed] == [data.name for data in PUBLISHED]
    assert all(one["licence"] and one["citation"] and one["state"] == "absent" for one in listed)


def test_data_come_in_by_the_page_with_progress_citation_and_log(
    asking: TestClient, bringing: Bringing, server: FileServer, workplace: Workplace, shared_dir: Path
) -> None:
    server.files |= mirrored(shared_dir / "data")
    ended = fetched(asking, bringing, "thumb")
    assert (ended["state"], ended["result"]["dataset"], ended["result"]["samples_added"]) == ("done", "thumb", 2_500)
    assert any(note.startswith("Please cite: Kasai et al. (2022)") for note in ended["result"]["notes"])
    assert stored_path(workplace.data_dir, THUMB, THUMB.files[0]).is_file()
    states = {one["name"]: one["state"] for one in asking.get("/api/published").json()}
    assert states["thumb"] == "imported" and states["nebula"] == "absent"
    deeds = [(one.deed, one.object) for one in workplace.repository.audit.newest(10)]
    assert ("published data fetched", "published data thumb") in deeds
    assert ("data imported", "data set thumb, from published data") in deeds


def test_a_failure_tells_the_page_what_to_fetch_by_hand(asking: TestClient, bringing: Bringing) -> None:
    ended = fetched(asking, bringing, "nebula")
    assert ended["state"] == "failed" and "(404). Nothing of nebula was imported." in ended["problem"]
    assert "https://raw.githubusercontent.com/hjkim811/EXPERT/" in ended["problem"]


def test_a_running_download_can_be_cancelled(
    asking: TestClient, bringing: Bringing, server: FileServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploaded_import, "PATIENCE_S", 0.1)
    path = THUMB.address(THUMB.files[0], server.url).removeprefix(server.url)
    server.files[path] = b"x" * 10
    server.silent.add(path)
    key = asking.post("/api/published/thumb").json()["id"]
    assert server.was_asked.wait(30)
    asking.post(f"/api/imports/{key}/cancel")
    bringing._working.submit(int).result()
    ended = asking.get(f"/api/imports/{key}").json()
    assert (ended["state"], ended["problem"]) == ("cancelled", "The import was cancelled. Nothing was imported.")


@pytest.mark.parametrize("name", ["polaris-exp", "all", "..", "x" * 65, "%2e%2e%2fetc"])
def test_only_a_name_of_the_list_is_fetched(asking: TestClient, server: FileServer, name: str) -> None:
    assert asking.post(f"/api/published/{name}").status_code in (404, 422)
    assert server.asked == []


def test_only_admins_may_fetch() -> None:
    of_admins = {(route.method, route.path) for route in TABLE["admin"]}
    assert {("GET", "/api/published"), ("POST", "/api/published/{name}")} <= of_admins


def test_a_job_survives_its_pipe_with_proxy_and_certificates(tmp_path: Path) -> None:
    network = Network(tmp_path / "ca.pem", "http://ann:secret@proxy:3128", ("gpu", "lab.example"))
    downloads = Downloads(network, "http://mirror", 7)
    job = ImportJob(tmp_path, ImportRequest(()), False, tmp_path, None, "ann", "thumb", downloads)
    assert ImportJob.of_json(json.loads(json.dumps(job.as_json()))) == job

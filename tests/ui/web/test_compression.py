"""What is large and no picture goes out compressed to whoever accepts that."""

import httpx
import pytest
from fastapi.testclient import TestClient

from ui.web.files.bundles import app_files

FILES = app_files()


def fetched(client: TestClient, path: str, accepts: str = "gzip") -> httpx.Response:
    answer = client.get(path, headers={"accept-encoding": accepts})
    assert answer.status_code == 200, answer.text
    return answer


@pytest.mark.parametrize(
    "path", [FILES.address("analyse/page.js"), FILES.address("shared/style.css"), "/api/samples?dataset=birds", "/rate"]
)
def test_scripts_styles_lists_and_pages_are_compressed(client: TestClient, path: str) -> None:
    answer = fetched(client, path)
    assert answer.headers["content-encoding"] == "gzip" and "content-security-policy" in answer.headers
    assert answer.content == fetched(client, path, "identity").content


def test_pictures_and_rating_are_left_as_they_are(client: TestClient, rater: TestClient) -> None:
    [sample, *_] = [one for one in fetched(client, "/api/samples").json()["samples"] if one["image"]]
    for who, path in ((client, sample["image"]), (client, f"{sample['image']}/small"), (rater, "/api/rate/session")):
        assert "content-encoding" not in who.get(path, headers={"accept-encoding": "gzip"}).headers

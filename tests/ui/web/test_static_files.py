"""Scripts and styles: of one version at a time, cached for good, nothing else served."""

from pathlib import Path

import pytest
from fastapi.testclient import TestClient

from ui.web.files.bundles import app_files
from ui.web.files.static_files import FOR_GOOD, StaticFiles

FILES = app_files()


def make(folder: Path, **texts: str) -> StaticFiles:
    for name, text in texts.items():
        (folder / f"{name}.js").write_text(text)
    return StaticFiles.read(folder)


@pytest.mark.parametrize("name", ["capscope.js", "shared/style.css", "bundles/study.js"])
def test_a_file_of_this_version_is_kept_by_the_browser_for_good(client: TestClient, name: str) -> None:
    answer = client.get(FILES.address(name))
    assert answer.status_code == 200 and answer.content == FILES.contents[name]
    assert answer.headers["cache-control"] == FOR_GOOD
    assert answer.headers["content-type"].split(";")[0] in ("text/javascript", "text/css")


@pytest.mark.parametrize("path", ["000000000000/capscope.js", "capscope.js", "{}/../capscope.js", "{}/none.js", "{}"])
def test_a_file_of_another_version_is_not_found_and_is_not_kept(client: TestClient, path: str) -> None:
    answer = client.get("/capscope/" + path.format(FILES.version))
    assert answer.status_code == 404
    assert FOR_GOOD not in answer.headers.get("cache-control", "")


def test_the_version_follows_every_content_and_every_name(tmp_path: Path) -> None:
    first = make(tmp_path, page="import 1", item="2")
    (tmp_path / "secret.key").write_text("x")
    assert StaticFiles.read(tmp_path).version == first.version and first.contents["page.js"] == b"import 1"
    (tmp_path / "page.js").write_text("import 3")
    second = StaticFiles.read(tmp_path)
    (tmp_path / "page.js").rename(tmp_path / "other.js")
    assert len({first.version, second.version, StaticFiles.read(tmp_path).version}) == 3

"""The page of the glossary."""

from fastapi.testclient import TestClient

from tests.ui.conftest import Site
from ui.services.glossary import glossary


def test_the_glossary_explains_each_word_at_its_own_anchor(site: Site) -> None:
    page = TestClient(site.app, base_url="http://127.0.0.1").get("/glossary")
    assert page.status_code == 200
    for entry in glossary():
        assert f'<div id="{entry.place}"><dt>{entry.word}</dt>' in page.text
    assert 'id="hice-s"' in page.text and "`" not in page.text

"""Odd requests to Gradio's own routes are refused without a traceback."""

import pytest

from tests.ui.conftest import Site, client_of


@pytest.mark.parametrize("folder", ["/static/", "/assets/", "/svelte/", "/capscope/x/"])
def test_a_file_that_cannot_be_there_is_not_found(site: Site, folder: str) -> None:
    browser = client_of(site.app, raise_server_exceptions=False)
    for name in ("%00", "..%2f..%2fetc%2fpasswd", "../../../../../../etc/passwd"):
        assert browser.get(folder + name, follow_redirects=False).status_code in (400, 403, 404)

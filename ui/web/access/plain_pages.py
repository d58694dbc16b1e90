"""Pages without Gradio: sign-in, People (accounts), and a study behind a link. They load nothing from other hosts."""

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.responses import HTMLResponse

from core.studies.asking.form_words import numbered
from ui.services.tables import cells
from ui.web.files.bundles import PLAIN_PAGES, STUDIES, STUDY
from ui.web.files.head_elements import RETRYING, inline_script, script_hash
from ui.web.files.static_files import StaticFiles

TEMPLATES = Path(__file__).parents[1] / "templates"
_CONTENT_SECURITY_POLICY = (
    "default-src 'none'; script-src 'self' {retrying}; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; "
    "connect-src 'self'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'; object-src 'none'"
)
_HEADERS = {
    # "same-origin" hides the page's address from other sites. "no-referrer" would also hide the origin of forms.
    "referrer-policy": "same-origin",
    "cache-control": "no-store",
}


class PlainPages:
    """The templates, with the values that all templates need."""

    def __init__(self, files: StaticFiles, root: str = "") -> None:
        """Load the templates. root: path prefix of all pages."""
        self.root = root
        self._environment = Environment(loader=FileSystemLoader(TEMPLATES), autoescape=True, undefined=StrictUndefined)
        self._environment.filters |= {"time": _time, "numbered": numbered}
        self._headers = {
            **_HEADERS,
            "content-security-policy": _CONTENT_SECURITY_POLICY.format(retrying=script_hash(files, RETRYING)),
        }
        self._environment.globals |= {
            "root": root,
            "retrying": inline_script(files, RETRYING),
            "file": lambda name: root + files.address(name),
            "plain": PLAIN_PAGES,
            "study_bundle": STUDY,
            "manager": STUDIES,
            "cells": cells,
        }

    def page(self, template: str, status: int = 200, /, **values: Any) -> HTMLResponse:
        """Return a page. Values are escaped as text."""
        return HTMLResponse(self.text(template, **values), status, self._headers)

    def text(self, template: str, /, **values: Any) -> str:
        """Return the text of a page. Values are escaped as text."""
        return self._environment.get_template(f"{template}.html").render(values)

    def words(
        self,
        title: str,
        text: str,
        status: int,
        way: Mapping[str, str] | None = None,
    ) -> HTMLResponse:
        """Return a page with one message.

        way: links to what the reader can do next; key: the link's label, value: its path.
        """
        return self.page("words", status, title=title, text=text, way=way or {})

    def waiting(self, text: str, seconds: int) -> HTMLResponse:
        """Return a page that explains a delay and reloads after the given seconds."""
        return self.page("waiting", text=text, seconds=seconds)


def _time(time: datetime) -> str:
    return f"{time:%Y-%m-%d %H:%M} UTC"

"""What axe finds wrong with a page for people who see, hear or move differently."""

from typing import Any, Literal

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

from tests.browser.conftest import framed

_ASK = "([within, options]) => axe.run(within ?? document, options).then((results) => results.violations)"


OF_COLOURS = ("color-contrast", "link-in-text-block")


def findings(page: Page, *rules: str, within: str | None = None) -> list[str]:
    """Return what is wrong. rules: the only ones that are checked; within: a selector of the part that is."""
    if page.locator("gradio-app").count():
        framed(page)  # which brings landmarks
    if page.evaluate("() => !globalThis.axe"):  # once a page: reading the library takes as long as its judgement
        page.evaluate(f"() => {{ {AXE_SCRIPT} }}")
    options: dict[str, Any] = {"resultTypes": ["violations"]} | ({"runOnly": list(rules)} if rules else {})
    wrong = page.evaluate(_ASK, [within, options])
    return [f"{one['id']}: {node['html'][:200]}" for one in wrong for node in one["nodes"]]


def findings_in_both_colours(page: Page, within: str | None = None) -> list[str]:
    """Return what is wrong with a light page, and what colours alone can change once it is dark.

    within: a selector of the part that is checked.
    """
    colour(page, "light")
    found = findings(page, within=within)
    colour(page, "dark")
    found += findings(page, *OF_COLOURS, within=within)
    colour(page, "light")
    return found


def colour(page: Page, scheme: Literal["light", "dark"]) -> None:
    """Change the colours of an open page with those of the system; a report goes by its style sheet alone."""
    page.emulate_media(color_scheme=scheme)
    if page.url.startswith("http"):
        page.wait_for_function("dark => document.body.classList.contains('dark') === dark", arg=scheme == "dark")

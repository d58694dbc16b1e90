"""Analyse as somebody meets it who wants numbers and figures for a paper, with data as they come."""

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Route, expect

from tests.browser.conftest import Server, with_workplace
from tests.making import import_rows
from ui.services.workplace import Workplace

ERROR = {"kind": "no_score", "message": "The answer held no number."}
LIGHT, DARK = re.compile(r"#ffffff|rgb\(255, ?255, ?255\)"), re.compile(r"#14171b|rgb\(20, ?23, ?27\)")


@pytest.fixture(scope="module")
def odd(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A server with a judged data set, one that nobody judged, and one whose only metric has failed throughout."""
    folder = tmp_path_factory.mktemp("odd")
    running = Server(folder / "data")
    running.data_dir.mkdir()
    judged = [
        {
            "id": f"s{n}",
            "image": f"{n // 2}.jpg",
            "caption": f"Dog {n} runs.",
            "human": (n % 4) / 3,
            "judgements": [1 + n % 4, 1 + n % 4, 1 + (n + n % 3 // 2) % 4],
            "scores": [{"metric": "M", "value": (n * 7 % 30) / 30, "components": {"raw": round((n * 7 % 30) / 30, 1)}}],
        }
        for n in range(30)
    ]
    always = {"metric": "Always", "value": 0.5}  # orders nothing
    mixed = [row | {"scores": [*row["scores"], always]} for row in judged]
    failed = [row | {"scores": [{"metric": "M", "error": ERROR}]} for row in judged]

    unjudged = [row | {"id": f"{part}{row['id']}", "human": None, "judgements": []} for part in "ab" for row in judged]

    def fill(workplace: Workplace) -> None:
        import_rows(workplace, folder, unjudged, "a larger one")
        import_rows(workplace, folder, judged, "judged")
        import_rows(workplace, folder, mixed, "mixed")
        import_rows(workplace, folder, failed, "wholly failed")

    with_workplace(running, fill)
    running.start()
    yield running
    running.stop()


def test_what_comes_of_a_data_set_that_was_left_does_nothing_to_the_next(page: Page, odd: Server) -> None:
    held: list[Route] = []
    page.route("**/api/analyse/points?**", lambda route: held.append(route))
    with page.expect_request("**/api/analyse/points?**"):
        page.goto(f"{odd.url}/analyse?dataset=judged", wait_until="commit")
    page.get_by_label("Data set").select_option("wholly failed")
    expect(page.get_by_text("No caption of wholly failed has a score")).to_be_visible()
    for route in held:
        route.continue_()
    expect(page.locator(".plot .main-svg").first).to_be_attached()
    page.unroute_all()
    page.get_by_label("Data set").select_option("mixed")
    expect(page.get_by_role("region", name="mixed: Kendall’s τ × 100")).to_be_visible()  # and nothing was thrown

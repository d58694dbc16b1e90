"""The Inspect page: what a score cost."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from core.costs import Usage
from core.types import EvaluationError, Outcome, Score
from storage.types import Search
from tests.browser.conftest import Server, with_workplace
from tests.making import import_rows, rows
from ui.services.workplace import Workplace

COUNTED = Usage(1_400, 60)
SCORE = Score("FLEUR", 0.5, "FLEUR|v:1", usage=COUNTED, seconds={"picture": 0.011, "model": 0.689})
SHOWN = "Tokens: 1,400 in prompts, 60 in answers."


@pytest.mark.parametrize(
    ("outcome", "words"),
    [
        (SCORE, f"{SHOWN} Seconds: 0.70 (picture 0.01, model 0.69)."),
        (Score("FLEUR", 0.5, "FLEUR|v:1"), "Tokens: none were counted. Seconds: not measured."),
        (
            EvaluationError("FLEUR", "FLEUR|v:1", "no_score", "No number."),
            "Tokens: none were counted. Seconds: not measured.",
        ),
    ],
)
def test_a_scores_details_say_what_it_cost(
    server: Server, page: Page, tmp_path: Path, outcome: Outcome, words: str
) -> None:
    name = tmp_path.name  # the server is shared

    def store(workplace: Workplace) -> int:
        import_rows(workplace, tmp_path, [row | {"scores": []} for row in rows(1)], name)
        (first,) = workplace.repository.samples.ids(Search(name))
        workplace.repository.scores.save(first, outcome)
        return first

    page.goto(f"{server.url}/inspect?sample={with_workplace(server, store)}")
    page.locator("summary", has_text="Signatures and costs").click()
    expect(page.locator("[data-of=FLEUR] .cost")).to_have_text(words)

"""What a score's details say about its cost."""

from pathlib import Path

from playwright.sync_api import Page, expect

from core.costs import Usage
from core.types import EvaluationError, Score
from storage.types import Search
from tests.browser.conftest import SLOW_MS, Server, framed, with_workplace
from tests.making import import_rows
from ui.services.workplace import Workplace

SIGNATURE = "CLIPScore|v:1"
COST = {"usage": Usage(1_400, 60), "seconds": {"picture": 0.011, "model": 0.689}}
UNKNOWN = "Tokens: none were counted. Seconds: not measured."
# Each score, its cost in words, and a text of its card.
SCORES = (
    (
        Score("CLIPScore", 1.0, SIGNATURE, (0, 2.5), {}, **COST),
        "Tokens: 1,400 in prompts, 60 in answers. Seconds: 0.70 (picture 0.01, model 0.69).",
        "of 2.5",
    ),
    (EvaluationError("CLIPScore", SIGNATURE, "no_score", "No number."), UNKNOWN, "No number."),
)


def test_a_card_says_what_a_score_cost(page: Page, own_server: Server, tmp_path: Path) -> None:
    def store(workplace: Workplace) -> list[int]:
        rows = [{"image": f"{n}.jpg", "caption": f"caption {n}", "human": 0.5} for n in range(len(SCORES))]
        import_rows(workplace, tmp_path, rows, "cut")
        samples = list(workplace.repository.samples.ids(Search("cut")))
        for sample, (outcome, *_) in zip(samples, SCORES, strict=True):
            workplace.repository.scores.save(sample, outcome)
        return samples

    card = page.locator("[data-metric=CLIPScore]")
    for sample, (_, cost, told) in zip(with_workplace(own_server, store), SCORES, strict=True):
        page.goto(f"{own_server.url}/inspect?sample={sample}")
        framed(page)
        expect(card).to_contain_text(told, timeout=SLOW_MS)
        page.locator("summary", has_text="Signatures and costs").click()
        expect(page.locator("[data-of=CLIPScore] .cost")).to_have_text(cost)

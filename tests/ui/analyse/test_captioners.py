"""The section Captioners and the command `systems`: tables, and words where there is nothing."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from core.analysis.slices import Slice
from core.datasets.base import Record
from core.types import EvaluationError, ImageRef, Score
from tests.command_line import command_line
from tests.ui.conftest import ADDRESS, WRITE
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace

NAMES = ("blip", "human", "vinvl <b>")


def add(workplace: Workplace, records: Iterable[Record], dataset: str = "drawn") -> None:
    every = [*records]
    workplace.repository.add_records(dataset, every, {one.image: ImageRef(one.image) for one in every}, pytest.fail)


def caption(number: int, system: str | None, human: float | None, value: float | None) -> Record:
    failed = EvaluationError("M", "M", "no_score", "no number")
    scores = (failed if value is None else Score("M", value, "M"),)
    key, image = f"{number}/{system}", f"{number}.jpg"
    return Record(Path("f"), 1, image, f"by {system} {number}", key=key, human=human, scores=scores, system=system)


def judged(systems: Iterable[str | None] = NAMES, images: int = 12) -> list[Record]:
    return [
        caption(number, system, (place % 4 + number % 3) / 6, (number * 5 % 7 + 2 * (place % 4)) / 12)
        for number in range(images)
        for place, system in enumerate(systems)
    ]


@pytest.fixture
def ask(workplace: Workplace, api_of: Callable[[Workplace, Judge], FastAPI]) -> Callable[..., Any]:
    client = TestClient(api_of(workplace, Judge(workplace)), base_url=ADDRESS, headers=WRITE)

    def asked(dataset: str = "drawn", metric: tuple[str, ...] = ("M",), expected: int = 200, **query: Any) -> Any:
        answer = client.get("/api/analyse/captioners", params={"dataset": dataset, "metric": metric, **query})
        assert answer.status_code == expected, answer.text
        return answer.json()

    return asked


def test_the_table_ranks_captioners_by_people_and_by_each_score(workplace: Workplace, ask: Callable[..., Any]) -> None:
    add(workplace, judged())
    found = ask()
    rows = found["captioners"]["rows"]
    assert [row["captioner"] for row in rows] == ["vinvl <b>", "human", "blip"]
    assert [row["ranks"]["people"] for row in rows] == [1, 2, 3]
    assert [row["means"]["people"] for row in rows] == pytest.approx([0.5, 1 / 3, 1 / 6])
    assert rows[0]["lows"]["M"] < rows[0]["means"]["M"] < rows[0]["highs"]["M"]
    (agreed,) = found["agreement"]["rows"]
    assert (agreed["label"], agreed["captioners"], agreed["images"], agreed["spearman"]) == ("M", 3, 12, 100)
    assert "12 images" in found["remarks"][0]


def test_without_judgements_metrics_still_rank_captioners(workplace: Workplace, ask: Callable[..., Any]) -> None:
    add(workplace, [caption(n, system, None, n / 10) for n in range(5) for system in NAMES])
    found = ask()
    assert list(found["captioners"]["rows"][0]["ranks"]) == ["M"]
    assert found["agreement"]["rows"] == []


def test_without_metrics_people_still_rank_captioners(workplace: Workplace, ask: Callable[..., Any]) -> None:
    add(workplace, judged())
    assert list(ask(metric=())["captioners"]["rows"][0]["ranks"]) == ["people"]


def test_missing_scores_and_judgements_take_their_images_out(workplace: Workplace, ask: Callable[..., Any]) -> None:
    add(workplace, [*judged(images=8), *(caption(9, system, None, None) for system in NAMES)])
    found = ask()
    assert {row["images"] for row in found["agreement"]["rows"]} == {8}
    assert {row["captions"] for row in found["captioners"]["rows"]} == {9}


@pytest.mark.parametrize(
    ("systems", "words"),
    [
        ((None,), "No caption here has a captioner"),
        (("vinvl", None), "are by vinvl. A comparison needs two"),
        (tuple(f"model {n}" for n in range(51)), "at most 50 can be compared"),
    ],
)
def test_data_that_cannot_be_compared_get_a_sentence(
    workplace: Workplace, ask: Callable[..., Any], systems: tuple[str | None, ...], words: str
) -> None:
    add(workplace, judged(systems, 1))
    refusal = ask(expected=400)
    assert refusal["kind"] == "bad_request" and words in refusal["detail"]


def test_a_slice_narrows_the_comparison(workplace: Workplace, ask: Callable[..., Any]) -> None:
    add(workplace, judged())
    workplace.repository.slices.save("drawn", Slice("one", system="human"))
    assert "are by human" in ask(expected=400, slice="one")["detail"]


def test_by_category_has_a_table_of_captioners(workplace: Workplace, ask: Callable[..., Any]) -> None:
    from ui.services.analysis.analyst import Analyst
    from ui.services.analysis.categories import by_category
    from ui.services.analysis.metric_agreement import AgreementDesk

    add(workplace, judged())
    analyst = Analyst(workplace)
    tables = {table.title: table for table in by_category(analyst, AgreementDesk(analyst), "drawn", ["M"], None)}
    assert [row.category for row in tables["By captioner"].rows] == sorted(NAMES)


def test_the_command_prints_tables_latex_and_json(workplace: Workplace, capsys: pytest.CaptureFixture[str]) -> None:
    add(workplace, judged())
    run = command_line(workplace.data_dir, capsys)
    printed = run("systems", "drawn")
    assert "vinvl <b>" in printed.out and "12 images" in printed.err
    assert "\\begin{" in run("systems", "drawn", "--latex").out
    assert len(run("systems", "drawn", "--metric", "M", "--json").json["captioners"]["rows"]) == 3
    assert "No caption here has a captioner" in run("systems", "judged").err


def test_a_report_compares_captioners_where_two_are_known(
    workplace: Workplace, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    add(workplace, judged())
    add(workplace, judged(("blip",)), "alone")
    run = command_line(workplace.data_dir, capsys)
    for dataset in ("drawn", "alone"):
        assert run("report", "--dataset", dataset, "--to", f"{tmp_path}/{dataset}.html").code == 0
    page = (tmp_path / "drawn.html").read_text(encoding="utf-8")
    assert "Captioners by score" in page
    assert "vinvl &lt;b&gt;" in page and "vinvl <b>" not in page
    assert "Captioners" not in (tmp_path / "alone.html").read_text(encoding="utf-8")

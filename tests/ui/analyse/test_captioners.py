"""The section Captioners and the command `systems`: tables, curves, battles, and words where there is nothing."""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from core.analysis.slices import Slice
from core.datasets.base import Record
from core.types import EvaluationError, ImageRef, Pair, Score
from tests.command_line import command_line
from tests.ui.conftest import ADDRESS, WRITE
from ui.services.scoring.judging import Judge
from ui.services.workplace import Workplace

NAMES = ("blip", "human", "vinvl <b>")


def add(workplace: Workplace, records: Iterable[Record], dataset: str = "drawn") -> None:
    every = [*records]
    workplace.repository.add_records(dataset, every, {one.image: ImageRef(one.image) for one in every}, pytest.fail)


def caption(number: int, system: str | None, human: float | None, value: float | None, **more: Any) -> Record:
    failed = EvaluationError("M", "M", "no_score", "no number")
    scores = (failed if value is None else Score("M", value, "M"),)
    key, image = f"{more.get('pair') and more['pair'].key or number}/{system}", f"{number}.jpg"
    return Record(
        Path("f"), 1, image, f"by {system} {number}", key=key, human=human, scores=scores, system=system, **more
    )


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
    assert [row["label"] for row in found["stability"]["rows"]] == ["people", "M"]
    assert all(curve["chances"] == sorted(curve["chances"]) for curve in found["curves"])
    assert found["battles"]["rows"] == found["levels"]["rows"] == []
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
    assert {row["images"] for row in found["stability"]["rows"]} == {8}
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


def battle(number: int, one: str, other: str, preferred: int | None, value: float) -> list[Record]:
    level = f"level {1 + number % 2}"
    return [
        caption(number, system, None, abs(value - place), pair=Pair(f"b{number}", place, preferred, level))
        for place, system in enumerate((one, other))
    ]


def test_battles_give_elo_ratings_and_agreement_by_level(workplace: Workplace, ask: Callable[..., Any]) -> None:
    made = [battle(n, *(("a", "b"), ("b", "c"), ("a", "c"))[n % 3], 0, 0.9 if n % 4 else 0.1) for n in range(24)]
    made += [battle(30 + n, "human", "a", 0, 0.9) for n in range(3)]
    add(workplace, [record for pair in made for record in pair])
    found = ask()
    rows = {row["captioner"]: row for row in found["battles"]["rows"]}
    assert rows["human"]["ranks"]["M"] is None  # metrics do not judge battles of "human"
    assert rows["a"]["means"]["people"] > rows["b"]["means"]["people"] > rows["c"]["means"]["people"]
    assert [(row["level"], row["n"]) for row in found["levels"]["rows"]] == [
        ("overall", 24), ("level 1", 12), ("level 2", 12),
    ]  # fmt: skip
    assert found["levels"]["rows"][0]["accuracy"] == pytest.approx(75)
    (agreed,) = found["battle_agreement"]["rows"]
    assert (agreed["captioners"], agreed["spearman"]) == (3, 100)
    assert any("CapArena" in remark for remark in found["remarks"])


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
    assert "Captioners by score" in page and "How stable each ranking is" in page
    assert "vinvl &lt;b&gt;" in page and "vinvl <b>" not in page
    assert "Captioners" not in (tmp_path / "alone.html").read_text(encoding="utf-8")

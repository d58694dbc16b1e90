"""Every section of Analyse beside a plain reading of the same thirty-two samples, by route, file and command."""

import csv
import io
import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from fastapi.testclient import TestClient
from scipy.stats import kendalltau

import capscope
from core.datasets.base import Record
from core.types import ImageRef, Pair, Score
from tests.command_line import command_line
from tests.pages import blocks
from tests.ui.analyse.asking import OF, exact, members, refused, save, section, table
from ui.services import analysis
from ui.services.analysis.section import Found, Section
from ui.services.tables import Table, number
from ui.services.workplace import Workplace

M = {n: (n * 7 % 30) / 30 for n in range(30)}  # what the fixtures hold, on [0, 1]
N = {n: n % 5 / 8 for n in range(32)}
HUMAN = {n: n % 4 / 3 for n in range(30)} | {31: 0.0}


def add(workplace: Workplace, records: Iterable[Record], dataset: str) -> None:
    every = [*records]
    workplace.repository.add_records(dataset, every, {one.image: ImageRef(one.image) for one in every}, pytest.fail)


def scored(number: int, human: float | None, *, judgements: tuple[float, ...] = (), **more: Any) -> Record:
    scores = (Score("M", number % 7 / 7, "M"), Score("N", number % 5 / 5, "N"))
    return Record(
        Path("f"), 1, f"{number}.jpg", f"caption {number} {more.get('system')}", key=f"{number}/{more.get('system')}",
        human=human, judgements=judgements, scores=more.pop("scores", scores), **more,
    )  # fmt: skip


def test_agreement_is_scipys_and_counts_every_caption_once(client: TestClient) -> None:
    found = section(client, "agreement", metric=["M", "N"])
    rows, numbers = table(found, "τ × 100"), exact(found, "τ × 100")
    assert [(row["metric"], row["variant"], row["captions"]) for row in rows] == [
        ("M", "smoothed", "30"), ("M", "raw", "30"), ("N", "", "31"),
    ]  # fmt: skip
    score, human = zip(*((M[n], HUMAN[n]) for n in M), strict=True)
    for letter in "bc":
        assert numbers[0][f"τ-{letter}"] == pytest.approx(100 * kendalltau(score, human, variant=letter).statistic)
    compared = table(found, "agrees better")
    assert {row["metrics"] for row in compared} == {"M − N", "M smoothed − M raw"}
    assert "Each caption counts once, with the mean of its human judgements: 31 captions" in " ".join(found["notes"])


def test_rows_without_single_judgements_are_not_dropped(client: TestClient, workplace: Workplace) -> None:
    mixed = [scored(n, n % 4 / 3, judgements=(1.0, 2.0) if n < 12 else ()) for n in range(20)]
    add(workplace, mixed, "mixed")
    add(workplace, [scored(n, n % 4 / 3) for n in range(20)], "means")
    taus = [table(section(client, "agreement", dataset=name), "τ × 100") for name in ("mixed", "means")]
    assert taus[0] == taus[1] and taus[0][0]["captions"] == "20"
    found = section(client, "agreement", dataset="mixed", rule="flickr8k-expert")
    assert "8 judged captions have no single judgements" in " ".join(found["notes"])


def test_a_rule_of_single_judgements_counts_judgements(client: TestClient) -> None:
    rows = table(section(client, "agreement", metric="M", rule="flickr8k-expert"), "τ × 100")
    assert rows[0]["judgements"] == "90"


def test_both_ends_of_a_slice_count_and_slices_by_judgement_or_error_warn(client: TestClient) -> None:
    save(client, "good", human={"low": 2 / 3 - 1e-9, "high": 1})
    assert members(client, "good") == sum(h > 0.6 for h in HUMAN.values())
    assert "narrow range of judgements" in " ".join(section(client, "agreement", slice="good")["notes"])
    square = [[0.2, -0.1], [0.75, -0.1], [0.75, 0.5], [0.2, 0.5]]
    save(client, "good", lasso={"x": "M", "y": None, "corners": square})  # replaces the slice of this name
    assert members(client, "good") == sum(0.2 < M[n] < 0.75 and HUMAN[n] < 0.5 for n in M)
    assert "follows from the selection" in " ".join(section(client, "agreement", slice="good")["notes"])


def test_largest_errors_are_those_of_a_plain_reading(client: TestClient) -> None:
    found = section(client, "errors", metric="M", errors="plain")
    expected = sorted((abs(M[n] - HUMAN[n]) for n in M), reverse=True)
    assert found["total"] == 30 and len(found["extra"]["keys"]) == 25
    assert [abs(row["Δ"]) for row in exact(found, "Largest errors")] == pytest.approx(expected[:25])
    assert table(found, "Largest errors")[0].keys() >= {"human, own scale", "human, 0–1", "M, 0–1"}
    assert [control["name"] for control in found["controls"]] == ["metric", "errors"]
    assert section(client, "errors", metric="M")["controls"][1]["value"] == "rank"  # comparable over metrics


def test_samples_are_listed_by_how_far_two_scores_differ(client: TestClient) -> None:
    found = section(client, "pair", first="M", second="N", errors="plain")
    gaps = {n: abs(M[n] - N[n]) for n in M if M[n] != N[n]}
    assert found["total"] == len(gaps) + 1  # the thirty-first has M 0.5 and N 0.25
    assert exact(found, "Samples by")[0]["difference"] == pytest.approx(max(gaps.values()))
    near = exact(found, "closer to human")
    assert near[0]["right, %"] == pytest.approx(100 * np.mean([abs(M[n] - HUMAN[n]) < 0.25 for n in M]))
    assert near[2]["mean |error|"] == pytest.approx(np.mean([abs(M[n] - HUMAN[n]) - abs(N[n] - HUMAN[n]) for n in M]))


def test_categories_distributions_and_people(client: TestClient) -> None:
    found = section(client, "categories", metric="M")
    rows = exact(found, "By human level")
    assert rows[0]["mean error"] == pytest.approx(np.mean([M[n] for n in M if n % 4 == 0]))
    found = section(client, "distributions", metric=["M", "N"])
    assert exact(found, "Distributions")[0]["mean"] == pytest.approx(np.mean([*M.values(), 0.5]))
    assert [row["errors"] for row in table(found, "Mean errors")[:3]] == ["as they are", "by rank", "calibrated"]
    assert {figure["title"] for figure in found["figures"]} == {"Distributions", "Calibration"}
    found = section(client, "people")
    assert table(found, "People as a metric")[0]["judgements"] == "93"
    assert [row["coefficient"] for row in table(found, "coefficients")][:3] == [
        "alpha nominal", "alpha ordinal", "alpha interval",
    ]  # fmt: skip


@pytest.mark.parametrize("kind", ["human", "level", "metrics"])
def test_a_plot_has_each_sample_and_its_id(client: TestClient, kind: str) -> None:
    found = section(client, "plot", plot=kind, metric=["M", "N"])
    (figure,) = found["figures"]
    assert figure["figure"]["data"][0]["type"] == ("violin" if kind == "level" else "scattergl")
    assert ("x" in found["extra"]) == (kind != "level")


def test_of_many_points_a_random_selection_is_drawn(client: TestClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("ui.services.analysis.plot.MOST_POINTS", 10)
    assert "a random 10 of 30 samples" in section(client, "plot", metric="M")["notes"][0]


def captioned(values: dict[str, list[float]]) -> list[Record]:
    return [scored(n, value, system=name) for name, of in values.items() for n, value in enumerate(of)]


def test_captioners_have_means_and_ranks(client: TestClient, workplace: Workplace) -> None:
    rng = np.random.default_rng(1)
    good = rng.random(40) / 2
    add(workplace, captioned({"a": [*good], "b": [*(good + 0.3)], "<b>": [*(good + 0.4)]}), "drawn")
    found = section(client, "captioners", dataset="drawn")
    rows = table(found, "Captioners by score")
    assert [(row["captioner"], row["people: rank"]) for row in rows] == [("<b>", "1"), ("b", "2"), ("a", "3")]
    assert "people: 40" in found["notes"][0]
    assert "No caption here has a captioner" in refused(client, "captioners")


def test_a_captioners_bleu_is_that_of_the_corpus_and_the_mean_is_called_so(
    workplace: Workplace, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """COCO's program gives 0.422 and 0.318; the means of the captions' own values are 0.335 and 0.224."""
    rows = [
        ("1", "A", "a brown dog runs over the wet grass", "a brown dog runs over the wet grass near a tree"),
        ("2", "A", "boats in water", "two boats lie in a small harbour"),
        ("3", "A", "a man rides a horse", "a man rides a white horse on the beach"),
    ]
    lines = [
        json.dumps({"id": f"{n}{of}", "image": f"{n}.jpg", "system": of, "caption": caption, "references": [reference]})
        for of in "AB"
        for n, _, caption, reference in rows
    ]
    (tmp_path / "two.jsonl").write_text("\n".join(lines))
    run = command_line(workplace.data_dir, capsys)
    assert (
        run("import", "jsonl", tmp_path / "two.jsonl").code == 0
        and run("score", "BLEU-4", "--dataset", "two").code == 0
    )
    (found,) = run("analyse", "captioners", "two", "--json").json["tables"]
    assert found["rows"][0]["BLEU-4: corpus"] == pytest.approx(0.4218, abs=2e-3)
    assert found["rows"][0]["BLEU-4: mean"] == pytest.approx(0.335, abs=1e-3)


def test_several_data_sets_name_their_units(client: TestClient, workplace: Workplace) -> None:
    add(workplace, [scored(n, n % 4 / 3) for n in range(20)], "interval")
    pairs = [scored(n, None, pair=Pair(f"{n // 2}", n % 2, 0, "HC"), system=str(n % 2)) for n in range(20)]
    add(workplace, pairs, "pairs")
    found = section(client, "several", dataset=["judged", "interval", "pairs"])
    assert found["tables"][0]["heads"] == ["metric", "judged τ-c", "interval τ-c", "pairs accuracy"]
    assert {"interval: 20 captions.", "pairs: 10 pairs."} <= set(found["notes"])


def test_published_figures_stand_beside_computed_ones(client: TestClient, workplace: Workplace) -> None:
    scores = [0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.8, 0.7]
    signature = "ROUGE-L|beta:1.2|tokens:ptb|capscope:0.2.0"
    of = [(Score("ROUGE-L", value, signature),) for value in scores] + [(), ()]
    add(workplace, [scored(n, n / 10, references=("a", "b"), scores=of[n]) for n in range(10)], "nebula")
    found = section(client, "published", dataset="nebula")
    (row,) = exact(found, "nebula: printed and computed")
    # Of 28 pairs 27 agree and one does not: tau-c = (27 - 1) * 2 / (8 * 8 * 7 / 8).
    assert row["here"] == pytest.approx(100 * 26 * 2 * 8 / (8 * 8 * 7)) and row["printed"] == 42.6
    shown = table(found, "nebula: printed and computed")[0]
    assert (shown["printed in"], shown["as printed"]) == ("EXPERT, Table 2", "no")
    assert shown["recipe"] == f"8 captions with mean judgements; 2 references each; {signature}"
    assert "printed figures lack data here" in found["notes"][1]


def test_sections_without_data_say_what_they_lack(client: TestClient) -> None:
    listed = {one["key"]: one["lacks"] for one in client.get("/api/analyse/sections", params=OF).json()}
    assert (listed["agreement"], listed["captioners"], listed["study"]) == (
        "", "names of two captioners", "a study of these captions",
    )  # fmt: skip
    assert client.get("/api/analyse/section/nothing", params=OF).status_code == 404


def test_a_table_is_a_file_without_formulas(client: TestClient, workplace: Workplace) -> None:
    add(
        workplace,
        [scored(n, n % 4 / 3, system=["＝1+1", "\n=2"][n % 2], scores=(Score("=M", n / 9, "=M"),)) for n in range(8)],
        "odd",
    )
    query = {"dataset": "odd"}
    for place in range(len(section(client, "captioners", **query)["tables"])):
        text = client.get(f"/api/analyse/section/captioners/{place}.csv", params=query).text
        cells = [cell for row in csv.reader(io.StringIO(text)) for cell in row]
        assert not [cell for cell in cells if cell.lstrip()[:1] in "=＝+＋@＠" and cell.strip()], cells
        assert "\\begin{table}" in client.get(f"/api/analyse/section/captioners/{place}.tex", params=query).text
    assert client.get("/api/analyse/section/captioners/9.csv", params=query).status_code == 404
    lines = [
        *csv.DictReader(
            io.StringIO(client.get("/api/analyse/data.csv", params={"dataset": "odd", "metric": "=M"}).text)
        )
    ]
    assert {"image", "captioner"} <= lines[0].keys() and "'=M" in lines[0]


def test_the_command_prints_what_the_page_shows(workplace: Workplace, capsys: pytest.CaptureFixture[str]) -> None:
    run = command_line(workplace.data_dir, capsys)
    found = run("correlate", "--dataset", "judged", "--json").json
    rows = {row["variant"] or row["metric"]: row for row in found["tables"][0]["rows"]}
    assert {"tau_b_low", "tau_c_low", "captions"} <= rows["smoothed"].keys() and len(found["tables"]) == 2
    assert run("analyse", "agreement", "judged", "--set", "against=all", "--json").json == found
    text = run("correlate", "--dataset", "judged").out
    assert "captions" in text and "of τ-c" in " ".join(text.split())
    assert "\\begin{tabular}" in run("correlate", "--dataset", "judged", "--latex").out
    assert run("correlate", "--dataset", "judged", "--csv").out.startswith("metric,variant,captions,τ-b,")
    assert run("analyse", "sizes").out.count("judged") >= 1
    assert "agreement, errors" in run("analyse", "plot", "judged").err and run("correlate", "--json", "--csv").code != 0
    assert "Choose from: M, M#raw (M raw), N." in run("analyse", "pair", "judged", "--set", "first=NOPE").err


def test_a_new_section_is_one_value(client: TestClient, monkeypatch: pytest.MonkeyPatch, workplace: Workplace) -> None:
    def made(analyst: Any, asked: Any) -> Found:
        mean = float(np.nanmean(analyst.table(asked.dataset)["human"]))
        return Found([Table("Mean", (number("mean", "mean"),), [{"mean": mean}])])

    monkeypatch.setattr(analysis, "SECTIONS", (*analysis.SECTIONS, Section("mine", "Mine", made)))
    assert exact(section(client, "mine"), "Mean")[0]["mean"] == pytest.approx(np.mean([*HUMAN.values()]))


def test_the_package_gives_the_table_of_the_command(workplace: Workplace, capsys: pytest.CaptureFixture[str]) -> None:
    printed = command_line(workplace.data_dir, capsys)("correlate", "--dataset", "judged", "--part", "raw", "--json")
    frame = capscope.agreement("judged", components=["raw"], data_dir=workplace.data_dir)
    assert json.loads(frame.to_json(orient="records", double_precision=15)) == [
        {name: pytest.approx(value, abs=1e-12) if isinstance(value, float) else value for name, value in row.items()}
        for row in printed.json["tables"][0]["rows"]
    ]
    (shown,) = (block for block in blocks("how-to/use-from-python.md", "python") if "agreement" in block)
    by_rule = capscope.agreement("judged", benchmark="flickr8k-expert", data_dir=workplace.data_dir)
    exec(shown.splitlines()[1], {"table": by_rule})
    assert "tau_c_low" in capsys.readouterr().out
    with pytest.raises(capscope.CapscopeError, match="no scores of 'X'"):
        capscope.agreement("judged", ["X"], data_dir=workplace.data_dir)

import base64
import json
from pathlib import Path

import numpy as np
import pytest
from fastapi.testclient import TestClient

from core.analysis.slices import Range, Slice
from core.datasets import format_named, raise_bad
from core.datasets.base import Record
from core.long_work.progress import no_progress
from core.statistics.significance import holm
from core.studies.planning.study_request import StudyRequest
from core.types import EvaluationError, ImageRef, Pair, Score
from storage.study_types import Save
from storage.types import Search
from tests.ui.analyse.conftest import record
from ui.report.dataset import dataset_parts
from ui.services.analysis.analyst import Analyst
from ui.services.studies import study_actions as services
from ui.services.workplace import Workplace

OF = {"dataset": "judged"}


def get(client: TestClient, path: str, **query: object):  # type: ignore[no-untyped-def]
    answer = client.get(f"/api/analyse/{path}", params={**OF, **query})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_both_taus_stand_beside_ties_interval_and_what_papers_printed(client: TestClient, workplace: Workplace) -> None:
    rows = get(client, "correlations", metric=["M", "N"])["taus"]["rows"]
    assert [(r["metric"], r["variant"], r["n"]) for r in rows] == [
        ("M", "smoothed", 90),
        ("M", "raw", 90),
        ("N", "", 93),
    ]
    for tau in ("tau_b", "tau_c"):
        assert rows[0][f"{tau}_low"] < rows[0][tau] < rows[0][f"{tau}_high"]
    assert rows[0]["ties"] >= 90
    assert rows[0]["published"] == []


def test_the_chosen_convention_decides_which_published_figures_stand_beside(
    client: TestClient, workplace: Workplace
) -> None:
    records = [record(n, n % 4 / 3, n / 4) for n in range(4)]
    named = [
        r.__class__(**{**{f: getattr(r, f) for f in r.__dataclass_fields__}, "scores": (fleur(r.scores[1]),)})
        for r in records
    ]
    workplace.repository.add_records("f", named, {r.image: ImageRef(r.image) for r in named}, pytest.fail)
    smoothed, _raw = get(client, "correlations", dataset="f", metric="FLEUR", benchmark="flickr8k-expert")["taus"][
        "rows"
    ]
    assert [(p["name"], p["value"]) for p in smoothed["published"]] == [("τ-c ", 53.0)]
    assert smoothed["convention"] == "c"


def fleur(score):  # type: ignore[no-untyped-def]
    return type(score)("FLEUR", score.value, "FLEUR", components=score.components)


def chosen(metric: str, categories: tuple[str | None, ...]) -> list[Record]:
    """A pair of each category, the caption that people prefer scored higher, all on one picture."""
    return [
        Record(
            Path("f"), 1, "0.jpg", f"caption {category} {position}", key=f"{category}/{position}",
            scores=(Score(metric, 1.0 - position, metric),), pair=Pair(str(category), position, 0, category),
        )
        for category in categories
        for position in (0, 1)
    ]  # fmt: skip


def test_pascals_mean_and_foils_figures_by_references_stand_beside_ours(
    client: TestClient, workplace: Workplace
) -> None:
    for name, records in (
        ("pascal50s", chosen("HICE-S", ("HC", "HI", "HM", "MM"))),
        ("foil", chosen("RefFLEUR", (None,))),
    ):
        workplace.repository.add_records(name, records, {"0.jpg": ImageRef("0.jpg")}, pytest.fail)
    *_, mean = get(client, "correlations", dataset="pascal50s", metric="HICE-S")["accuracies"]["rows"]
    assert (mean["category"], mean["n"], mean["accuracy"]) == ("mean", 4, 100.0)
    assert [(p["value"], p["name"]) for p in mean["published"]] == [(86.1, "")]
    (row,) = get(client, "correlations", dataset="foil", metric="RefFLEUR")["accuracies"]["rows"]
    assert [(p["value"], p["name"]) for p in row["published"]] == [(97.3, "1-ref "), (98.4, "4-ref ")]
    written = "".join(dataset_parts(Analyst(workplace), "foil", no_progress))
    assert "1-ref 97.3" in written and "4-ref 98.4" in written


def test_figures_without_intervals_come_at_once_and_are_the_same(client: TestClient) -> None:
    whole = get(client, "correlations", metric=["M", "N"])["taus"]["rows"]
    quick = get(client, "correlations", metric=["M", "N"], intervals=False)
    ends = [f"tau_{tau}_{end}" for tau in ("b", "c") for end in ("low", "high")]
    assert quick["differences"]["rows"] == []
    assert quick["taus"]["rows"] == [row | dict.fromkeys(ends) for row in whole]


def test_a_convention_that_counts_something_else_is_named(client: TestClient) -> None:
    answer = client.get("/api/analyse/correlations", params={**OF, "metric": "M", "benchmark": "pascal50s"})
    assert answer.status_code == 400 and "Choose another convention" in answer.json()["detail"]


def test_two_metrics_are_compared_on_the_same_samples(client: TestClient) -> None:
    found = get(client, "correlations", metric=["M", "N"])
    rows = found["differences"]["rows"]
    assert [(row["tau"], row["first_label"], row["second_label"], row["n"]) for row in rows] == [
        (tau, first, second, 90) for tau in ("b", "c") for first, second in (("M", "N"), ("M smoothed", "M raw"))
    ]
    for tau in ("b", "c"):
        p, corrected = zip(*((row["p"], row["p_holm"]) for row in rows if row["tau"] == tau), strict=True)
        assert list(corrected) == holm(p)


def test_a_p_that_no_draw_contradicts_is_told_as_a_bound(client: TestClient, workplace: Workplace) -> None:
    records = [record(n, n % 8 / 7, n % 8 / 7, 1 - n % 8 / 7) for n in range(40)]
    named = {one.image: ImageRef(one.image) for one in records}
    workplace.repository.add_records("opposed", records, named, pytest.fail)
    rows = get(client, "correlations", dataset="opposed", metric=["M", "N"])["differences"]["rows"]
    apart = [row for row in rows if row["second"] == "N"]
    assert [(row["p_at_most"], row["p"]) for row in apart] == [(True, pytest.approx(2 / 1001))] * 2


def test_a_metric_that_orders_as_people_do_is_told_to_be_their_score(client: TestClient, workplace: Workplace) -> None:
    records = [record(n, n % 8 / 7, n % 8 / 7) for n in range(40)]
    named = {one.image: ImageRef(one.image) for one in records}
    workplace.repository.add_records("selfsame", records, named, pytest.fail)
    first, *_ = get(client, "correlations", dataset="selfsame", metric=["M"])["taus"]["rows"]
    assert "the human score itself" in first["note"]


def test_figures_of_samples_that_all_metrics_scored_have_one_n(client: TestClient) -> None:
    apart = get(client, "correlations", metric=["M", "N"], intervals=False)["taus"]["rows"]
    together = get(client, "correlations", metric=["M", "N"], common=["N", "M"], intervals=False)["taus"]["rows"]
    assert {row["n"] for row in apart} == {90, 93} and {row["n"] for row in together} == {90}


def test_beside_a_slice_stands_no_published_figure_and_a_choice_by_error_is_warned_of(
    client: TestClient, workplace: Workplace
) -> None:
    workplace.repository.slices.save("judged", Slice("short", words=Range(0, 99)))
    workplace.repository.slices.save("judged", Slice("wrong", metric="M", error=Range(0.2, None)))
    of = {"metric": ["M"], "benchmark": "flickr8k-expert", "intervals": False}
    short, wrong = (get(client, "correlations", slice=name, **of) for name in ("short", "wrong"))
    assert not any(row["published"] for row in short["taus"]["rows"]) and short["remarks"] == []
    assert len(wrong["remarks"]) == 1 and "does not describe the metric" in wrong["remarks"][0]


def test_too_few_judgements_are_one_sentence_and_no_rows(client: TestClient, workplace: Workplace) -> None:
    records = [record(n, 0.5, n / 4) for n in range(4)]
    named = {one.image: ImageRef(one.image) for one in records}
    workplace.repository.add_records("few", records, named, pytest.fail)
    answer = client.get("/api/analyse/correlations", params={"dataset": "few", "metric": "M"})
    assert (
        answer.status_code == 400
        and "for these samples of few: all human judgements are equal" in answer.json()["detail"]
    )


def test_the_arrays_of_a_plot_hold_every_sample_once(client: TestClient) -> None:
    points = get(client, "points", metric="M", raw=True)
    assert points["samples"] == 32
    values = np.frombuffer(base64.b64decode(points["metrics"][0]["value"]), "<f4")
    raw = np.frombuffer(base64.b64decode(points["metrics"][0]["raw"]), "<f4")
    assert np.isnan(values[31]) and values[1] == np.float32(7 / 30) and raw[1] == np.float32(0.2)


def test_a_new_import_is_seen_at_once(client: TestClient, workplace: Workplace) -> None:
    assert get(client, "points", metric="M")["samples"] == 32
    more = [record(40, 0.0, 1.0)]
    workplace.repository.add_records("judged", more, {"40.jpg": ImageRef("40.jpg")}, pytest.fail)
    assert get(client, "points", metric="M")["samples"] == 33
    assert get(client, "errors", metric="M")["rows"][0]["key"] == "s40"


def test_metrics_that_said_nothing_but_errors_are_named(client: TestClient, workplace: Workplace) -> None:
    assert get(client, "unscored") == []
    ids = [workplace.repository.samples.id_of("judged", f"s{number}") for number in range(3)]
    for metric, value in (("P", None), ("Q", 0.25)):
        for sample_id in ids:
            workplace.repository.scores.save(sample_id, EvaluationError(metric, metric, "no_score", "no number"))
        if value is not None:
            workplace.repository.scores.save(ids[0], Score(metric, value, metric))
    assert get(client, "unscored") == ["P"]
    assert [metric["name"] for metric in get(client, "metrics")] == ["M", "N", "Q"]


def test_the_largest_errors_come_first_25_a_page(client: TestClient) -> None:
    first, second = get(client, "errors", metric="M"), get(client, "errors", metric="M", page=2)
    assert (first["total"], len(first["rows"]), len(second["rows"]), second["first"]) == (30, 25, 5, 26)
    errors = [abs(row["error"]) for row in first["rows"] + second["rows"]]
    assert errors == sorted(errors, reverse=True)
    naive = max(range(30), key=lambda n: abs((n * 7 % 30) / 30 - n % 4 / 3))
    assert first["rows"][0]["key"] == f"s{naive}"


def test_a_metric_on_another_scale_is_rescaled_before_its_error_is_taken(client: TestClient) -> None:
    row = get(client, "errors", metric="N")["rows"][0]
    assert row["error"] == pytest.approx(row["value"] - row["human"]) and 0 <= row["value"] <= 1


def test_what_is_unknown_is_answered_in_words(client: TestClient) -> None:
    for path, query, words in (
        ("points", {"metric": "X"}, "There are no scores of 'X' here. Metrics with scores: M, N."),
        ("errors", {"dataset": "none", "metric": "M"}, "There is no data set 'none'"),
        ("correlations", {"metric": "M", "benchmark": "none"}, "There is no benchmark 'none'"),
    ):
        answer = client.get(f"/api/analyse/{path}", params={**OF, **query})
        assert answer.status_code in (400, 404) and words in answer.json()["detail"]


def test_the_csv_of_a_plot_holds_exact_numbers(client: TestClient) -> None:
    lines = client.get("/api/analyse/data.csv", params={**OF, "metric": "M"}).text.splitlines()
    assert lines[0] == "sample,image,caption,judgements,human,level,M,M raw"
    sample, image, rest = lines[2].split(",", 2)
    assert (sample, rest, len(lines)) == ("s1", f"caption 1,2 2 2,{1 / 3},2.0,{7 / 30},0.2", 33)
    assert len({line.split(",")[1] for line in lines[1:]}) == 32 and image == "1.jpg"  # every sample has its own image
    assert lines[31].startswith("s30,") and ",caption 30,,,," in lines[31]  # nobody judged it


def test_plotly_comes_from_our_own_server_compressed_and_once(client: TestClient) -> None:
    answer = client.get("/plotly.min.js")
    assert answer.status_code == 200 and "javascript" in answer.headers["content-type"] and len(answer.content) > 10**6
    assert answer.headers["content-encoding"] == "gzip" and int(answer.headers["content-length"]) < 2 * 10**6
    again = client.get("/plotly.min.js", headers={"if-none-match": answer.headers["etag"]})
    assert again.status_code == 304 and not again.content
    plain = client.get("/plotly.min.js", headers={"accept-encoding": "identity"})
    assert plain.content == answer.content and "content-encoding" not in plain.headers


def rate(workplace: Workplace, points: dict[str, int]) -> int:
    """Have one rater judge the explanations of the data set's first item; returns its sample."""
    study = services.create_study(workplace, StudyRequest("S", "judged", seed=1, metrics=("M",), veil=False))
    rater = workplace.repository.raters.add("K7")
    [item] = workplace.repository.desk.queue(study.id, rater, None, 1).items
    saves = [
        Save(f"key-{name}-1234", item.id, "rating", 0, panel=1, criterion=name, point=point)
        for name, point in points.items()
    ]
    assert workplace.repository.save(rater, saves) == (None,) * len(saves)
    return next(int(s.id) for s in workplace.repository.samples.search(Search("judged", item.caption), 0, 50).samples
                if s.sample.candidate == item.caption)  # fmt: skip


def test_a_samples_ratings_are_told_with_their_study(client: TestClient, workplace: Workplace) -> None:
    sample = rate(workplace, {"consistency": 3, "informativeness": 0})
    assert get(client, f"samples/{sample}/ratings") == [
        {"study_id": 1, "study": "S", "metric": "M", "rater": "K7", "criterion": "consistency", "point": 3},
        {"study_id": 1, "study": "S", "metric": "M", "rater": "K7", "criterion": "informativeness", "point": 0},
    ]
    ids = workplace.repository.analysis.table("judged").ids
    means = workplace.repository.analysis.mean_points("judged", "consistency", ids)
    assert means[ids == sample].tolist() == [3.0] and np.isnan(means[ids != sample]).all()
    assert np.isnan(workplace.repository.analysis.mean_points("judged", "informativeness", ids)).all()


def test_the_columns_of_a_table_are_those_of_a_naive_reading(workplace: Workplace) -> None:
    table = workplace.repository.analysis.table("judged")
    for number, key in enumerate(table.keys):
        stored = workplace.repository.samples.get(int(table.ids[number]))
        assert stored.sample.key == key and stored.sample.candidate == table.captions[number]
        values = {o.metric: getattr(o, "value", None) for o in stored.outcomes}
        for name, column in table.metrics.items():
            expected = values[name]
            assert np.isnan(column.value[number]) if expected is None else column.value[number] == expected


def test_fleurs_published_figures_stand_on_the_page_beside_ours(
    client: TestClient, workplace: Workplace, shared_dir
) -> None:  # type: ignore[no-untyped-def]
    folder = shared_dir / "data/flickr8k"
    for name, file in (("flickr8k-expert", "flickr8k.json"), ("fleur-results", "fleur_flickr8k_expert.txt")):
        records = list(format_named(name).read(folder / file, raise_bad))
        images = {r.image: ImageRef(r.image.rsplit("/", 1)[-1]) for r in records}
        workplace.repository.add_records("flickr8k-expert", records, images, pytest.fail)
    smoothed, raw = get(client, "correlations", dataset="flickr8k-expert", metric="FLEUR")["taus"]["rows"]
    assert smoothed["n"] == 16_992
    assert [smoothed["tau_c"], raw["tau_c"]] == pytest.approx([53.0257, 34.9112], abs=5e-5)  # half of the last digit
    assert [smoothed["tau_b"], raw["tau_b"]] == pytest.approx([52.666, 56.082], abs=5e-4)
    assert (smoothed["published"][0]["value"], raw["published"][0]["value"]) == (53.0, 34.9)
    points = client.get("/api/analyse/points", params={"dataset": "flickr8k-expert", "metric": "FLEUR"})
    assert json.loads(points.text)["samples"] == 5664 and len(points.content) < 200_000


def test_a_score_that_takes_an_errors_place_is_in_every_figure_at_once(
    workplace: Workplace, client: TestClient
) -> None:
    def seen() -> tuple[object, ...]:
        taus = [row["n"] for row in get(client, "correlations", metric="M", intervals=False)["taus"]["rows"]]
        return (
            *taus,
            get(client, "errors", metric="M")["total"],
            get(client, "errors", metric="M")["rows"][0]["error"],
        )

    assert seen() == (90, 90, 30, pytest.approx(14 / 15))
    workplace.repository.scores.save(workplace.repository.samples.id_of("judged", "s31"), Score("M", 1.0, "M"))
    assert seen() == (93, 90, 31, 1.0)


def test_figures_that_papers_print_for_other_metrics_are_offered_by_the_same_coefficient(client: TestClient) -> None:
    asked = {"dataset": "judged", "metric": "M", "intervals": "false"}
    found = client.get("/api/analyse/correlations", params=asked | {"benchmark": "flickr8k-expert"}).json()
    printed = {(row["metric"], row["variant"], row["quantity"]): row for row in found["printed"]}
    assert printed["METEOR", "", "tau_c"]["value"] == 41.8
    assert "Table" in printed["METEOR", "", "tau_c"]["source"]
    assert {row["quantity"] for row in found["printed"]} == {"tau_c"}
    values = [row["value"] for row in found["printed"]]
    assert values == sorted(values, reverse=True)
    assert client.get("/api/analyse/correlations", params=asked).json()["printed"] == []

import csv
import gzip
import json
import re
from pathlib import Path
from typing import Any

import pytest

from core.benchmarks.correlation import Correlation, TauDifference
from core.benchmarks.figures import Correlated, MetricDifference
from core.benchmarks.pairwise import PairwiseAccuracy
from core.metrics import METRICS
from core.statistics.bootstrap import Interval
from tests.command_line import Run, command_line
from ui.commands import correlate


@pytest.fixture
def run(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> Run:
    """Run one command line in a data folder of its own."""
    return command_line(tmp_path / "data", capsys)


CAPTIONS = ("A dog runs .", "A cat sits .", "Two men play .", "A red car .")


def judgements_file(folder: Path) -> Path:
    """Flickr8k-Expert's form: four pairs, judged 1, 2, 3 and 4 by three experts each."""
    content = {
        f"{i}": {
            "image_id": f"{i}",
            "image_path": f"Flickr8k_Dataset/{i}.jpg",
            "ground_truth": ["A dog ."],
            "human_judgement": [{"caption": caption, "rating": i + 1}] * 3,
        }
        for i, caption in enumerate(CAPTIONS)
    }
    path = folder / "flickr8k.json"
    path.write_text(json.dumps(content))
    return path


def scores_file(folder: Path, rows: dict[int, tuple[float, float]], name: str = "fleur_flickr8k.txt") -> Path:
    """FLEUR's form: raw and smoothed score by number of the pair."""
    blocks = [
        f"image file : Flickr8k_Dataset/{i}.jpg\ncaption : {CAPTIONS[i]}\n"
        f"model score : {raw}\nour score : {smoothed}\n\n"
        for i, (raw, smoothed) in rows.items()
    ]
    path = folder / name
    path.write_text("".join(blocks))
    return path


ALL = {0: (0.1, 0.11), 1: (0.1, 0.12), 2: (0.5, 0.51), 3: (0.5, 0.49)}


def test_json_is_a_list_with_both_variants_and_the_documented_keys(run: Run, tmp_path: Path) -> None:
    files = ("--judgements", judgements_file(tmp_path), "--scores", scores_file(tmp_path, ALL))
    code, out, err = run("correlate", "flickr8k-expert", *files, "--json")
    rows: list[dict[str, Any]] = json.loads(out)
    assert code == 0
    assert err.strip().startswith("FLEUR, raw: no interval") and rows[1]["ci_low"] is None  # of four pictures
    assert [(r["benchmark"], r["metric"], r["variant"], r["n"]) for r in rows] == [
        ("flickr8k-expert", "FLEUR", "smoothed", 12),
        ("flickr8k-expert", "FLEUR", "raw", 12),
    ]
    assert set(rows[0]) == {"benchmark", "metric", "variant", "n", "tau_b", "tau_c", "ties", "ci_of", "ci_low",
        "ci_high", "pearson", "spearman",
    }  # fmt: skip
    # 54 pairs of different levels: 5 of 6 ordered rightly, one wrongly; tau-c = 2 * (45 - 9) / (144 * 3 / 4).
    assert rows[0]["tau_c"] == pytest.approx(100 * 2 * 36 / 108)
    assert rows[1]["ties"] == 2 * 15


def test_published_figures_of_fleur_come_out_of_the_real_files(run: Run, shared_dir: Path) -> None:
    folder = shared_dir / "data/flickr8k"
    files = ("--judgements", folder / "flickr8k.json", "--scores", folder / "fleur_flickr8k_expert.txt")
    code, out, _ = run("correlate", "flickr8k-expert", *files, "--format", "fleur-results", "--json")
    smoothed, raw = json.loads(out)
    assert (code, smoothed["n"], raw["n"]) == (0, 16_992, 16_992)
    assert [smoothed["tau_c"], raw["tau_c"]] == pytest.approx([53.0257, 34.9112], abs=5e-5)  # half of the last digit
    assert [smoothed["tau_b"], raw["tau_b"]] == pytest.approx([52.666, 56.082], abs=5e-4)


def test_samples_left_out_are_told_apart_from_the_json(run: Run, tmp_path: Path) -> None:
    files = (
        "--judgements",
        judgements_file(tmp_path),
        "--scores",
        scores_file(tmp_path, {0: (0.1, 0.1), 2: (0.5, 0.5)}),
    )
    _, out, err = run("correlate", "flickr8k-expert", *files, "--json")
    assert json.loads(out)[0]["n"] == 6
    assert "2 judged samples have no score and are excluded." in err


def test_the_published_figure_stands_beneath_ours_and_the_difference_of_metrics(run: Run, tmp_path: Path) -> None:
    first, second = scores_file(tmp_path, ALL), scores_file(tmp_path, ALL, "reffleur_flickr8k.txt")
    scores = ("--scores", first, "--scores", second)
    code, out, _ = run("correlate", "flickr8k-expert", "--judgements", judgements_file(tmp_path), *scores)
    assert code == 0
    for text in ("c 53.0", "c 51.9", "FLEUR − RefFLEUR"):
        assert text in out


def test_tables_are_whole_in_80_columns_under_long_names(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("COLUMNS", "80")
    names = (
        "EXPERT without SFT",
        "FLEUR|adapter:none|model:llava-hf/llava-1.5-13b-hf|revision:5dda2880|capscope:0.2.0",
    )
    interval, result = (
        Interval(-0.5505, -0.5095),
        TauDifference("c", 240_000, -0.0911, Interval(-0.1, -0.08), 0.002, True),
    )
    taus = [
        Correlation("polaris", name, "raw", 240_000, -0.56, -0.55, 889_188_317, interval, interval, "c")
        for name in names
    ]
    accuracies = [
        PairwiseAccuracy("pascal50s", "mean", name, "smoothed", 4_000, 0.832, 123, 0.833, Interval(0.82, 0.844))
        for name in names
    ]
    differences = tuple(MetricDifference((names[0], ""), (names[1], ""), result, 0.004) for _ in range(4))
    correlate._print(Correlated("polaris", tuple(taus), tuple(accuracies), differences), METRICS)
    out = "\n".join(line.rstrip() for line in capsys.readouterr().out.splitlines())
    assert max(map(len, out.splitlines())) <= 80 and "…" not in out
    for figures in (
        ("raw", "240,000", "−56.00", "−55.00", "−55.05 to −50.95", "889,188,317"),
        ("smoothed", "mean", "4,000", "83.20", "82.00 to 84.40", "123"),
        ("c", "240,000", "−9.11", "−10.00 to −8.00", "≤ 0.002", "≤ 0.004"),
    ):
        assert re.search(r" +".join(map(re.escape, figures)) + "$", out, re.MULTILINE), figures


def pascal_file(folder: Path, category: str, labels: str) -> Path:
    blocks = [
        f"image : http://x/{i}.jpg\nlabel : {label}\ncaption : a {i}\nmodel score : 0.5\nour score : 0.6\n"
        f"caption : b {i}\nmodel score : 0.5\nour score : 0.4\n\n"
        for i, label in enumerate(labels)
    ]
    path = folder / f"fleur_pascal_{category}.txt"
    path.write_text("".join(blocks) + "true count : 1\ntie count : 0\n")
    return path


def test_pascals_categories_come_one_a_file_with_the_labels_of_the_scores(run: Run, tmp_path: Path) -> None:
    files = ("--scores", pascal_file(tmp_path, "HC", "0011"), "--scores", pascal_file(tmp_path, "MM", "0001"))
    code, out, _ = run("correlate", "pascal50s", *files, "--json")
    rows = json.loads(out)
    assert code == 0
    assert [(r["category"], r["variant"], r["n"], r["accuracy"], r["ties"]) for r in rows] == [
        ("HC", "smoothed", 4, 50.0, 0),
        ("MM", "smoothed", 4, 75.0, 0),
        ("HC", "raw", 4, 0.0, 4),
        ("MM", "raw", 4, 0.0, 4),
    ]
    assert rows[2]["accuracy_half_credit"] == 50.0
    assert set(rows[0]) == {
        "benchmark", "category", "metric", "variant", "n", "accuracy", "ties", "accuracy_half_credit",
        "ci_of", "ci_low", "ci_high",
    }  # fmt: skip
    assert "61.3" in run("correlate", "pascal50s", *files)[1]


def test_pascals_published_means_come_out_of_the_real_files(run: Run, shared_dir: Path, tmp_path: Path) -> None:
    files: list[object] = []
    for category in ("HC", "HI", "HM", "MM"):
        path = tmp_path / f"fleur_pascal_{category}.txt"
        packed = shared_dir / f"data/benchmarks/fleur_pascal_{category}.txt.gz"
        path.write_bytes(gzip.decompress(packed.read_bytes()))
        files += ["--scores", path]
    found = {(r["category"], r["variant"]): r for r in run("correlate", "pascal50s", *files, "--json").json}
    smoothed, raw = found["mean", "smoothed"], found["mean", "raw"]
    assert [smoothed["accuracy"], raw["accuracy"]] == pytest.approx([83.2, 65.1], abs=0.05)
    assert (smoothed["n"], smoothed["ties"], raw["ties"]) == (4000, 10, 638 + 5 + 57 + 498)
    printed = run("correlate", "pascal50s", *files).out
    assert re.search(r"smoothed +mean +4,000 +83\.20", printed) and "MM 74.2, mean 83.2" in printed


def test_scores_meet_the_votes_of_the_crowds_own_table(run: Run, tmp_path: Path) -> None:
    judgements_file(tmp_path)  # its references are the captions by number: "A dog ." is #0 of each picture
    shares = {0: "0\t0\t3", 1: "0.25\t1\t3", 2: "0.5\t2\t2", 3: "1\t3\t0"}
    table = tmp_path / "CrowdFlowerAnnotations.txt"
    table.write_text("".join(f"{i}.jpg\t{i}.jpg#0\t{votes}\n" for i, votes in shares.items()))
    scores = scores_file(tmp_path, {i: (0.1 * i, 0.1 * i) for i in shares})
    scores.write_text(re.sub(r"caption : .*", "caption : A dog .", scores.read_text()))
    row, _ = run("correlate", "flickr8k-cf", "--judgements", table, "--scores", scores, "--json").json
    assert (row["n"], row["tau_b"]) == (4, pytest.approx(100))


def test_an_imported_data_set_gives_the_same_figures_as_its_files(run: Run, tmp_path: Path) -> None:
    judged, scores = judgements_file(tmp_path), scores_file(tmp_path, ALL)
    from_files = run("correlate", "flickr8k-expert", "--judgements", judged, "--scores", scores, "--json")[1]
    run("import", "flickr8k-expert", judged, "--dataset", "mine")
    run("import", "fleur-results", scores, "--dataset", "mine")
    named = run("correlate", "flickr8k-expert", "--dataset", "mine", "--metric", "FLEUR", "--json")[1]
    assert json.loads(named) == json.loads(from_files)
    code, unnamed, err = run("correlate", "--dataset", "mine", "--json")
    assert [r["tau_c"] for r in json.loads(unnamed)] == [r["tau_c"] for r in json.loads(from_files)]
    assert (code, json.loads(unnamed)[0]["benchmark"]) == (0, "flickr8k-expert")
    assert "not a known benchmark" not in err


def test_data_of_no_known_benchmark_name_the_command_that_applies_its_rules(run: Run, tmp_path: Path) -> None:
    table = tmp_path / "mine.csv"
    table.write_text("image,caption,human,score:M\na.jpg,A dog.,0.2,0.1\nb.jpg,A cat.,0.4,0.3\nc.jpg,A cow.,0.6,0.2\n")
    run("import", "csv", table)
    code, out, err = run("correlate", "--dataset", "mine", "--json")
    assert (code, json.loads(out)[0]["benchmark"]) == (0, "mine")
    assert "mine is not a known benchmark" in err
    assert "correlate BENCHMARK --dataset mine" in err


def test_several_data_sets_make_one_table_of_metrics(run: Run, tmp_path: Path) -> None:
    run("import", "flickr8k-expert", judgements_file(tmp_path), "--dataset", "expert")
    run("import", "fleur-results", scores_file(tmp_path, ALL), "--dataset", "expert")
    table = tmp_path / "mine.csv"
    human = (0.2, 0.4, 0.6)
    lines = [f"{n}.jpg,A dog.,{h},{0.9 - h},{h}" for n, h in enumerate(human)]
    table.write_text("\n".join(["image,caption,human,score:FLEUR,score:M", *lines]))
    run("import", "csv", table)
    unjudged = tmp_path / "unjudged.csv"
    unjudged.write_text("image,caption,score:M\na.jpg,A dog.,0.5\n")
    run("import", "csv", unjudged)
    named = ("--dataset", "expert", "--dataset", "mine")
    code, out, err = run("correlate", *named, "--csv")
    assert (code, out.splitlines()[0]) == (0, "metric,expert τ-c,mine τ-c")
    rows = {line.split(",")[0]: line.split(",")[1:] for line in out.splitlines()[1:]}
    assert float(rows["FLEUR"][0]) == pytest.approx(100 * 2 * 36 / 108)  # the same as for the data set alone
    assert [float(number) for number in (rows["FLEUR"][1], rows["M"][1])] == pytest.approx([-100, 100])
    assert rows["M"][0] == "–"
    figures = run("correlate", *named, "--json").json
    assert [(one["dataset"], one["benchmark"], one["metric"], one["quantity"], one["n"]) for one in figures] == [
        ("expert", "flickr8k-expert", "FLEUR", "tau_c", 12),
        ("mine", "mine", "FLEUR", "tau_c", 3),
        ("mine", "mine", "M", "tau_c", 3),
    ]
    assert "\\toprule" in run("correlate", *named, "--latex").out
    words = run("correlate", *named, "--dataset", "unjudged", "--metric", "M")
    assert "mine: n = 3" in words.out and "FLEUR" not in words.out
    assert "expert has no score of M." in words.err
    assert "unjudged has no human judgements of scored samples." in words.err


def test_pairs_have_their_mean_accuracy_in_the_table_of_several_data_sets(run: Run, tmp_path: Path) -> None:
    rows = []
    for number, category in enumerate(("HC", "HI", "HM", "MM")):
        for position in (0, 1):
            pair = json.dumps({"key": f"{category}#1", "position": position, "preferred": 0, "category": category})
            value = 1 - position if number else position  # wrong in the first category
            rows.append([f"{number}.jpg", f"Dog {position}.", pair, value])
    table = tmp_path / "mine.csv"
    with table.open("w", newline="") as file:
        csv.writer(file).writerows([["image", "caption", "pair", "score:M"], *rows])
    run("import", "csv", table, "--dataset", "pascal50s")
    run("import", "csv", table, "--dataset", "other")
    found = run("correlate", "--dataset", "pascal50s", "--dataset", "other", "--json").json
    assert [(one["dataset"], one["category"], one["value"]) for one in found][:1] == [("pascal50s", "mean", 75.0)]
    assert {one["quantity"] for one in found} == {"accuracy"}


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--dataset", "a", "--csv"), "needs several data sets"),
        (("flickr8k-cf", "--dataset", "a", "--dataset", "b"), "Each data set uses the rules of its own benchmark"),
        (("--dataset", "a", "--dataset", "b", "--csv", "--latex"), "only one of"),
        ((), "Choose what to correlate"),
        (("flickr8k-expert",), "Choose what to correlate"),
        (("coco", "--scores", "SCORES"), "no benchmark 'coco'"),
        (("flickr8k-expert", "--scores", "SCORES"), "Add a file with --judgements"),
        (("flickr8k-expert", "--judgements", "JUDGED", "--scores", "SCORES", "--metric", "X"), "needs --dataset"),
        (("flickr8k-expert", "--judgements", "JUDGED", "--scores", "nothing.txt"), "there is no file"),
        (("flickr8k-expert", "--judgements", "JUDGED", "--scores", "scores.dat"), "Name it with --format"),
        (("--dataset", "nothing"), "no data set 'nothing'"),
        (("--dataset", "x", "--scores", "SCORES"), "either files or --dataset"),
    ],
)
def test_a_mistake_is_one_line_that_says_what_to_do(
    run: Run, tmp_path: Path, arguments: tuple[str, ...], message: str
) -> None:
    known = {"SCORES": scores_file(tmp_path, ALL), "JUDGED": judgements_file(tmp_path)}
    code, out, err = run("correlate", *(known.get(a, a) for a in arguments))
    assert (code, out) == (2, "")
    assert message in err
    assert len(err.strip().splitlines()) == 1


def test_scores_of_other_samples_are_a_mistake(run: Run, tmp_path: Path) -> None:
    scores = scores_file(tmp_path, ALL)
    scores.write_text(scores.read_text().replace("Flickr8k_Dataset/", "Flickr8k_Dataset/other_"))
    code, _, err = run("correlate", "flickr8k-expert", "--judgements", judgements_file(tmp_path), "--scores", scores)
    assert code == 2 and "same benchmark" in err


def parts_file(folder: Path) -> Path:
    """Our own form: HICE-S's scores with precision, which orders the captions as people do."""
    rows = [
        {"image": f"{i}.jpg", "caption": caption, "scores": [
            {"metric": "HICE-S", "value": 0.5 - i / 10, "components": {"precision": i / 4, "cells": [0.5, 0.5]}}
        ]}
        for i, caption in enumerate(CAPTIONS)
    ]  # fmt: skip
    path = folder / "hice.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path


def test_parts_of_scores_are_correlated_from_files_and_from_a_data_set(run: Run, tmp_path: Path) -> None:
    judgements, scores = judgements_file(tmp_path), parts_file(tmp_path)
    files = ("flickr8k-expert", "--judgements", judgements, "--scores", scores)
    code, out, err = run("correlate", *files, "--part", "precision", "--json")
    assert code == 0, err
    rows = {(row["metric"], row["variant"]): row["tau_b"] for row in json.loads(out)}
    assert rows == {("HICE-S", ""): pytest.approx(-100), ("HICE-S#precision", "precision"): pytest.approx(100)}
    assert run("import", "flickr8k-expert", judgements, "--dataset", "d").code == 0
    assert run("import", "jsonl", scores, "--dataset", "d").code == 0
    code, out, err = run("correlate", "--dataset", "d", "--part", "precision")
    assert code == 0, err
    assert "HICE-S precision" in out
    for source in (files, ("--dataset", "d")):
        code, _, err = run("correlate", *source, "--part", "recall", "--part", "cells")
        assert (
            code != 0
            and "No score here has the component recall or cells. Components of these scores: precision." in err
        )


def test_the_reason_of_a_missing_interval_names_the_metric_and_only_a_known_variant(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "one.csv"
    rows = "".join(f"a.jpg,A dog {n}.,0.{n},0.{n}\n" for n in range(2, 8))
    path.write_text(f"image,caption,human,score:Caption length\n{rows}")
    assert run("import", "csv", str(path))[0] == 0
    code, _, remarks = run("correlate", "--dataset", "one", "--metric", "Caption length")
    assert code == 0
    assert "Caption length: no interval, because all observations are of one image." in remarks

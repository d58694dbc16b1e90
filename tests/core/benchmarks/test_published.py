"""The figures that papers printed, with their tables, and known reasons for differences."""

import csv
from pathlib import Path

import pytest

from core.benchmarks.published import FOLDER, Figure, Printed, known_reason, printed_figures, published

PARTS = {"HICE-S global": ("HICE-S", "gITC"), "HICE-S local": ("HICE-S", "lITC")}


def figure(metric: str, benchmark: str, quantity: str, category: str | None = None) -> list[Printed]:
    wanted = Figure(benchmark, metric, "smoothed", quantity, category)
    return [one for one in printed_figures() if one.figure == wanted]


def test_one_value_names_every_table_that_printed_it() -> None:
    first, second = figure("BERTScore", "flickr8k-expert", "tau_c")
    assert (first.value, first.source) == (39.2, "FLEUR, Table 1; EXPERT, Table 2; HICE-S, Table 1")
    assert (second.value, second.papers) == (46.7, ("Polos",))


def test_each_known_difference_is_about_a_printed_figure() -> None:
    found = " ".join(map(known_reason, printed_figures()))
    with (FOLDER / "reasons.csv").open(encoding="utf-8", newline="") as file:
        assert all(row["reason"] in found for row in csv.DictReader(file))
    (bleu,) = figure("BLEU-4", "nebula", "tau_c")
    assert known_reason(bleu).startswith("The figure printed as BLEU-4 is BLEU-1")
    assert known_reason(figure("CIDEr", "nebula", "tau_c")[0]) == ""


def test_the_file_has_every_printed_figure(shared_dir: Path) -> None:
    values = {(one.figure, paper): one.value for one in printed_figures() for paper in one.papers}
    with (shared_dir / "data/published/baselines.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 710
    for row in rows:
        metric, variant = PARTS.get(row["metric"], (row["metric"], "smoothed"))
        wanted = Figure(row["benchmark"], metric, variant, row["quantity"], row["category"] or None)
        assert values[wanted, row["paper"]] == pytest.approx(float(row["value"]), abs=0)


def test_figures_beside_a_row_are_those_of_its_variant_and_category() -> None:
    (smoothed,), (raw,) = (published("flickr8k-expert", "fleur", variant, None) for variant in ("smoothed", "raw"))
    assert (smoothed.value, smoothed.figure.quantity, raw.value) == (53.0, "tau_c", 34.9)
    assert [n.value for n in published("foil", "RefFLEUR", "smoothed", "foil")] == [97.3, 98.4]
    assert [n.value for n in published("foil", "FLEUR", "smoothed", "foil")] == [96.8]
    assert [n.value for n in published("pascal50s", "FLEUR", "raw", "mean")] == [65.1]
    assert [n.value for n in published("pascal50s", "FLEUR", "smoothed", "HC")] == [61.3]

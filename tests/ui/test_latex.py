"""Tables as LaTeX: hand-worked texts, and a real pdflatex that measures every box."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from tests.making import answer_all, make_study
from ui.report.latex import escaped, latex_of, latex_table
from ui.services.analysis.analyst import Analyst
from ui.services.studies.study_results import study_results
from ui.services.tables import INTERVAL, Column, Kind, Table, text
from ui.services.workplace import Workplace

METRIC: list[tuple[str, Kind]] = [("metric", "text"), ("n", "count")]


def test_characters_that_are_commands_print_as_themselves() -> None:
    assert escaped("a_b & 5 %\n{x} \\input #1 ~ ^ $y$") == (
        "a\\_b \\& 5 \\% \\{x\\} \\textbackslash{}input \\#1 \\textasciitilde{} \\textasciicircum{} \\$y\\$"
    )
    assert escaped("τ-b −0.5 ≤ 0.002 … Größe, naïve") == (
        '$\\tau$-b $-$0.5 $\\leq$ 0.002 \\ldots{} Gr\\"{o}\\ss{}e, na\\"{i}ve'
    )


def test_a_character_that_pdflatex_lacks_becomes_its_code_point() -> None:
    assert escaped("图 🐶\x00") == "[U+56FE] [U+1F436]"


def test_a_narrow_table_has_words_to_the_left_and_numbers_to_the_right() -> None:
    found = latex_of("Agreement", METRIC, [["A_1", "12"], ["B", "7"]])
    assert "\\begin{tabular}{@{}lr@{}}" in found and "\\caption{Agreement}" in found
    assert "metric & n \\\\\n\\midrule\nA\\_1 & 12 \\\\\nB & 7 \\\\\n" in found


def test_a_note_stands_below_the_table_once_with_a_letter_at_its_rows() -> None:
    lines = [["A", "1", "too few"], ["B", "2", ""], ["C", "1", "too few"], ["D", "0", "no rating"]]
    found = latex_of("T", [*METRIC, ("note", "text")], lines, "Not tested: E.")
    assert "metric & n \\\\" in found and "A & 1$^{a}$" in found and "C & 1$^{a}$" in found and "D & 0$^{b}$" in found
    assert found.count("too few") == 1 and "$^{a}$ too few" in found and "Not tested: E." in found


def test_a_wide_table_is_reduced_to_one_column_and_goes_over_both_on_request() -> None:
    heads: list[tuple[str, Kind]] = [("metric", "text"), *((f"criterion{n}", "number") for n in range(12))]
    lines = [["CLIPScore", *["0.123 (0.045)"] * 12]]
    found, wide = latex_of("Wide", heads, lines), latex_of("Wide", heads, lines, wide=True)
    assert "\\resizebox{\\columnwidth}{!}" in found and found.count("\\begin{table}") == 1
    assert "\\begin{table*}" in wide and "\\resizebox{\\textwidth}{!}" in wide
    assert "\\resizebox" not in latex_of("Narrow", METRIC, [["A", "1"]])


class Row:
    metric, ci_low, ci_high = "a metric of /a/very/long/path-to-a-model@0123456789abcdef0123456789abcdef", -0.25, 0.5


def wide_tables() -> list[str]:
    """Return tables as wide, as long and as odd as studies make them."""
    agreement: list[tuple[str, Kind]] = [
        *(("criterion", "text"), ("metric", "text"), ("coefficient", "text"), ("value", "number")),
        *(("95 % interval", "interval"), ("by chance alone", "number"), ("raters", "count"), ("shared items", "count")),
        ("note", "text"),
    ]
    line = [
        *("Informativeness", "EXPERT (without fine-tuning)", "Krippendorff’s α, ordinal", "−0.123", "−0.234 to −0.012"),
        *("0.789", "1,234", "10,000", "fewer than two raters share an item, so that nothing is known of agreement"),
    ]
    words: list[tuple[str, Kind]] = [("what", "text"), ("how", "text")]
    interval = (text("metric", "metric"), Column("95 %", INTERVAL, "interval"))
    return [
        latex_of("Agreement between raters", agreement, [line] * 9),
        latex_of("Agreement, long", agreement, [line] * 30, wide=True),
        latex_of("Methods", words, [["Left out", ", ".join(f"K{n}" for n in range(60))]]),
        latex_of("Codes", words, [["x" * 100, "&%$#_{}~^\\" * 10]]),
        latex_of("Ümläute, Ελλ and 图", METRIC, [["Größe 🐶 “q” „t“ «g» ½ °", "1"], ["a_b^c", "2"]]),
        latex_of("Capitals", [(f"HEAD {n}", "text") for n in range(9)], [["MMMMMMMMMMMM WWWWWWWWWWWW"] * 9] * 3),
        latex_table(Table("Interval", interval, [Row()], "Foot.")),
    ]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex: Debian's texlive-latex-recommended")
@pytest.mark.parametrize("paper", ["a4paper", "letterpaper"])
def test_every_table_compiles_and_no_box_is_overfull(paper: str, tmp_path: Path) -> None:
    assert overfull(wide_tables(), paper, tmp_path) == []


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex: Debian's texlive-latex-recommended")
def test_every_table_of_a_studys_paper_fits(birds: Workplace, tmp_path: Path) -> None:
    study = make_study(birds, form="expert-side-by-side")
    for number in range(12):
        answer_all(birds.repository, study, birds.repository.raters.add(f"K{number}"), 1 + number % 4)
    found = study_results(birds, study, Analyst(birds).table(study.dataset))
    every = [found.means, found.distribution, found.tests, found.agreement, found.positions, found.rater_table]
    tables = [latex_table(table) for table in every if table.rows]
    assert len(tables) > 5
    assert overfull(tables, "a4paper", tmp_path) == []


def overfull(tables: list[str], paper: str, folder: Path) -> list[str]:
    """Compile tables with pdflatex. Return the sizes of boxes that stick out by more than 5 pt."""
    head = f"\\documentclass[{paper},twocolumn]{{article}}\\usepackage{{booktabs,graphicx}}\\begin{{document}}\n"
    (folder / "all.tex").write_text(head + "\n\\clearpage\n".join(tables) + "\n\\end{document}\n", encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "all.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120)
    log = (folder / "all.log").read_text(encoding="latin-1")
    assert done.returncode == 0, log[-3000:]
    sizes = re.findall(r"Overfull \\[hv]box \(([\d.]+)pt too (?:wide|high)\)[^\n]*", log)
    return [size for size in sizes if float(size) > 5]

"""Tables as LaTeX: hand-worked texts, and a real pdflatex that measures every box."""

import re
import shutil
import subprocess
from pathlib import Path

import pytest

from core.statistics.bootstrap import Interval
from tests.making import answer_all, make_study
from ui.report.latex import escaped, latex_table
from ui.services.studies.study_results import study_results
from ui.services.tables import table_of
from ui.services.workplace import Workplace


def test_characters_that_are_commands_print_as_themselves_and_unknown_ones_as_code_points() -> None:
    assert escaped("a_b & 5 %\n{x} \\input #1 ~ ^ $y$") == (
        "a\\_b \\& 5 \\% \\{x\\} \\textbackslash{}input \\#1 \\textasciitilde{} \\textasciicircum{} \\$y\\$"
    )
    assert escaped("τ-b −0.5 ≤ 0.002 … Größe, naïve") == (
        '$\\tau$-b $-$0.5 $\\leq$ 0.002 \\ldots{} Gr\\"{o}\\ss{}e, na\\"{i}ve'
    )
    assert escaped("图 🐶\x00") == "[U+56FE] [U+1F436]"


def test_a_note_stands_below_the_table_once_with_a_letter_at_its_rows() -> None:
    rows = [("A_1", 12, "too few"), ("B", 2, ""), ("C", 1, "too few"), ("D", 0, "no rating")]
    found = latex_table(table_of("T", [dict(zip(("metric", "n", "note"), row, strict=True)) for row in rows], "Foot."))
    assert "\\begin{tabular}{@{}lr@{}}" in found and "\\caption{T}" in found
    assert (
        "metric & n \\\\\n\\midrule\nA\\_1 & 12$^{a}$ \\\\\nB & 2 \\\\\nC & 1$^{a}$ \\\\\nD & 0$^{b}$ \\\\\n" in found
    )
    assert found.count("too few") == 1 and "$^{a}$ too few" in found and "Foot." in found


def test_a_wide_table_goes_over_both_columns_on_request() -> None:
    table = table_of("Wide", [{"metric": "CLIPScore"} | {f"criterion{n}": "0.123 (0.045)" for n in range(12)}])
    assert latex_table(table).count("\\begin{table}") == 1 and "\\begin{table*}" in latex_table(table, wide=True)


def wide_tables() -> list[str]:
    """Return tables as wide, as long and as odd as studies make them."""
    line = {
        "criterion": "Informativeness", "metric": "EXPERT (without fine-tuning)", "coefficient": "α, ordinal",
        "value": -0.123, "95 % interval": Interval(-0.234, -0.012), "by chance alone": 0.789, "raters": 1234,
        "shared items": 10000, "note": "fewer than two raters share an item, so that nothing is known of agreement",
    }  # fmt: skip
    long = "a metric of /a/very/long/path-to-a-model@0123456789abcdef0123456789abcdef"
    return [
        latex_table(table_of("Agreement between raters", [line] * 9)),
        latex_table(table_of("Agreement, long", [line] * 30), wide=True),
        latex_table(table_of("Methods", [{"what": "Left out", "how": ", ".join(f"K{n}" for n in range(60))}])),
        latex_table(table_of("Codes", [{"what": "x" * 100, "how": "&%$#_{}~^\\" * 10}])),
        latex_table(table_of("Ümläute, Ελλ and 图", [{"metric": "Größe 🐶 “q” „t“ «g» ½ °", "n": 1}])),
        latex_table(table_of("Capitals", [{f"HEAD {n}": "MMMMMMMMMMMM WWWWWWWWWWWW" for n in range(9)}] * 3)),
        latex_table(table_of("Interval", [{"metric": long, "95 % interval": Interval(-0.25, 0.5)}], "Foot.")),
    ]


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex: Debian's texlive-latex-recommended")
def test_every_table_compiles_and_no_box_is_overfull(tmp_path: Path) -> None:
    assert overfull(wide_tables(), tmp_path) == []


@pytest.mark.skipif(shutil.which("pdflatex") is None, reason="needs pdflatex: Debian's texlive-latex-recommended")
def test_every_table_of_a_studys_paper_fits(birds: Workplace, tmp_path: Path) -> None:
    study = make_study(birds, form="expert-side-by-side")
    for number in range(12):
        answer_all(birds.repository, study, birds.repository.raters.add(f"K{number}"), 1 + number % 4)
    found = study_results(birds, study)
    every = [found.means, found.distribution, found.tests, found.agreement, found.rater_table]
    tables = [latex_table(table) for table in every if table.rows]
    assert len(tables) == 5
    assert overfull(tables, tmp_path) == []


def overfull(tables: list[str], folder: Path) -> list[str]:
    """Compile tables with pdflatex. Return the sizes of boxes that stick out by more than 5 pt."""
    head = "\\documentclass[a4paper,twocolumn]{article}\\usepackage{booktabs,graphicx}\\begin{document}\n"
    (folder / "all.tex").write_text(head + "\n\\clearpage\n".join(tables) + "\n\\end{document}\n", encoding="utf-8")
    command = ["pdflatex", "-interaction=nonstopmode", "-halt-on-error", "-no-shell-escape", "all.tex"]
    done = subprocess.run(command, cwd=folder, capture_output=True, timeout=120)
    log = (folder / "all.log").read_text(encoding="latin-1")
    assert done.returncode == 0, log[-3000:]
    sizes = re.findall(r"Overfull \\[hv]box \(([\d.]+)pt too (?:wide|high)\)[^\n]*", log)
    return [size for size in sizes if float(size) > 5]

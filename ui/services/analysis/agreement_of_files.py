"""Agreement of metrics with human judgement, computed from files of scores and judgements without a database."""

from collections.abc import Sequence
from pathlib import Path

from core.analysis.column_names import split
from core.benchmarks.columns import by_metric
from core.benchmarks.matching import Joined, join
from core.datasets import Format, Record, benchmark_named, format_named, judgement_format, raise_bad, score_format
from core.errors import BadSetting
from core.long_work.progress import Progress, no_progress
from ui.services.analysis.agreement import INTERVALS, check_parts, counted, tables, undefined
from ui.services.analysis.section import Found


def of_files(
    benchmark: str,
    judgements: Path | None,
    scores: Sequence[Path],
    format_name: str | None = None,
    progress: Progress = no_progress,
    parts: Sequence[str] = (),
) -> Found:
    """Correlate scores from result files with a benchmark's file of judgements.

    Without a file of judgements, the labels in the result files are used. parts: components of the scores, such as
    "precision", to correlate too. Raises NotFound, BadFile, BadRow, BadSetting.
    """
    from core.benchmarks.figures import correlated

    benchmark_named(benchmark)
    judged = [] if judgements is None else _read(judgements, judgement_format(benchmark, judgements), progress)
    named = format_named(format_name) if format_name else None
    scored = [_read(file, named or score_format(file), progress) for file in scores]
    joined = join(judged, *scored)
    if not joined.rows:
        raise BadSetting(_nothing(joined, len(judged), sum(map(len, scored))))
    columns = by_metric(joined.rows, parts)
    check_parts(parts, columns, {n for row in joined.rows for n in row.score.components if row.part(n) is not None})
    found = correlated(benchmark, columns, tuple(columns))
    if found.is_empty:
        raise BadSetting(f"The scores have no human judgements, which {benchmark} needs. Add a file with --judgements.")
    labels = {name: " ".join(filter(None, split(name))) for name in columns}
    notes = [*_left_over(joined), *counted(found, columns), *undefined(found, labels), INTERVALS]
    return Found(tables(found, {name: (split(name)[0], label) for name, label in labels.items()}), notes=notes)


def _read(file: Path, known: Format, progress: Progress) -> list[Record]:
    def show(done: int, total: int) -> None:
        progress(f"Reading {file.name}", done, total)

    return list(known.read(file, raise_bad, show))


def _nothing(joined: Joined, judged: int, scored: int) -> str:
    if joined.errors:
        return f"None of the {joined.errors} scores could be computed. The score file contains only errors."
    return (
        f"No scored sample has the same picture and caption as a judged sample ({scored} scored, {judged} judged). "
        "Check that both files belong to the same benchmark."
    )


def _left_over(joined: Joined) -> list[str]:
    counts = (
        (joined.without_score, "judged samples have no score"),
        (joined.without_judgement, "scored samples have no judgement"),
        (joined.errors, "scores could not be computed"),
    )
    return [f"{number:,} {what} and are excluded." for number, what in counts if number]

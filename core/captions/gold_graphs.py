"""Read captions with their gold scene graphs, as the FACTUAL corpus publishes them: CSV with a header.

Files of ours may have two columns more: `main`, the fact that a simple caption is about, and `part`.
"""

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from core.captions.facts import Fact, read_facts
from core.errors import BadFile, BadRow

COLUMNS = ("caption", "scene_graph")


@dataclass(frozen=True, slots=True)
class GoldGraph:
    """A caption and the facts that annotators found in it."""

    caption: str
    facts: tuple[Fact, ...]
    main: Fact | None = None  # what a simple caption says first of all, where the file has a column for it
    part: str = ""  # of the file, where it has a column for it


def read_gold_graphs(file: Path) -> list[GoldGraph]:
    """Return the rows of a FACTUAL file in order; columns other than caption and scene_graph are passed over.

    Raises BadFile for a file that is missing or of another kind, BadRow for a graph without a fact.
    """
    try:
        with file.open(encoding="utf-8-sig", newline="") as lines:
            rows = csv.DictReader(lines, strict=True)
            missing = [name for name in COLUMNS if name not in (rows.fieldnames or ())]
            if missing:
                raise BadFile(
                    file, f"expected the columns {' and '.join(COLUMNS)}, found no {' and no '.join(missing)}"
                )
            return [gold_graph(file, number, row) for number, row in enumerate(rows, start=2)]
    except OSError as error:
        raise BadFile(file, f"it cannot be read: {error.strerror}") from error
    except (csv.Error, UnicodeDecodeError) as error:
        raise BadFile(file, f"expected CSV in UTF-8, but {error}") from error


def gold_graph(file: Path, number: int, row: Mapping[str, str | None]) -> GoldGraph:
    """Return one row. Raises BadRow."""
    caption, graph = row["caption"] or "", row["scene_graph"] or ""
    facts = read_facts(graph)
    if not facts:
        raise BadRow(file, number, "scene_graph", "facts such as ( man , hold , umbrella )", graph)
    main = read_facts(row.get("main") or "")
    return GoldGraph(caption, facts, main[0] if main else None, row.get("part") or "")

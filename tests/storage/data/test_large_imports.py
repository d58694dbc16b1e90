"""An import of many rows holds few of them in memory, and writes them in few statements."""

import json
import tracemalloc
from pathlib import Path

from storage.types import Search
from tests.making import import_rows, rows
from tests.statements import statements
from ui.services.importing.importing import import_files
from ui.services.workplace import Workplace

ROWS, LETTERS = 3_000, 4_900


def test_memory_does_not_grow_with_the_texts(workplace: Workplace, tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    with file.open("w", encoding="utf-8") as written:
        for n in range(ROWS):
            texts = {"caption": f"{n} ".ljust(LETTERS, "a"), "references": ["b" * LETTERS]}
            row = {"id": str(n), "image": f"{n}.jpg", **texts}
            written.write(json.dumps(row) + "\n")
    import_rows(workplace, tmp_path, rows(1))  # loads what imports need
    tracemalloc.start()
    try:
        import_files(workplace, "jsonl", [file])
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < file.stat().st_size


def test_gaps_of_many_samples_are_filled_together(workplace: Workplace, tmp_path: Path) -> None:
    given = rows(8)
    known = ("id", "image", "caption")
    import_rows(workplace, tmp_path, [{name: row[name] for name in known} for row in given])
    with statements(workplace.repository.database) as seen:
        import_rows(workplace, tmp_path, given)
    assert len([sql for sql in seen if sql.startswith("UPDATE samples")]) == 1
    found = workplace.repository.samples.search(Search(None, ""), 0, 100).samples
    told = {one.sample.key: (one.sample.human, one.sample.references, one.sample.judgements) for one in found}
    assert told == {row["id"]: (row["human"], tuple(row["references"]), tuple(row["judgements"])) for row in given}

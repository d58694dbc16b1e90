"""An import of many rows holds few of them in memory."""

import json
import tracemalloc
from pathlib import Path

from tests.making import import_rows, rows
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

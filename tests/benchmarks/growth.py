"""How the cost of one step grows: the same step at several sizes, its slope, and the data that it works on.

A slope is that of a straight line through the logarithms of sizes and seconds: 0 is flat, 1 linear, 2 quadratic.
"""

import os
import sqlite3
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np

from tests.benchmarks.rows import Row
from tests.benchmarks.studies import workplace

METRICS = ("CIDEr", "CLIPScore")
DATASET = "large"
CAPTIONS_A_PICTURE, STEPS = 5, 101
_SIZES = (10_000, 100_000, 1_000_000)


def sizes() -> tuple[int, ...]:
    """Return the numbers of samples to measure, none above CAPSCOPE_GROWTH_MAX where that is set."""
    most = int(os.environ.get("CAPSCOPE_GROWTH_MAX", _SIZES[-1]))
    return tuple(size for size in _SIZES if size <= most)


def slope(seconds: Mapping[int, float]) -> float | None:
    """Return how seconds grow with sizes, as the power of the size; None for fewer than two sizes."""
    if len(seconds) < 2:
        return None
    x, y = np.log(list(seconds)), np.log(list(seconds.values()))
    return float(np.polyfit(x, y, 1)[0])


def rows(
    what: str,
    seconds: Mapping[int, float],
    most: Mapping[int, float],
    theirs: Mapping[int, float] | None = None,
    other: str = "",
    notes: Sequence[str] = (),
) -> list[Row]:
    """Return a row for each size, in seconds; the slope stands beside the largest.

    `most` are the limits by size, `theirs` what `other` needs for the same, `notes` one for each size.
    """
    grows = slope(seconds)
    made = []
    for place, (size, spent) in enumerate(seconds.items()):
        words = [notes[place]] if place < len(notes) and notes[place] else []
        if size == max(seconds) and grows is not None:
            words.append(f"slope {grows:.2f}")
        beside = None if theirs is None else theirs.get(size)
        note = ", ".join(words)
        made.append(
            Row(f"{what}, {size:,}", spent, "s", beside, other if beside else "", most=most.get(size), note=note)
        )
    return made


def large_data(data_dir: Path, size: int, metrics: Sequence[str] = METRICS) -> Path:
    """Make a data folder with one data set of so many samples, written by SQL; returns the database's file.

    Five captions a picture, no picture files, human scores in 101 steps, one caption of a hundred without a score of
    the second metric. Numbers come from the row's number, so that the same size gives the same data everywhere.
    """
    with workplace(data_dir):
        pass  # makes the folder and the tables
    database = data_dir / "capscope.db"
    with sqlite3.connect(database) as connection:
        time = "2026-01-01 12:00:00.000000"
        connection.execute("INSERT INTO datasets (name, notice, created_at) VALUES (?, '', ?)", (DATASET, time))
        dataset = connection.execute("SELECT id FROM datasets WHERE name = ?", (DATASET,)).fetchone()[0]
        connection.execute(_PICTURES, {"dataset": dataset, "count": -(-size // CAPTIONS_A_PICTURE)})
        connection.execute(_SAMPLES, {"dataset": dataset, "count": size})
        for place, metric in enumerate(metrics):
            connection.execute(_SCORES, {"dataset": dataset, "metric": metric, "place": place})
    connection.close()
    return database


_NUMBERS = "WITH RECURSIVE numbers(n) AS (SELECT 0 UNION ALL SELECT n + 1 FROM numbers WHERE n + 1 < :count)"
_PICTURES = f"""INSERT INTO images (dataset_id, name) {_NUMBERS} SELECT :dataset, printf('%07d.jpg', n) FROM numbers"""
_SAMPLES = f"""INSERT INTO samples (dataset_id, image_id, key, candidate, "references", human, judgements)
  {_NUMBERS} SELECT :dataset, images.id, printf('%07d', n),
    'a ' || CASE n % 7 WHEN 0 THEN 'red' WHEN 1 THEN 'blue' WHEN 2 THEN 'green' ELSE 'small' END || ' ' ||
    CASE n % 11 WHEN 0 THEN 'dog' WHEN 1 THEN 'cat' WHEN 2 THEN 'bus' ELSE 'table' END || ' near number ' || n,
    '["a dog near a table", "one cat on the street"]', n * 7919 % {STEPS} / {STEPS - 1}.0, '[]'
  FROM numbers JOIN images ON images.dataset_id = :dataset
    AND images.name = printf('%07d.jpg', n / {CAPTIONS_A_PICTURE})"""
_SCORES = """INSERT INTO scores (sample_id, metric, signature, value, scale_low, scale_high, components, rationales,
    phrases, regions, explained, error_kind, error_message)
  SELECT id, :metric, :metric || '|v1', CASE WHEN :place = 1 AND id % 100 = 7 THEN NULL
      ELSE (id * (7907 + :place * 13) % 10007) / 10007.0 END, 0, 1, '{}', '{}', '[]', '[]', 0,
    CASE WHEN :place = 1 AND id % 100 = 7 THEN 'other' END, CASE WHEN :place = 1 AND id % 100 = 7 THEN 'no answer' END
  FROM samples WHERE dataset_id = :dataset"""

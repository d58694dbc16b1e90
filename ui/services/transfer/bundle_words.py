"""Texts of a bundle: how to open it, the protocol, and the meaning of each column."""

import csv
import io
from collections.abc import Iterable
from dataclasses import asdict
from importlib.metadata import PackageNotFoundError, version
from typing import Any

from core.studies.results.dictionary import MEANINGS
from core.studies.results.participants import FlowStep
from storage.study_types import Study
from storage.transfer.dictionary import described_columns

# Packages for statistics, parsing, drawing and storage, whose versions may change results.
_COMPUTING = ("numpy", "scipy", "pandas", "krippendorff", "spacy", "sqlalchemy", "pyarrow", "pillow")
_README = """# {study}

A study made with Capscope: raters' judgements of explanations of image-caption metrics, and all data from which its
report is computed. Raters appear only as codes.

| file | content |
|---|---|
| `ratings.csv` | one row for each answer, as exported; text that a spreadsheet would run as a formula starts with ' |
| `data_dictionary.csv` | the meaning, unit and range of every column of every file |
| `protocol.json` | form, criteria, draw, seed, strata, who rated how much, participant flow, package versions |
| `form.toml` | the form as raters saw it, SHA-256 {sha256} |
| `notice.txt` | what the providers of the data set {dataset} want everybody to know |
| `tables/*.jsonl` | the rows of the database: items, assignments with the order of panels, every event, ratings, \
scores with their signatures, codebooks and codings, the whole data set on which metrics are compared |
| `pictures/` | pictures without metadata, named by their SHA-256; only if the bundle was made with pictures |
| `manifest.json` | SHA-256 of every file |

With Capscope (in a clone of its repository, type `python app.py` instead of `capscope`):

    capscope report THIS.zip --to report.html     # make the same report, byte for byte
    capscope import bundle THIS.zip               # import the bundle as a study

Captions, scores and pictures have the licences of the data set from which they come. The ratings belong to the people
who ran the study.
"""


def readme(study: Study) -> str:
    """Return the bundle's README."""
    return _README.format(study=study.name, dataset=study.dataset, sha256=study.asks.sha256)


def protocol(study: Study, flow: Iterable[FlowStep]) -> dict[str, Any]:
    """Return how a study was made and carried out, as JSON values."""
    return {
        "study": study.name,
        "dataset": study.dataset,
        "form": {"key": study.asks.key, "version": study.version, "sha256": study.asks.sha256},
        "layout": study.form,
        "criteria": [asdict(one) for one in study.asks.criteria if one.key in study.criteria],
        "introduction": asdict(study.asks.introduction),
        "metrics": study.metrics,
        "items": study.items,
        "strata": dict(study.strata),
        "participant_flow": [asdict(step) for step in flow],
        **study.options(),
        "course": {**asdict(study.course), "deadline": study.course.deadline and study.course.deadline.isoformat()},
        "created_at": f"{study.created_at.isoformat(timespec='seconds')}Z",
        "versions": dict(_versions()),
    }


def _versions() -> Iterable[tuple[str, str]]:
    for name in _COMPUTING:
        try:
            yield name, version(name)
        except PackageNotFoundError:
            continue


def dictionary_csv() -> str:
    """Return the meaning of every column of a bundle's files, as CSV."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(("file", "column", "type", "unit or range", "meaning"))
    rows = [("ratings.csv", name, meaning) for name, meaning in MEANINGS.items()]
    rows += [(f"tables/{one.table}.jsonl", one.column, one.meaning) for one in described_columns()]
    writer.writerows((file, name, meaning.type, meaning.range, meaning.text) for file, name, meaning in rows)
    return text.getvalue()

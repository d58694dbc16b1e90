"""What a newcomer touches: a metric, a format with its benchmark, a form and a JSON route are added to a copy.

A metric and a format are one file and one line, a form is one file, a route is one function and one line of the table
of routes. Nothing else is edited. The walk through import, scoring, pages, raters' answers, figures, report and export
is tests/newcomer_walk.py.
"""

import os
import re
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest

from core.studies.planning.study_request import StudyRequest
from core.studies.study_design import StudyDesign
from tests.making import import_rows, rows
from ui.services.studies import actions as services
from ui.services.workplace import open_workplace
from ui.settings import Settings

ROOT = Path(__file__).resolve().parents[1]

METRIC = '''
"""A toy: longer captions are better. It needs no weights and looks at no picture."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Self

from core.datasets.benchmark import Published
from core.models import Checkpoint, ModelSettings
from core.signature import signature
from core.types import Explanation, Outcome, Sample, Score


class WordCount:
    """Words of the caption, out of twenty."""

    name: ClassVar[str] = "WordCount"
    paper: ClassVar[str] = "https://example.org/words"
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)
    requires_references: ClassVar[bool] = False
    needs_image: ClassVar[bool] = False
    shows_regions: ClassVar[bool] = False
    checkpoints: ClassVar[tuple[Checkpoint, ...]] = ()
    meanings: ClassVar[Mapping[str, str]] = {"words": "How many words the caption has."}
    published: ClassVar[tuple[Published, ...]] = (Published("WordCount", "toy", "tau_b", 45.6, "Words", "Table 2"),)

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        return cls()

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        for sample in samples:
            words = len(sample.candidate.split())
            why = Explanation({"overall": f"It has {words} words."})
            yield Score(self.name, min(1.0, words / 20), self.signature(), self.scale, {"words": float(words)}, why)

    def signature(self) -> str:
        return signature(self.name)
'''

FORMAT = '''
"""A toy: lines of picture, caption and one judgement from 1 to 7, between tabs."""

from collections.abc import Iterator

from core.datasets.base import Format, Record, Source
from core.datasets.benchmark import Benchmark, Published
from core.datasets.files import lines
from core.datasets.flickr8k import rescaled

SCALE = (1.0, 7.0)


def read(source: Source) -> Iterator[Record]:
    for number, line in enumerate(lines(source), start=1):
        image, caption, point = line.split("\\t")
        given = (float(point),)
        yield Record(source.path, number, image, caption, human=rescaled(given, SCALE), judgements=given)


TOY = Format(
    name="toy",
    summary="a toy",
    suffixes=(".tsv",),
    reader=read,
    benchmark=Benchmark(
        "toy", "b", human_scale=SCALE, published=(Published("WordCount", "toy", "tau_b", 12.3, "Toy", "Table 1"),)
    ),
)
'''

ROUTE = '''

@dataclass(frozen=True, slots=True)
class LongestCaption:
    """The longest caption of a data set."""

    caption: str


@ROUTER.get("/longest-caption")
def longest_caption(dataset: str, repository: RepositoryDep) -> LongestCaption:
    """Return the longest caption of a data set."""
    found = repository.samples.search(Search(dataset), 0, 100, None)
    return LongestCaption(max((one.sample.candidate for one in found.samples), key=len))
'''

FORM = """
key = "toy-form"
title = "A toy"
layout = "single"

[introduction]
paragraphs = ["You see {items} pictures and are asked {criteria}."]

[[criteria]]
key = "clarity"
name = "Clarity"
question = "Clarity?"
points = [
  { text = "Point 1." }, { text = "Point 2." }, { text = "Point 3." }, { text = "Point 4." },
  { text = "Point 5." }, { text = "Point 6." }, { text = "Point 7." },
]
abstain = { text = "Nobody can say." }

[[criteria]]
key = "fit"
name = "Fit"
question = "Fit?"
points = [{ text = "No." }, { text = "Yes." }]

[[criteria]]
key = "factuality"
name = "Truth"
question = "Truth?"
points = [{ text = "Bad." }, { text = "Poor." }, { text = "Fair." }, { text = "Good." }]
"""


@pytest.fixture
def house(tmp_path: Path) -> Path:
    """A copy of the product with the toys in it."""
    for room in ("core", "storage", "ui"):
        shutil.copytree(ROOT / room, tmp_path / room)
    for beside in ("assets", "tests"):
        (tmp_path / beside).symlink_to(ROOT / beside)
    metrics, formats = tmp_path / "core/metrics", tmp_path / "core/datasets"
    (metrics / "word_count.py").write_text(METRIC.lstrip())
    insert(metrics / "__init__.py", "    RefHICE,\n", "    WordCount,\n")
    insert(metrics / "__init__.py", "import Polos\n", "from core.metrics.word_count import WordCount\n")
    (formats / "toy.py").write_text(FORMAT.lstrip())
    insert(formats / "__init__.py", "    NEBULA,\n", "    TOY,\n")
    insert(formats / "__init__.py", "import NEBULA_EXP, POLARIS_EXP\n", "from core.datasets.toy import TOY\n")
    (tmp_path / "core/studies/forms/toy_form.toml").write_text(FORM.lstrip())
    with (tmp_path / "ui/web/routes/browse.py").open("a") as routes:
        routes.write(ROUTE)
    insert(tmp_path / "ui/web/access/route_table.py", '    "viewer": (\n', '        *_get("/api/longest-caption"),\n')
    return tmp_path


def insert(file: Path, behind: str, new: str) -> None:
    text = file.read_text()
    assert behind in text, f"{file.name} no longer has {behind!r}"
    file.write_text(text.replace(behind, behind + new, 1))


@pytest.mark.parametrize("option", ["uniform"])
def test_an_option_of_a_study_stands_in_at_most_nine_files(option: str) -> None:
    """Declared, stored, described, asked for on the command line and in the wizard, put into words, drawn."""
    assert option in {one.name for one in fields(StudyDesign)}
    rooms = ("core/studies", "storage", "ui")
    files = [file for room in rooms for kind in ("*.py", "*.js") for file in (ROOT / room).rglob(kind)]
    named = [file.relative_to(ROOT).as_posix() for file in files if names(option, file.read_text(encoding="utf-8"))]
    assert len(named) <= 9, named


def names(option: str, text: str) -> bool:
    return re.search(rf"\b{option}\b", text) is not None


def test_one_of_each_kind_is_one_file_and_one_line_and_goes_all_the_way(house: Path, tmp_path: Path) -> None:
    workplace = open_workplace(Settings(data_dir=tmp_path / "data"))
    import_rows(workplace, tmp_path / "files", rows(3))
    services.create_study(workplace, StudyRequest("before", "birds", seed=1))
    workplace.repository.close()
    command = [sys.executable, "-m", "tests.newcomer_walk", str(tmp_path / "data")]
    environment = os.environ | {"PYTHONPATH": str(house), "PYTHONDONTWRITEBYTECODE": "1"}
    walk = subprocess.run(command, cwd=house, env=environment, capture_output=True, text=True, check=False)
    assert (walk.returncode, walk.stdout.strip()) == (0, "walked"), walk.stderr[-3000:]

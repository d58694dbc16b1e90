"""What PostgreSQL tells of the same rows is what SQLite tells: every kind of question, in the same order."""

from collections.abc import Callable, Iterator
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from core.analysis.score_table import no_parts
from core.analysis.slice_conditions import Range
from core.analysis.slices import Slice
from core.costs import Usage
from core.regions import masks
from core.types import EvaluationError, Explanation, ImageRegion, Phrase, Region, Score
from storage import Repository, open_repository
from storage.transfer.moving import copy_rows
from storage.types import Search
from tests.conftest import copied
from tests.making import METRICS, answer_all, import_rows, make_study, note, reveal, rows
from tests.postgresql import Postgres
from ui.services.workplace import Workplace

Both = tuple[Repository, Repository]
IDS = np.array([1, 2, 3, 4, 5, 6])
_DAY = timedelta(days=1)


@pytest.fixture(scope="module")
def both(birds_folder: Path, postgres: Postgres, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Both]:
    """A database with rows in nearly every table, and its copy in PostgreSQL."""
    folder = tmp_path_factory.mktemp("same")
    with copied(birds_folder, folder / "data") as workplace, postgres.copy("empty") as address:
        _fill(workplace, folder)
        other = open_repository(address)
        with workplace.repository.database.read() as connection:
            copy_rows(connection, other.database)
        yield workplace.repository, other
        other.close()


def _fill(workplace: Workplace, folder: Path) -> None:
    repository = workplace.repository
    more = rows(4)
    more[1] |= {"human": None, "image": "missing.png", "caption": "Ünder_scores & % 100"}
    more[2] |= {"judgements": [1, 2, 3], "scores": more[2]["scores"][:1]}
    import_rows(workplace, folder / "more", more, "Aviary")
    shapes = ImageRegion(masks.full((48, 64)), (48, 64), "sky"), ImageRegion(masks.full((48, 64)), (48, 64), None)
    repository.annotate("birds", {"secretpicture-0.png": shapes[:1], "secretpicture-2.png": shapes}, ["sky", "dog"])
    regions = (Region(masks.full((48, 64)), (48, 64), "sky", False, 0.7, None, True),)
    explained = Explanation({}, (Phrase("A caption", (0, 9), 0.5, 0, "correct"),), regions, 0.5, "labels/m@1")
    parts = {"precision": 0.25, "recall": 0.75, "raw": 1e-7}
    for sample, mark in ((2, "HICE-S|v:1"), (1, "HICE-S|v:1"), (1, "HICE-S|v:2")):
        repository.scores.save(sample, Score("HICE-S", 0.5, mark, components=parts, explanation=explained))
    told = Usage(2, 1, 10**12, 5, 10**12 + 5)  # more than a column of 32 bits holds
    repository.scores.save(2, Score("FLEUR", 0.5, "FLEUR|v:1", usage=told, seconds={"model": 1e-7, "picture": 0.1}))
    repository.scores.save(3, EvaluationError("HICE-S", "HICE-S|v:1", "missing_regions", "There are none."))
    repository.codings.set(2, METRICS[0], "polos", "Zoë", "OCLD")
    repository.codings.set(2, METRICS[0], "polos", "Ann", "SE")
    repository.slices.save("birds", Slice("high", metric=METRICS[1], score=Range(0.5, 1.0)))
    repository.samples.set_notice("birds", "Changed after it was stored.")
    for number, request in enumerate(({"form": "side_by_side", "size": 3}, {"raters_per_item": 1, "overlay": True})):
        study = make_study(workplace, f"study {number}", **request)
        for code in ("K7", "K8"):
            rater = repository.raters.add(f"{code}-{number}")
            answer_all(repository, study, rater, point=1 + number)
            for item in repository.desk.queue(study.id, rater, 1, 1).items:
                repository.save(rater, [reveal(item), note(item, f"seen by {code}")])
    repository.links.enter(repository.links.make(1, "K7-0", 2)[0], "", "Firefox")
    repository.links.make(1)
    for name in ("b@x", "a_b@x", "aa@x"):
        repository.accounts.new_link(repository.accounts.add(name, "viewer").name, _DAY)
        repository.audit.add(name, "study made", "study 1")


ASKED: dict[str, Callable[[Repository], Any]] = {
    "data sets": lambda r: r.samples.datasets(),
    "samples": lambda r: list(r.samples.many(r.samples.ids(Search()))),
    "a sample": lambda r: [r.samples.get(sample) for sample in (1, 2, 3, 8)],
    "pictures": lambda r: (
        r.samples.pictures("birds"),
        r.samples.has_regions("birds"),
        r.samples.has_regions("Aviary"),
    ),
    "candidates": lambda r: r.samples.candidates("birds"),
    "unscored": lambda r: tuple(r.scores.unscored("birds", "HICE-S|v:1", retry_errors=True)),
    "counts": lambda r: (r.scores.count("birds", "HICE-S|v:1"), sorted(r.scores.values("birds", "HICE-S|v:1").items())),
    "costs": lambda r: r.scores.costs("birds"),
    "score table": lambda r: replace(r.analysis.table("birds"), part=no_parts),  # a reader of parts equals no other
    "part of scores": lambda r: r.analysis.table("birds").find("HICE-S#precision"),
    "judgements": lambda r: (r.analysis.judged("birds"), r.analysis.judged("Aviary")),
    "ratings": lambda r: [r.analysis.ratings(sample) for sample in range(1, 7)],
    "mean points": lambda r: r.analysis.mean_points("birds", "factuality", IDS),
    "regions told": lambda r: (r.analysis.telling_metrics("birds"), r.analysis.mentions("birds", "HICE-S|v:1")),
    "explanations": lambda r: r.analysis.explanations("birds", IDS),
    "scored data sets": lambda r: (r.analysis.scored_datasets(), r.analysis.labels("birds"), r.analysis.stamp("birds")),
    "rated studies": lambda r: (r.analysis.studies("birds"), r.analysis.ratings_stamp()),
    "codings": lambda r: (set(r.codings.coded("birds", METRICS[0], "polos").codings), r.codings.by_sample("birds")),
    "codes": lambda r: r.codings.used("birds"),
    "slices": lambda r: r.slices.all("birds"),
    "studies": lambda r: (r.studies.overview(), r.studies.reading([1, 2])),
    "records": lambda r: [list(r.studies.records(study.id)) for study in r.studies.all()],
    "how raters work": lambda r: (r.quality.columns(1), r.quality.watch(1)),
    "queues": lambda r: [r.desk.queue(s, r.raters.named(f"{c}-{s - 1}"), 1, 20) for s in (1, 2) for c in ("K7", "K8")],
    "accounts": lambda r: (r.accounts.all(), r.sessions.all(), list(r.audit.all()), r.audit.newest(2)),
    "links": lambda r: r.links.of_study(1),
}
SEARCHES = [
    Search("birds", text="NUMBER 1"),
    Search(text="_scores & % 1"),
    Search(metric="HICE-S", sort="score", falling=True),
    Search("birds", metric=METRICS[0], sort="error"),
    Search("birds", metric=METRICS[0], sort="disagreement", other=METRICS[2]),
    Search(metric=METRICS[0], lowest=0.2, highest=0.7, picture=True),
    Search(regions=True, explained=True),
    Search(metric="HICE-S", explained=False),
    Search(code="SE"),
    Search(among=(9, 2, 5, 2**40)),
    Search(among=()),
]


@pytest.mark.parametrize("question", ASKED.values(), ids=ASKED)
def test_both_answer_alike(both: Both, question: Callable[[Repository], Any]) -> None:
    here, there = map(question, both)
    assert repr(there) == repr(here)
    assert repr(here) not in ("[]", "()", "{}")


@pytest.mark.parametrize("wanted", SEARCHES, ids=str)
def test_both_find_the_same_samples_in_the_same_order(both: Both, wanted: Search) -> None:
    here, there = (repository.samples.search(wanted, 0, 5) for repository in both)
    assert there == here and (here.total > 0) == (wanted.among != ())


def test_both_copy_samples_in_the_order_that_is_asked_for(both: Both) -> None:
    for repository in both:
        assert repository.copy_samples("birds", [5, 1, 3], "some") == 3
    here, there = (list(repository.samples.many(repository.samples.ids(Search("some")))) for repository in both)
    assert [(one.sample, one.outcomes) for one in there] == [(one.sample, one.outcomes) for one in here]
    assert [one.sample.key for one in here] == [f"secretkey-{n}" for n in (4, 0, 2)]

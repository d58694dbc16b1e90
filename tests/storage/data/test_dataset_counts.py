"""The counts that triggers keep are those of counting anew, whoever wrote what, on both databases."""

import random
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, delete, func, select, update

from core.errors import CapscopeError
from core.regions import masks
from core.types import EvaluationError, Explanation, ImageRegion, Score
from storage.data.hidden_datasets import hide
from storage.tables import AnnotationRow, DatasetCountRow, DatasetRow, ImageRow, SampleRow, ScoreRow, as_text
from storage.types import DatasetSummary, Search
from tests.making import import_rows, rows
from ui.services.workplace import Workplace

REGION = ImageRegion(masks.full((48, 64)), (48, 64), "sky")


def counted(connection: Connection, dataset: Any) -> DatasetSummary:
    """Count a data set's rows."""
    samples = connection.execute(
        select(SampleRow.id, as_text(SampleRow.judgements).label("said")).where(SampleRow.dataset_id == dataset.id)
    ).all()
    images = connection.execute(select(ImageRow.id, ImageRow.path).where(ImageRow.dataset_id == dataset.id)).all()
    ours = select(ScoreRow.metric, ScoreRow.value, ScoreRow.explained).join(SampleRow)
    scores = connection.execute(ours.where(SampleRow.dataset_id == dataset.id)).all()
    regions = select(func.count(AnnotationRow.image_id.distinct())).join(
        ImageRow, ImageRow.id == AnnotationRow.image_id
    )
    with_value = Counter(row.metric for row in scores if row.value is not None)
    return DatasetSummary(
        name=dataset.name,
        notice=dataset.notice,
        samples=len(samples),
        scores={metric: with_value[metric] for metric in sorted({row.metric for row in scores})},
        explained=dict(Counter(row.metric for row in scores if row.explained)),
        images_found=sum(row.path is not None for row in images),
        images_missing=sum(row.path is None for row in images),
        annotated=connection.scalar(regions.where(ImageRow.dataset_id == dataset.id)) or 0,
    )


def check(workplace: Workplace) -> tuple[DatasetSummary, ...]:
    """Compare what is kept with counting anew, of hidden data sets as well; returns what everybody sees."""
    with workplace.repository.database.read() as connection:
        known = connection.execute(select(*DatasetRow.__table__.columns).order_by(DatasetRow.name)).all()
        anew = {row.id: counted(connection, row) for row in known}
        kept = connection.execute(select(*DatasetCountRow.__table__.columns)).all()
        assert {row.dataset_id for row in kept} <= anew.keys()
        hidden = {row.id for row in known if row.hidden}
        assert sum(row.number for row in kept if row.counted == "samples") == sum(one.samples for one in anew.values())
    seen = workplace.repository.samples.datasets()
    assert seen == tuple(one for number, one in anew.items() if number not in hidden)
    return seen


class Anything:
    """Random work on data sets, through the verbs that everybody uses and on rows themselves."""

    def __init__(self, workplace: Workplace, folder: Path, seed: int) -> None:
        self.workplace, self.folder, self.draw = workplace, folder, random.Random(seed)
        self.repository, self.done = workplace.repository, 0

    def step(self) -> str:
        """Do one thing; returns which."""
        self.done += 1
        does = self.draw.choice([
            self.imports, self.imports, self.scores, self.scores, self.annotates, self.copies, self.deletes,
            self.changes_rows, self.deletes_rows,
        ])  # fmt: skip
        try:
            does()
        except CapscopeError as error:  # what is refused leaves the counts as they are
            return f"{does.__name__}: {error}"
        return str(does.__name__)

    def imports(self) -> None:
        """Bring new samples, and what older ones were missing."""
        made = rows(self.draw.randint(1, 5))
        for row in made:
            row["id"] = f"k{self.draw.randint(0, 12)}"
            row["image"] = f"p{row['id']}.png"
            row["caption"] = f"Caption of {row['id']}"
            row["judgements"] = self.draw.choice([[], [], [2], [2, 2], [2, 2.0, 2], [2, 3], [0.1, 0.1]])
            row["scores"] = row["scores"][: self.draw.randint(0, 3)]
            for one in row["scores"]:
                one["value"] = 0.5
                if self.draw.random() < 0.3:
                    del one["rationales"]
                if self.draw.random() < 0.2:
                    one |= {"error": {"kind": "no_score", "message": "No."}}
                    del one["value"]
        where = self.folder / f"f{self.done}"
        if self.draw.random() < 0.5:
            import_rows(self.workplace, where, made, self.draw.choice(["a", "b"]), skip_bad=True)
        else:  # without pictures
            self._import_only(where, made)

    def _import_only(self, where: Path, made: list[dict[str, Any]]) -> None:
        from tests.making import write_rows
        from ui.services.importing.importing import import_files

        path = write_rows(where, made, "a.jsonl")
        import_files(self.workplace, "jsonl", [path], self.draw.choice(["a", "b"]), skip_bad=True)

    def ids(self) -> list[int]:
        """Return some samples' numbers."""
        found = list(self.repository.samples.ids(Search()))
        return self.draw.sample(found, min(len(found), self.draw.randint(1, 6)))

    def scores(self) -> None:
        """Keep outcomes, of which some take the place of errors."""
        outcomes: list[tuple[int, Score | EvaluationError]] = []
        for sample in self.ids():
            mark = self.draw.choice(["M|1", "M|2", "N|1"])
            why = Explanation({"overall": self.draw.choice(["", "why"])})
            score = Score(mark[0], 0.5, mark, explanation=why)
            outcomes.append((sample, self.draw.choice([score, EvaluationError(mark[0], mark, "other", "No.")])))
        self.repository.scores.save_all(outcomes)

    def annotates(self) -> None:
        """Attach regions to pictures."""
        names = [f"pk{self.draw.randint(0, 12)}.png" for _ in range(3)]
        self.repository.annotate(self.draw.choice(["a", "b"]), dict.fromkeys(names, [REGION] * self.draw.randint(1, 3)))

    def copies(self) -> None:
        """Make a data set of another one."""
        self.repository.copy_samples(self.draw.choice(["a", "b"]), self.ids(), f"copy {self.done}")

    def deletes(self) -> None:
        """Delete a copy."""
        with self.repository.database.write() as connection:
            found = connection.scalar(select(DatasetRow.id).where(DatasetRow.name.like("copy%")))
            if found is not None:
                hide(connection, found)
        if self.draw.random() < 0.7:
            self.repository.delete_hidden()

    def changes_rows(self) -> None:
        """Change rows by hand, all of a statement at once."""
        ids = self.ids()
        with self.repository.database.write() as connection:
            connection.execute(update(SampleRow).where(SampleRow.id.in_(ids)).values(judgements=[4, 4]))
            chosen = update(ScoreRow).where(ScoreRow.sample_id.in_(ids), ScoreRow.value.is_not(None))
            connection.execute(chosen.values(explained=~ScoreRow.explained))
            nowhere = {"path": None, "sha256": None, "width": None, "height": None}
            bare = ImageRow.id.not_in(select(AnnotationRow.image_id))
            of_samples = ImageRow.id.in_(select(SampleRow.image_id).where(SampleRow.id.in_(ids)))
            connection.execute(update(ImageRow).where(bare, of_samples).values(nowhere))

    def deletes_rows(self) -> None:
        """Delete scores, and the regions of pictures, one or all."""
        ids = self.ids()
        with self.repository.database.write() as connection:
            connection.execute(delete(ScoreRow).where(ScoreRow.sample_id.in_(ids[:3])))
            connection.execute(delete(AnnotationRow).where(AnnotationRow.place >= self.draw.randint(0, 2)))


@pytest.mark.parametrize("seed", range(3))
def test_kept_counts_are_those_of_counting_anew_after_anything(workplace: Workplace, tmp_path: Path, seed: int) -> None:
    anything = Anything(workplace, tmp_path, seed)
    log: Counter[str] = Counter()
    for _ in range(25):
        log[anything.step()] += 1
        check(workplace)
    assert len(log) > 4

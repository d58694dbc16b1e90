"""Read and change data sets, pictures, samples and scores."""

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, and_, func, or_, select, update

from core.errors import NotFound
from core.studies.planning.choices import Candidate, ExplainedScore
from core.types import ImageRef, ImageRegion
from storage.data.annotations import regions_by_image
from storage.data.datasets import dataset_summaries, find_dataset
from storage.data.hidden_datasets import VISIBLE_IMAGE
from storage.data.search import found_ids
from storage.data.stored_samples import IMAGE_COLUMNS, SampleList, ids_of, image_ref, stored_samples
from storage.engine.database import Operations
from storage.tables import AnnotationRow, DatasetRow, ImageRow, SampleRow, ScoreRow, as_text
from storage.types import DatasetSummary, SamplePage, Search, StoredSample


class Samples(Operations):
    """Operations on data sets and samples. New ones are added by storage.data.importing."""

    def datasets(self) -> tuple[DatasetSummary, ...]:
        """Return a summary of every data set, sorted by name."""
        with self._database.read() as connection:
            return dataset_summaries(connection)

    def search(self, wanted: Search, offset: int, limit: int, around: int | None = None) -> SamplePage:
        """Return a page of the samples that a search finds.

        The samples are in the search's order. around: a sample; if the search finds it, return the page that contains
        it, and ignore `offset`.
        """
        with self._database.read() as connection:
            ids = ids_of(connection, found_ids(wanted))
            if around is not None and around in ids:
                offset = ids.index(around) // limit * limit
            before = ids[offset - 1] if 0 < offset <= len(ids) else None
            after = ids[offset + limit] if offset + limit < len(ids) else None
            samples = tuple(stored_samples(connection, ids[offset : offset + limit]))
        return SamplePage(len(ids), offset, before, after, samples)

    def ids(self, wanted: Search) -> Sequence[int]:
        """Return the ids of all samples that a search finds, in its order."""
        with self._database.read() as connection:
            return ids_of(connection, found_ids(wanted))

    def many(self, ids: Sequence[int]) -> SampleList:
        """Return samples with their scores and errors. They are read in batches."""
        return SampleList(self._database, ids)

    def picture_ids(self, ids: Sequence[int]) -> dict[int, int]:
        """Return each sample's image id; key: sample id.

        Samples without a found picture are omitted.
        """
        query = select(SampleRow.id, SampleRow.image_id).join(ImageRow, ImageRow.id == SampleRow.image_id)
        with self._database.read() as connection:
            rows = connection.execute(query.where(SampleRow.id.in_(ids), ImageRow.sha256.is_not(None)))
            return {sample: image for sample, image in rows}

    def get(self, sample_id: int) -> StoredSample:
        """Return one sample with its picture, judgements and outcomes. Raises NotFound."""
        with self._database.read() as connection:
            samples = stored_samples(connection, [sample_id], with_regions=True)
        if not samples:
            raise NotFound(f"There is no sample with the number {sample_id}.")
        return samples[0]

    def has_regions(self, dataset: str) -> bool:
        """Return whether any picture of a data set has annotated regions. Raises NotFound."""
        with self._database.read() as connection:
            of_dataset = ImageRow.dataset_id == find_dataset(connection, dataset)
            query = select(AnnotationRow.image_id).join(ImageRow, ImageRow.id == AnnotationRow.image_id)
            return connection.scalar(query.where(of_dataset).limit(1)) is not None

    def reference_sets(self, dataset: str) -> list[tuple[tuple[str, ...], int]]:
        """Return a data set's different sets of reference captions. Raises NotFound.

        Each set comes with the number of samples that have it.
        """
        with self._database.read() as connection:
            text = as_text(SampleRow.references)
            query = select(text, func.count()).where(SampleRow.dataset_id == find_dataset(connection, dataset))
            return [(tuple(json.loads(one)), count) for one, count in connection.execute(query.group_by(text))]

    def annotations_of(self, sha256: str, first: str) -> tuple[tuple[ImageRegion, ...], tuple[str, ...]]:
        """Return the annotated regions of a picture, and the labels that its annotators looked for.

        sha256: the picture's checksum. first: the data set whose regions are preferred; otherwise the regions are those
        of the first data set that has some.
        """
        query = select(ImageRow.id, ImageRow.vocabulary).join(DatasetRow).where(VISIBLE_IMAGE, ImageRow.regions > 0)
        query = query.where(ImageRow.sha256 == sha256).order_by(DatasetRow.name != first, ImageRow.id).limit(1)
        with self._database.read() as connection:
            row = connection.execute(query).first()
            if row is None:
                return (), ()
            return regions_by_image(connection, ImageRow.id == row.id)[row.id], tuple(row.vocabulary)

    def id_of(self, dataset: str, key: str) -> int:
        """Return the id of a data set's sample. Raises NotFound."""
        query = select(SampleRow.id).join(DatasetRow).where(DatasetRow.name == dataset, SampleRow.key == key)
        with self._database.read() as connection:
            sample_id = connection.scalar(query)
        if sample_id is None:
            raise NotFound(f"There is no sample {key!r} in {dataset!r}.")
        return sample_id

    def set_notice(self, dataset: str, notice: str) -> None:
        """Set a data set's warning. Raises NotFound.

        Everyone who sees the data set's scores sees this warning.
        """
        with self._database.write() as connection:
            dataset_id = find_dataset(connection, dataset)
            connection.execute(update(DatasetRow).where(DatasetRow.id == dataset_id).values(notice=notice))

    def image(self, image_id: int) -> ImageRef:
        """Return a picture by its id. Raises NotFound."""
        with self._database.read() as connection:
            row = connection.execute(select(*IMAGE_COLUMNS).where(ImageRow.id == image_id, VISIBLE_IMAGE)).first()
        if row is None:
            raise NotFound(f"There is no picture with the number {image_id}.")
        return image_ref(row)

    def pictures(self, dataset: str) -> dict[str, ImageRef]:
        """Return a data set's pictures; key: the name in the source. Raises NotFound."""
        with self._database.read() as connection:
            of_dataset = ImageRow.dataset_id == find_dataset(connection, dataset)
            rows = connection.execute(select(*IMAGE_COLUMNS).where(of_dataset).order_by(ImageRow.id)).all()
        return {row.name: image_ref(row) for row in rows}

    def candidates(self, dataset: str) -> tuple[Candidate, ...]:
        """Return all samples of a data set that a study can select.

        A sample's scores without an explanation are omitted. Raises NotFound.
        """
        with self._database.read() as connection:
            return candidates(connection, find_dataset(connection, dataset))


def candidates(connection: Connection, dataset_id: int) -> tuple[Candidate, ...]:
    """Return every sample of a data set, in order of import, without scores that have no explanation."""
    query = select(SampleRow.id, SampleRow.judgements, ImageRow.path.is_not(None), SampleRow.image_id)
    query = query.join(ImageRow, ImageRow.id == SampleRow.image_id).where(SampleRow.dataset_id == dataset_id)
    in_words, by_regions = _explanations(connection, dataset_id)
    return tuple(
        Candidate(sample, tuple(judgements), tuple(in_words[sample]), tuple(by_regions[sample]), is_there, image)
        for sample, judgements, is_there, image in connection.execute(query.order_by(SampleRow.id))
    )


def _explanations(
    connection: Connection, dataset_id: int
) -> tuple[defaultdict[int, list[ExplainedScore]], defaultdict[int, list[str]]]:
    """Return each sample's scores with an explanation in words, and the metrics that explain it by regions.

    Both are in the order of the scores. One query reads both, because reading the scores takes most of the time. The
    query does not read the regions themselves, because they are long.
    """
    shows_regions = and_(ScoreRow.value.is_not(None), as_text(ScoreRow.regions) != "[]")
    cells: tuple[Any, ...] = (ScoreRow.sample_id, ScoreRow.id, ScoreRow.metric, ScoreRow.value)
    cells += (ScoreRow.scale_low, ScoreRow.scale_high, ScoreRow.explained, shows_regions)
    query = select(*cells).join(SampleRow, SampleRow.id == ScoreRow.sample_id).order_by(ScoreRow.id)
    query = query.where(SampleRow.dataset_id == dataset_id, or_(ScoreRow.explained, shows_regions))
    in_words: defaultdict[int, list[ExplainedScore]] = defaultdict(list)
    by_regions: defaultdict[int, list[str]] = defaultdict(list)
    for sample, score, metric, value, low, high, explained, has_regions in connection.execute(query):
        if explained:
            in_words[sample].append(ExplainedScore(score, metric, (value - low) / (high - low)))
        if has_regions:
            by_regions[sample].append(metric)
    return in_words, by_regions

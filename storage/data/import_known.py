"""Read the stored samples, pictures and scores to which records of an import may refer."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from sqlalchemy import ColumnElement, Connection, select

from core.datasets.base import Record
from core.types import ImageRef
from storage.data.import_plan import (
    MADE_KEY,
    KnownSample,
    KnownScore,
    Ledger,
    identity_digest,
    key_with_picture,
    made_key,
    name_with_picture,
)
from storage.engine.disk_map import DiskMap
from storage.tables import AnnotationRow, ImageRow, SampleRow, ScoreRow

AT_A_TIME = 2_000  # number of samples in memory while the index of identities is built
_AFTER_HASH = "$"  # follows "#" in ASCII, so the keys that begin with "x#" are those from "x#" to before "x$"


@dataclass(slots=True)
class Identities:
    """Finds samples by picture and caption. The index is on disk and built on first use."""

    folder: Path | None
    samples: DiskMap[bytes, tuple[int, ...]] | None = None

    def of(self, connection: Connection, datasets: Sequence[int], wanted: set[bytes]) -> dict[bytes, tuple[int, ...]]:
        """Return the existing samples of each picture and caption.

        key: digest of the picture and caption (identity). The samples are in order of import.
        """
        if self.samples is None:
            self.samples = DiskMap(self.folder)
            query = select(SampleRow.id, ImageRow.name, SampleRow.candidate).join(ImageRow).order_by(SampleRow.id)
            query = query.where(SampleRow.dataset_id.in_(datasets))
            result = connection.execute(query, execution_options={"yield_per": AT_A_TIME})
            for rows in result.partitions():
                self.add((identity_digest(name, candidate), sample) for sample, name, candidate in rows)
        return self.samples.found(wanted)

    def add(self, identities: Iterable[tuple[bytes, int]]) -> None:
        """Add new samples to the index, if the index exists."""
        if self.samples is None:
            return
        new: dict[bytes, tuple[int, ...]] = {}
        for digest, sample in identities:
            new[digest] = (*new.get(digest, ()), sample)
        stored = self.samples.found(new)
        self.samples.put({digest: (*stored.get(digest, ()), *ids) for digest, ids in new.items()})

    def close(self) -> None:
        """Delete the index's file."""
        if self.samples is not None:
            self.samples.close()


@dataclass(slots=True)
class Known:
    """Reads rows to which records of an import may refer: stored rows, and waiting rows.

    Waiting rows are stored at the end of the import.
    """

    visible: int | None  # data set into which rows are imported; None: it does not exist yet
    hidden: int  # id of the hidden data set that gets the new rows
    identities: Identities
    renamed: DiskMap[str, int]  # key: original key, which the import replaced; value: sample id
    samples: DiskMap[int, KnownSample]  # key: sample id; value: a sample of the visible data set with unsaved changes
    # Key: image id of the visible data set. Value: columns of the picture, and whether regions are added.
    pictures: DiskMap[int, tuple[dict[str, Any], bool]]
    has_made_keys: bool | None = None  # True: a sample has a generated key; None: not checked yet
    _datasets: tuple[int, ...] = field(default=())

    def __post_init__(self) -> None:
        self._datasets = (self.hidden,) if self.visible is None else (self.visible, self.hidden)

    def around(
        self, connection: Connection, records: Sequence[Record], images: Mapping[str, ImageRef], waiting: int
    ) -> Ledger:
        """Return a ledger with the stored rows to which records may refer.

        waiting: number of new scores that earlier records have added and that are stored only at the end of the import.
        """
        ledger = Ledger(waiting)
        keys = _keys(records, images)
        self._enter(connection, ledger, SampleRow.key.in_(keys) & SampleRow.dataset_id.in_(self._datasets))
        self._enter_renamed(connection, ledger, self.renamed.found(keys))
        unknown = [record for record in records if record.key is None or record.key not in ledger.keys]
        wanted = {identity_digest(one.image, one.candidate) for one in unknown if self._may_be_known(connection, one)}
        if wanted:
            ledger.identities = self.identities.of(connection, self._datasets, wanted)
            ids = {sample for samples in ledger.identities.values() for sample in samples}
            self._enter_ids(connection, ledger, ids - ledger.samples.keys())
        self._enter_pictures(connection, ledger, records, images)
        self._enter_scores(connection, ledger)
        ledger.samples.update(self.samples.found(ledger.samples))
        return ledger

    def keys_from(self, connection: Connection, start: str) -> set[str]:
        """Return the stored sample keys that begin with `start`, which ends in "#"."""
        within = (SampleRow.dataset_id.in_(self._datasets), SampleRow.key >= start)
        return set(connection.scalars(select(SampleRow.key).where(*within, SampleRow.key < start[:-1] + _AFTER_HASH)))

    def _may_be_known(self, connection: Connection, record: Record) -> bool:
        """Return whether a record may find its sample by picture and caption.

        This is possible for every record without a key. For a record with a key, it is possible only if the data set
        has generated keys.
        """
        if record.key is None:
            return True
        if self.has_made_keys is None:
            ours = (SampleRow.key >= MADE_KEY, SampleRow.key < chr(ord(MADE_KEY) + 1))
            any_sample = select(SampleRow.id).where(SampleRow.dataset_id.in_(self._datasets), *ours).limit(1)
            self.has_made_keys = connection.scalar(any_sample) is not None
        return self.has_made_keys

    def _enter(self, connection: Connection, ledger: Ledger, chosen: ColumnElement[bool]) -> None:
        for row in connection.execute(select(*_SAMPLE).where(chosen)).mappings():
            ledger.enter(dict(row), visible=row["dataset_id"] == self.visible)

    def _enter_ids(self, connection: Connection, ledger: Ledger, ids: set[int]) -> None:
        if ids:
            self._enter(connection, ledger, SampleRow.id.in_(ids))

    def _enter_renamed(self, connection: Connection, ledger: Ledger, keys: Mapping[str, int]) -> None:
        self._enter_ids(connection, ledger, set(keys.values()) - ledger.samples.keys())
        ledger.keys.update(keys)

    def _enter_pictures(
        self, connection: Connection, ledger: Ledger, records: Sequence[Record], images: Mapping[str, ImageRef]
    ) -> None:
        names = {record.image for record in records}
        names |= {name_with_picture(record.image, images[record.picture].sha256) for record in records}
        columns = select(*ImageRow.__table__.columns)
        by_name = columns.where(ImageRow.dataset_id.in_(self._datasets), ImageRow.name.in_(names))
        for row in connection.execute(by_name).mappings():
            ledger.images.setdefault(row["name"], row["id"])
            ledger.pictures[row["id"]] = dict(row)
        further = {sample.image_id for sample in ledger.samples.values()} - ledger.pictures.keys()
        if further:
            for row in connection.execute(columns.where(ImageRow.id.in_(further))).mappings():
                ledger.pictures[row["id"]] = dict(row)
        annotated = select(AnnotationRow.image_id).where(AnnotationRow.image_id.in_(ledger.pictures)).distinct()
        ledger.annotated.update(connection.scalars(annotated))
        for image_id, (picture, gets_regions) in self.pictures.found(ledger.pictures).items():
            ledger.pictures[image_id] = picture
            ledger.annotated |= {image_id} if gets_regions else set()

    def _enter_scores(self, connection: Connection, ledger: Ledger) -> None:
        if not ledger.samples:
            return
        query = select(ScoreRow.id, ScoreRow.sample_id, ScoreRow.signature, ScoreRow.value, ScoreRow.explained)
        for row in connection.execute(query.where(ScoreRow.sample_id.in_(ledger.samples))):
            ledger.samples[row.sample_id].scores[row.signature] = KnownScore(row.id, row.value, row.explained)


_SAMPLE = (
    SampleRow.id,
    SampleRow.dataset_id,
    SampleRow.image_id,
    SampleRow.key,
    SampleRow.candidate,
    SampleRow.references,
    SampleRow.human,
    SampleRow.judgements,
    SampleRow.system,
    SampleRow.own,
)


def _keys(records: Iterable[Record], images: Mapping[str, ImageRef]) -> set[str]:
    """Return the keys of records' samples.

    For a record without a key, the result contains the keys that the import would generate for its sample.
    """
    keys = set()
    for record in records:
        if record.key is not None:
            keys.add(record.key)
        else:
            key = made_key(record.image, record.candidate)
            keys |= {key, key_with_picture(key, images[record.picture].sha256)}
    return keys

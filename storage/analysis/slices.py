"""Store slices: named filters of a data set."""

from sqlalchemy import delete, insert, select

from core.analysis.slices import Slice, slice_json, slice_of
from core.errors import NotFound
from storage.data.datasets import find_dataset
from storage.engine.database import Operations
from storage.tables import SliceRow


class Slices(Operations):
    """Operations on slices (saved filters of a data set)."""

    def all(self, dataset: str) -> tuple[Slice, ...]:
        """Return a data set's slices (saved filters), sorted by name. Raises NotFound."""
        with self._database.read() as connection:
            this = SliceRow.dataset_id == find_dataset(connection, dataset)
            rows = connection.scalars(select(SliceRow.conditions).where(this).order_by(SliceRow.name)).all()
        return tuple(slice_of(conditions) for conditions in rows)

    def named(self, dataset: str, name: str) -> Slice:
        """Return the slice that has this name. Raises NotFound, which lists the existing names."""
        slices = self.all(dataset)
        for one in slices:
            if one.name == name:
                return one
        there = ", ".join(one.name for one in slices) or "none yet"
        raise NotFound(f"{dataset} has no slice {name!r}. Slices: {there}.")

    def save(self, dataset: str, chosen: Slice) -> None:
        """Store a slice (saved filter). Raises NotFound.

        It replaces the data set's slice with the same name.
        """
        with self._database.write() as connection:
            dataset_id = find_dataset(connection, dataset)
            this = (SliceRow.dataset_id == dataset_id, SliceRow.name == chosen.name)
            connection.execute(delete(SliceRow).where(*this))
            values = {"dataset_id": dataset_id, "name": chosen.name, "conditions": slice_json(chosen)}
            connection.execute(insert(SliceRow).values(values))

    def remove(self, dataset: str, name: str) -> None:
        """Remove a slice (saved filter). Raises NotFound."""
        self.named(dataset, name)
        with self._database.write() as connection:
            this = (SliceRow.dataset_id == find_dataset(connection, dataset), SliceRow.name == name)
            connection.execute(delete(SliceRow).where(*this))

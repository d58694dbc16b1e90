"""Define the Repository: all operations on stored data, grouped by subject."""

from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path

from sqlalchemy import URL

from core.types import ImageRegion
from storage.accounts.accounts import Accounts
from storage.accounts.audit import Audit
from storage.accounts.sessions import Sessions
from storage.accounts.study_links import StudyLinks
from storage.analysis.analysis import Analysis
from storage.analysis.coding import Codings
from storage.analysis.slices import Slices
from storage.data.annotations import add_annotations, add_region, remove_region
from storage.data.datasets import count_change, find_dataset
from storage.data.hidden_datasets import delete_hidden
from storage.data.importing import add_records
from storage.data.linked_references import link_references
from storage.data.samples import Samples
from storage.data.scores import Scores
from storage.engine.database import PATIENCE_S, Database, open_database
from storage.rating.desk import Desk
from storage.rating.epochs import Epochs
from storage.rating.gold import GoldItems
from storage.rating.managing import Managing
from storage.rating.raters import Raters
from storage.rating.saving import Results, Sent, check_theirs, save_together
from storage.rating.studies import Studies
from storage.rating.visits import Visits
from storage.study_types import Rater, Save
from storage.types import AnnotationCounts


class Repository:
    """Offers all operations on one database. Their results are immutable."""

    def __init__(self, database: Database) -> None:
        self.database = database
        self.samples = Samples(database)
        self.scores = Scores(database)
        self.studies = Studies(database)
        self.raters = Raters(database)
        self.desk = Desk(database)
        self.managing = Managing(database)
        self.visits = Visits(database)
        self.gold = GoldItems(database)
        self.analysis = Analysis(database)
        self.codings = Codings(database)
        self.slices = Slices(database)
        self.accounts = Accounts(database)
        self.sessions = Sessions(database)
        self.links = StudyLinks(database)
        self.audit = Audit(database)
        self.epochs = Epochs(database)
        self.add_records = partial(add_records, database)
        self.link_references = partial(link_references, database)

    def delete_hidden(self) -> int:
        """Delete the incomplete data sets of killed processes (storage.data.hidden_datasets). Return their number."""
        return delete_hidden(self.database)

    def annotate(
        self, dataset: str, regions: Mapping[str, Sequence[ImageRegion]], vocabulary: Sequence[str] = ()
    ) -> AnnotationCounts:
        """Add annotated regions to pictures, all or nothing.

        The key of `regions` is the picture's name. Pictures that already have regions keep them. vocabulary: all labels
        that the annotators looked for; () if unknown. Raises NotFound.
        """
        with self.database.write() as connection:
            dataset_id = find_dataset(connection, dataset)
            counts = add_annotations(connection, dataset_id, regions, vocabulary)
            if counts.annotated_added:
                count_change(connection, dataset_id)
            return counts

    def add_region(self, image_id: int, region: ImageRegion, most: int) -> int:
        """Add a region that a person drew on a picture (storage.data.annotations)."""
        with self.database.write() as connection:
            return add_region(connection, image_id, region, most)

    def remove_region(self, image_id: int, nth: int) -> int:
        """Remove region `nth` of a picture (storage.data.annotations)."""
        with self.database.write() as connection:
            return remove_region(connection, image_id, nth)

    def save(self, rater: Rater, saves: Sequence[Save]) -> Results:
        """Store a rater's actions (storage.rating.saving).

        Return for each action the reason for its refusal, or None if it was stored. Raises NotYours if all actions are
        about other raters' items.
        """
        (results,) = self.save_together([Sent(rater, saves)], PATIENCE_S)
        check_theirs(results)
        return results

    def save_together(self, requests: Sequence[Sent], patience_s: float) -> tuple[Results, ...]:
        """Store the actions of several requests in one transaction (storage.rating.saving)."""
        return save_together(self.database, requests, patience_s, self.epochs.note_newest)

    def close(self) -> None:
        """Close the database."""
        self.database.close()


def open_repository(place: Path | str) -> Repository:
    """Open the database at an address or path. Update its tables.

    If the path names no file, an SQLite database is made there. Raises BadFile, BadSetting.
    """
    return Repository(open_database(URL.create("sqlite", database=str(place)) if isinstance(place, Path) else place))

"""Define the Repository: all operations on stored data, grouped by subject."""

from collections.abc import Sequence
from functools import partial
from pathlib import Path

from sqlalchemy import URL

from storage.accounts.accounts import Accounts
from storage.accounts.audit import Audit
from storage.accounts.sessions import Sessions
from storage.accounts.study_links import StudyLinks
from storage.analysis.analysis import Analysis
from storage.analysis.coding import Codings
from storage.analysis.slices import Slices
from storage.data.annotations import add_region, annotate, remove_region
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
        self.delete_hidden = partial(delete_hidden, database)
        self.annotate = partial(annotate, database)
        self.add_region = partial(add_region, database)
        self.remove_region = partial(remove_region, database)

    def save(self, rater: Rater, saves: Sequence[Save]) -> Results:
        """Store a rater's actions (storage.rating.saving).

        Return for each action the reason for its refusal, or None if it was stored. Raises NotYours if none may be
        stored for this rater.
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

"""Define the database's tables. Their rules are NOT NULL, CHECK, UNIQUE and foreign keys.

Machine scores and human ratings have separate tables. Each rating is one row per (item, score, rater, criterion), so a
new criterion needs no migration. Every change of a rating stays in `events`, to which rows are only added. Times are
UTC. After the release of version 0.3.0, a change of these tables needs a migration in storage/migrations.
"""

# The rest of storage imports the tables from here.
# ruff: noqa: F401
# mypy: implicit-reexport

from storage.tables import triggers
from storage.tables.accounts import (
    AccountRow,
    AuditRow,
    EntryAnswerRow,
    PasswordLinkRow,
    PlatformPersonRow,
    SessionRow,
    StudyLinkRow,
    VisitRow,
)
from storage.tables.base import LONG, NEVER, Table, as_text
from storage.tables.data import (
    AnnotationRow,
    CodebookRow,
    CodingRow,
    DatasetCountRow,
    DatasetRow,
    ImageRow,
    SampleRow,
    ScoreRow,
    SliceRow,
)
from storage.tables.ratings import (
    AssignmentRow,
    EpochRow,
    ErasureRow,
    EventRow,
    ExclusionRow,
    ItemReportRow,
    ParticipationRow,
    RaterRow,
    RatingRow,
)
from storage.tables.studies import (
    GoldRow,
    ItemRow,
    ItemScoreRow,
    StudyCriterionRow,
    StudyRow,
)

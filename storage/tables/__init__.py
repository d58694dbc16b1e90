"""Define the database's tables. Their rules are NOT NULL, CHECK, UNIQUE and foreign keys.

Machine scores and human ratings have separate tables. Each rating is one row per (item, score, rater, criterion), so a
new criterion needs no migration. Every change of a rating stays in `events`, to which rows are only added. Times are
UTC. After the release of version 0.3.0, a change of these tables needs a migration in storage/migrations.
"""

from storage.tables import triggers as triggers
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
    ReleaseRow,
)
from storage.tables.studies import (
    GoldRow,
    ItemRow,
    ItemScoreRow,
    StudyCriterionRow,
    StudyRow,
)

__all__ = [
    "AccountRow",
    "AnnotationRow",
    "AssignmentRow",
    "AuditRow",
    "CodebookRow",
    "CodingRow",
    "DatasetCountRow",
    "DatasetRow",
    "EntryAnswerRow",
    "ErasureRow",
    "EpochRow",
    "EventRow",
    "ExclusionRow",
    "GoldRow",
    "ImageRow",
    "ItemReportRow",
    "ItemRow",
    "ItemScoreRow",
    "LONG",
    "NEVER",
    "ParticipationRow",
    "PasswordLinkRow",
    "PlatformPersonRow",
    "RaterRow",
    "RatingRow",
    "ReleaseRow",
    "SampleRow",
    "ScoreRow",
    "SessionRow",
    "SliceRow",
    "StudyCriterionRow",
    "StudyLinkRow",
    "StudyRow",
    "Table",
    "VisitRow",
    "as_text",
]

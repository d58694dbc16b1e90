"""Store who made a study."""

from sqlalchemy import Connection, insert

from storage.tables import StudyRightRow


def add_owner(connection: Connection, study_id: int, account: int | None) -> None:
    """Store who made a study. account None: everyone with an account may run the study."""
    right = "run" if account is None else "own"
    connection.execute(insert(StudyRightRow).values(study_id=study_id, account_id=account, may=right))

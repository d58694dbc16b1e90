"""Export or erase all data of one rater."""

from datetime import datetime
from typing import Any

from core.errors import BadSetting
from core.studies.results.export import iso_time
from ui.services.workplace import Workplace


def rater_data(workplace: Workplace, code: str) -> dict[str, list[dict[str, Any]]]:
    """Return every row about a rater; key: table. Times are text. Raises NotFound."""
    exported = workplace.repository.managing.everything(code)
    return {
        table: [{name: _plain(value) for name, value in row.items()} for row in rows]
        for table, rows in exported.items()
    }


def erase_rater(workplace: Workplace, code: str, typed: str, keep_ratings: bool) -> int:
    """Erase a rater's data. Return the rater's number.

    typed: the code that the user typed again to confirm. keep_ratings: True: the ratings stay. Raises BadSetting if the
    typed code differs. Raises NotFound.
    """
    if typed.strip().upper() != code.strip().upper():
        raise BadSetting(f"To erase this rater, type the code {code} exactly. You typed {typed!r}.")
    return workplace.repository.managing.erase_rater(code, keep_ratings)


def _plain(value: Any) -> Any:
    return iso_time(value) if isinstance(value, datetime) else value

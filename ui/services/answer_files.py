"""Answers that a rater's browser saved as a file, because the server did not know the rater or the item any more.

The file comes from outside, so nothing in it counts that this server has not sealed: a seal names the rater, the item
and what was shown. An answer without a seal counts only for an item that the database has given to that rater.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.errors import BadFile, BadSetting, NotFound, NotYours
from storage.rating.raters import clean_code
from storage.types import Rater, Save
from ui.services.seals import LONGEST_SEAL, Seals
from ui.services.workplace import KEY, Workplace

LARGEST_FILE = 20_000_000  # bytes
MOST_ANSWERS = 20_000
_AT_A_TIME = 500  # answers of one transaction
_LATEST_MS = 4_102_444_800_000  # the year 2100
_REASONS = 5  # different refusals that are reported
_ANSWERED = "The rater has answered the question again since; an import replaces no answer."


class _Answer(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    at: Annotated[int, Field(ge=0, le=_LATEST_MS)]  # ms since 1970, by the browser's clock
    seal: Annotated[str, Field(max_length=LONGEST_SEAL)] | None = None
    save: dict[str, Any]  # the fields of Save but age_ms; each save is checked by itself


class _File(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    capscope: Literal["answers"]
    version: Literal[1]
    rater: Annotated[str, Field(max_length=100)]
    answers: Annotated[list[_Answer], Field(max_length=MOST_ANSWERS)]


@dataclass(frozen=True, slots=True)
class TakenIn:
    """What became of a file's answers."""

    rater: str
    stored: int  # new
    known: int  # stored before
    refused: Mapping[str, int] = field(default_factory=dict)  # reason in words -> answers


def import_answers(workplace: Workplace, file: Path, new_rater: bool = False) -> TakenIn:
    """Store the answers of a file that the database lacks; a second time it does nothing.

    new_rater: make the rater if the database has no rater of that code. Raises BadFile, BadSetting.
    """
    read = _read(file)
    seals = Seals(workplace.data_dir / KEY)
    handouts = seals.handouts(answer.seal for answer in read.answers)
    try:
        code = clean_code(read.rater)
    except BadSetting as error:
        raise BadFile(file, str(error)) from error
    saves, refused = _saves(read.answers)
    rater = _rater(workplace, code, new_rater)
    missing = _missing(workplace, rater, [save.key for save in saves])
    asked = [save for save in saves if save.key in missing]
    lacking = workplace.repository.open_questions(rater, asked, handouts) if asked else []
    refused[_ANSWERED] += len(asked) - len(lacking)
    stored = 0
    for first in range(0, len(lacking), _AT_A_TIME):
        batch = lacking[first : first + _AT_A_TIME]
        problems = _stored(workplace, rater, batch)
        stored += sum(problem is None for problem in problems)
        refused.update(str(problem) for problem in problems if problem is not None)
    counts = {reason: answers for reason, answers in refused.most_common(_REASONS) if answers}
    return TakenIn(code, stored, len(saves) - len(asked), counts)


def _read(file: Path) -> _File:
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise BadFile(file, f"it has more than {LARGEST_FILE // 1_000_000} MB")
        return _File.model_validate_json(file.read_bytes())
    except OSError as error:
        raise BadFile(file, f"it cannot be read ({error.strerror})") from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise BadFile(file, f"it is not a file of answers ({where}: {first['msg']})".replace("(: ", "(")) from error


def _saves(answers: list[_Answer]) -> tuple[list[Save], Counter[str]]:
    """Return the answers that are well formed, in order, and what is wrong with the others."""
    now_ms = round(datetime.now(UTC).timestamp() * 1000)
    saves, refused = [], Counter[str]()
    for answer in answers:
        try:
            saves.append(Save(**{**answer.save, "age_ms": max(0, now_ms - answer.at)}))
        except (ValidationError, TypeError):
            refused["The answer has fields or values that no answer has."] += 1
    return saves, refused


def _rater(workplace: Workplace, code: str, new_rater: bool) -> Rater:
    try:
        return workplace.repository.raters.named(code)
    except NotFound as error:
        if not new_rater:
            raise BadSetting(
                f"There is no rater with the code {code}. If the rater took part after the backup that was restored, "
                "import with --new-rater."
            ) from error
        return workplace.repository.raters.add(code)


def _missing(workplace: Workplace, rater: Rater, keys: list[str]) -> set[str]:
    epochs = workplace.repository.epochs
    batches = (keys[first : first + _AT_A_TIME] for first in range(0, len(keys), _AT_A_TIME))
    return {key for batch in batches for key in epochs.missing(rater, batch)}


def _stored(workplace: Workplace, rater: Rater, saves: list[Save]) -> tuple[Exception | None, ...]:
    try:
        return workplace.repository.save(rater, saves)
    except NotYours as error:  # none of them is of an item that is known
        return (error,) * len(saves)

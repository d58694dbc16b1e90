"""Read answers that a rater's browser saved as a file.

A browser saves such a file if the server no longer knows the rater or the item.

The file comes from outside, so it may be forged. This server trusts only the texts in the file that it encrypted
itself, called seals. A seal contains the rater, the item and what the rater saw. An answer without a seal counts only
if the database assigned its item to this rater.
"""

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from core.errors import BadFile, BadSetting, NotFound, NotYours
from storage import Repository
from storage.rating.assignment.raters import clean_code
from storage.study_types import Handout, Rater, Save
from ui.services.transfer.seals import LONGEST_SEAL, Seals
from ui.services.workplace import KEY, Workplace

LARGEST_FILE = 20_000_000  # bytes
MOST_ANSWERS = 20_000
_AT_A_TIME = 500  # maximum number of answers in one transaction
_LATEST_MS = 4_102_444_800_000  # latest time, in ms since 1970: the year 2100
_REASONS = 5  # maximum number of different reasons for refusal in the report
_TOO_LARGE = f"the file has more than {LARGEST_FILE // 1_000_000} MB"
_ELSEWHERE = "The answer is about an item of another study."
_ANSWERED = "The rater has a later answer to this question. An import never replaces an answer."


class _Answer(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    at: Annotated[int, Field(ge=0, le=_LATEST_MS)]  # time of the answer in ms since 1970, by the browser's clock
    seal: Annotated[str, Field(max_length=LONGEST_SEAL)] | None = None
    save: dict[str, Any]  # fields of Save except age_ms; they are checked separately for each answer


class _File(BaseModel):
    model_config = ConfigDict(strict=True, extra="forbid")
    capscope: Literal["answers"]
    version: Literal[1]
    rater: Annotated[str, Field(max_length=100)]
    answers: Annotated[list[Any], Field(max_length=MOST_ANSWERS)]  # each answer is checked separately


@dataclass(frozen=True, slots=True)
class TakenIn:
    """The result of importing a file's answers, or of simulating the import."""

    rater: str
    stored: int  # new answers
    known: int  # number of answers that were stored before, or that the file repeats
    refused: Mapping[str, int] = field(default_factory=dict)  # number of refused answers by reason
    items: int = 0  # number of items with stored answers
    is_new_rater: bool = False  # True: the database had no such rater


def import_answers(workplace: Workplace, file: Path, new_rater: bool = False) -> TakenIn:
    """Store those answers of a file that are new.

    Importing the same file again changes nothing. new_rater: create the rater if the database has no rater with the
    code in the file. Raises BadFile, BadSetting.
    """
    try:
        if file.stat().st_size > LARGEST_FILE:
            raise BadFile(file, _TOO_LARGE)
        content = file.read_bytes()
    except OSError as error:
        raise BadFile(file, f"the file cannot be read ({error.strerror})") from error
    return take_in(workplace, content, file.name, new_rater)


def take_in(
    workplace: Workplace, content: bytes, name: str, new_rater: bool = False, study: int | None = None
) -> TakenIn:
    """Store the new answers in a file's content, as import_answers does.

    name: the file's name. study: store only answers of this study; None: of all studies.
    """
    read = _read(content, Path(name))
    seals = Seals(workplace.data_dir / KEY)
    return _told([_take_in(workplace.repository, seals, read.rater, read.answers, new_rater, study)])


def rehearse(workplace: Workplace, content: bytes, name: str, study: int) -> TakenIn:
    """Simulate take_in and return its result. Nothing is stored.

    If the database lacks the file's rater, the simulation also creates the rater. Raises BadFile.
    """
    read = _read(content, Path(name))
    seals, results = Seals(workplace.data_dir / KEY), []
    for first in range(0, max(len(read.answers), 1), _AT_A_TIME):  # short transactions do not delay raters much
        with workplace.repository.rehearse() as repository:
            batch = read.answers[first : first + _AT_A_TIME]
            results.append(_take_in(repository, seals, read.rater, batch, True, study))
    return _told(results)


@dataclass(frozen=True, slots=True)
class _Part:
    """The result of storing one batch of a file's answers."""

    rater: str
    stored: list[Save]  # the stored answers; an answer whose key occurs twice in the file is in the list twice
    known: int
    refused: Counter[str]
    is_new_rater: bool


def _told(parts: list[_Part]) -> TakenIn:
    """Add up the results of storing a file's answers in batches.

    Each answer has a key. If two batches stored an answer with the same key, the file repeats this answer. The first of
    the two counts as stored, the second as already known.
    """
    stored = [save for part in parts for save in part.stored]
    number = len({save.key for save in stored})
    refused = sum((part.refused for part in parts), Counter[str]())
    return TakenIn(
        rater=parts[0].rater,
        stored=number,
        known=sum(part.known for part in parts) + len(stored) - number,
        refused=dict(refused.most_common(_REASONS)),
        items=len({save.assignment for save in stored}),
        is_new_rater=parts[0].is_new_rater,
    )


def _take_in(
    repository: Repository, seals: Seals, code: str, raw: list[Any], new_rater: bool, study: int | None
) -> _Part:
    answers, refused = _answers(raw)
    handouts = seals.handouts(answer.seal for answer, _ in answers)
    saves = [save for _, save in answers]
    if study is not None:
        saves = _of_study(repository, saves, handouts, study, refused)
    rater, is_new = _rater(repository, code, new_rater)
    missing = _missing(repository, rater, [save.key for save in saves])
    asked = [save for save in saves if save.key in missing]
    lacking = repository.open_questions(rater, asked, handouts) if asked else []
    refused[_ANSWERED] += len(asked) - len(lacking)
    stored: list[Save] = []
    for batch in _batches(lacking):
        problems = _stored(repository, rater, batch)
        stored += [save for save, problem in zip(batch, problems, strict=True) if problem is None]
        refused.update(str(problem) for problem in problems if problem is not None)
    return _Part(rater.code, stored, len(saves) - len(asked), refused, is_new)


def _batches(saves: list[Save]) -> list[list[Save]]:
    """Divide answers into batches, each for one transaction.

    All answers to one assignment are in the same batch. An import may be killed between two transactions and then
    repeated. A repeated import skips questions that already have an answer. So the first answer to a question and its
    corrections must be stored together. Otherwise a repeated import would skip the corrections.
    """
    batches: list[list[Save]] = [[]]
    of: dict[str, list[Save]] = {}
    for save in saves:
        of.setdefault(save.assignment, []).append(save)
    for together in of.values():
        if batches[-1] and len(batches[-1]) + len(together) > _AT_A_TIME:
            batches.append([])
        batches[-1] += together
    return batches


def _of_study(
    repository: Repository, saves: list[Save], handouts: Mapping[str, Handout], study: int, refused: Counter[str]
) -> list[Save]:
    """Return the answers to items of a study. Leave out those to items of other studies.

    Answers about unknown items are returned too, because they are refused later. The number of omitted answers is added
    to `refused`.
    """
    of = {assignment: handout.study for assignment, handout in handouts.items()}
    asked = list({save.assignment for save in saves})
    for first in range(0, len(asked), _AT_A_TIME):
        of |= repository.assignment_studies(asked[first : first + _AT_A_TIME])
    kept = [save for save in saves if of.get(save.assignment, study) == study]
    refused[_ELSEWHERE] += len(saves) - len(kept)
    return kept


def _read(content: bytes, file: Path) -> _File:
    if len(content) > LARGEST_FILE:
        raise BadFile(file, _TOO_LARGE)
    try:
        read = _File.model_validate_json(content)
        return read.model_copy(update={"rater": clean_code(read.rater)})
    except BadSetting as error:
        raise BadFile(file, str(error)) from error
    except ValidationError as error:
        first = error.errors(include_url=False, include_input=False)[0]
        where = ".".join(map(str, first["loc"]))
        raise BadFile(
            file, f"this is not a file with answers from a browser ({where}: {first['msg']})".replace("(: ", "(")
        ) from error


def _answers(raw: list[Any]) -> tuple[list[tuple[_Answer, Save]], Counter[str]]:
    """Return the valid answers in order, and count the invalid answers."""
    now_ms = round(datetime.now(UTC).timestamp() * 1000)
    answers, refused = [], Counter[str]()
    for one in raw:
        try:
            answer = _Answer.model_validate(one)
            answers.append((answer, Save(**{**answer.save, "age_ms": max(0, now_ms - answer.at)})))
        except (ValidationError, TypeError):
            refused["The answer has unknown fields or values."] += 1
    return answers, refused


def _rater(repository: Repository, code: str, new_rater: bool) -> tuple[Rater, bool]:
    """Return the rater who has this code, and whether this call made the rater."""
    try:
        return repository.raters.named(code), False
    except NotFound as error:
        if not new_rater:
            raise BadSetting(
                f"There is no rater with the code {code}. If the rater took part after the restored backup was made, "
                "import with --new-rater. On the page, tick the box that creates the rater."
            ) from error
        return repository.raters.add(code), True


def _missing(repository: Repository, rater: Rater, keys: list[str]) -> set[str]:
    batches = (keys[first : first + _AT_A_TIME] for first in range(0, len(keys), _AT_A_TIME))
    return {key for batch in batches for key in repository.epochs.missing(rater, batch)}


def _stored(repository: Repository, rater: Rater, saves: list[Save]) -> tuple[Exception | None, ...]:
    try:
        return repository.save(rater, saves)
    except NotYours as error:  # raised if the rater has none of the items that the answers are about
        return (error,) * len(saves)

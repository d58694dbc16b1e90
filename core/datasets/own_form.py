"""Capscope's own file format, with one sample per row.

It is read from JSONL and CSV, and written as JSONL. docs/reference describes it.
"""

import difflib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from pathlib import PurePosixPath, PureWindowsPath
from typing import cast, get_args

from core.captions.shared_words_json import check_fields, with_matches
from core.costs import Seconds, Usage, are_seconds
from core.datasets.base import Record
from core.datasets.rows import Row
from core.errors import ErrorKind
from core.picture_names import parts_of
from core.signature import signature
from core.types import Components, EvaluationError, Explanation, OwnValues, Pair, Score

FIELDS = ("id", "image", "caption", "system", "references", "human", "judgements", "rater", "pair", "scores", "own")
_FIELDS = frozenset(FIELDS)
_MISSPELT = tuple(name for name in FIELDS if name != "rater")  # "rate" and "raters" are usual columns of other content
MOST_OWN, LONGEST_OWN = 20, 200  # maximum of a researcher's own columns; maximum characters of a name or of a value
MOST_FIELDS = 1_000
# key: name of an error kind in version 0.1.0; value: its present name
RENAMED_KINDS = {
    "references_required": "missing_references",
    "no_text": "missing_text",
    "no_regions": "missing_regions",
}
UNIT_SCALE = (0.0, 1.0)
_UNEXPLAINED = Explanation()  # one object for all scores, because files may contain millions of scores


def record_of(row: Row) -> Record:
    """Return the sample in a row. Unknown fields are ignored, but a misspelled field raises BadRow."""
    if len(row.values) > MOST_FIELDS:
        raise row.bad("row", f"at most {MOST_FIELDS:,} fields", len(row.values))
    refuse_misspelt(row, (name for name in row.values if name not in _FIELDS))
    _refuse_unnamed(row)
    return Record(
        file=row.file,
        row=row.number,
        key=None if row.get("id") is None else row.text("id"),
        image=_relative_path(row),
        candidate=row.text("caption"),
        references=row.texts("references"),
        human=None if row.get("human") is None else row.number_in("human", 0, 1),
        judgements=row.numbers("judgements"),
        scores=_scores(row),
        pair=None if row.get("pair") is None else _pair(row.nested("pair")),
        image_is_relative=True,
        system=row.system("system"),
        own=_own(row),
        rater=None if row.get("rater") in (None, "") else str(row.get("rater")),
    )


def _own(row: Row) -> OwnValues:
    """Return the values of the researcher's own columns. Raises BadRow for too many or too long values."""
    if row.get("own") is None:
        return ()
    values = row.text_map("own")
    if len(values) > MOST_OWN:
        raise row.bad("own", f"at most {MOST_OWN} columns", len(values))
    for name, value in values.items():
        if not is_short(name) or not is_short(value):
            raise row.bad(
                f"own.{name}"[:LONGEST_OWN], f"names and values of 1 to {LONGEST_OWN} printable characters", value
            )
    return tuple(values.items())


def is_short(text: str) -> bool:
    """Return whether a text is short enough for the researcher's own columns.

    The text may be a column's name or a value in it. It must also be printable and not blank.
    """
    return 1 <= len(text) <= LONGEST_OWN and text.isprintable() and bool(text.strip())


def refuse_misspelt(row: Row, names: Iterable[str]) -> None:
    """Raise BadRow if a name is similar to one of FIELDS but not equal, e.g. "refrences".

    Without this check, the data in such a field would be silently ignored.
    """
    for name in names:
        close = None if name in FIELDS else _meant(name)
        if close:
            raise row.bad(name, f"the field name {close!r}", name)


def _refuse_unnamed(row: Row) -> None:
    """Raise BadRow if the field image or caption is missing.

    The error suggests the option --column, which tells Capscope which other field to use.
    """
    for name in ("image", "caption"):
        others = [f"{other:.40}" for other in row.values if other not in FIELDS][:12]
        if name not in row.values and others:
            raise row.bad(name, f"this field; or add --column {name}=FIELD, where FIELD is one of {', '.join(others)}")


@lru_cache(1_000)
def _meant(name: str) -> str | None:
    """Return the name in FIELDS that is most similar to the given name; None if none is similar."""
    return next(iter(difflib.get_close_matches(name.strip().lower(), _MISSPELT, n=1, cutoff=0.8)), None)


def outcome_of(row: Row, candidate: str, references: Sequence[str]) -> Score | EvaluationError:
    """Return one entry of the field "scores": a score, or an error.

    An entry may list matches (words shared with references). Their positions must lie within the candidate and the
    references.
    """
    metric = row.text("metric")
    made_by = _imported(metric) if row.get("signature") is None else row.text("signature")
    if row.get("error") is not None:
        return _error(row, metric, made_by)
    low, high = _scale(row)
    return Score(
        metric=metric,
        value=row.number_in("value", low, high),
        signature=made_by,
        scale=(low, high),
        components=_components(row),
        explanation=_explanation(row, candidate, references),
        usage=_usage(row),
        seconds=_seconds(row),
    )


def _explanation(row: Row, candidate: str, references: Sequence[str]) -> Explanation:
    rationales, matches = row.text_map("rationales"), row.get("matches")
    explained = Explanation(rationales) if rationales else _UNEXPLAINED
    if matches is None:
        return explained
    try:
        return with_matches(explained, check_fields(matches, candidate, references))
    except ValueError as problem:
        raise row.bad(
            "matches", f"matches as described under “Scores” in the documentation ({problem})", matches
        ) from None


@lru_cache(1_000)
def _imported(metric: str) -> str:
    return signature(metric, source="imported")


def _scores(row: Row) -> tuple[Score | EvaluationError, ...]:
    entries = row.nested_list("scores")
    if not entries:
        return ()
    candidate, references = row.text("caption"), row.texts("references")
    outcomes = tuple(outcome_of(entry, candidate, references) for entry in entries)
    for i, (entry, outcome) in enumerate(zip(entries, outcomes, strict=True)):
        if any(other.signature == outcome.signature for other in outcomes[:i]):
            expected = "one score for each metric, or a different signature for each score of one metric"
            raise entry.bad("metric", expected, outcome.metric)
    return outcomes


def _error(row: Row, metric: str, made_by: str) -> EvaluationError:
    if row.get("value") is not None:
        raise row.bad("value", "no value if there is an error", row.get("value"))
    error = row.nested("error")
    word, message = error.text("kind"), error.text("message")
    kind = RENAMED_KINDS.get(word, word)
    if kind in get_args(ErrorKind):
        return EvaluationError(metric, made_by, cast(ErrorKind, kind), message, _usage(row), _seconds(row))
    return EvaluationError(metric, made_by, "other", f"{word}: {message}", _usage(row), _seconds(row))


def _usage(row: Row) -> Usage | None:
    if row.get("usage") is None:
        return None
    given = row.nested("usage").values
    try:
        return Usage(**given)  # type: ignore[arg-type]  # Usage checks each number
    except (TypeError, ValueError) as error:
        raise row.bad("usage", f"tokens as described under “Scores” in the documentation ({error})", given) from error


def _seconds(row: Row) -> Seconds:
    if row.get("seconds") is None:
        return {}
    given = row.nested("seconds").values
    if not are_seconds(given):
        raise row.bad("seconds", "seconds for each step, finite and not negative", given)
    return {str(part): float(number) for part, number in given.items()}  # type: ignore[arg-type]


def _scale(row: Row) -> tuple[float, float]:
    if row.get("scale") is None:
        return UNIT_SCALE
    scale = row.numbers("scale")
    if len(scale) != 2 or scale[0] >= scale[1]:
        raise row.bad("scale", "two numbers, the lower one first", row.get("scale"))
    return scale[0], scale[1]


def _components(row: Row) -> Components:
    if row.get("components") is None:
        return {}
    inner = row.nested("components")
    return {
        inner.named(name): inner.numbers(name) if isinstance(inner.get(name), list) else inner.number_in(name)
        for name in inner.values
    }


def _pair(row: Row) -> Pair:
    return Pair(
        key=row.text("key"),
        position=row.whole("position", 0, 1),
        preferred=None if row.get("preferred") is None else row.whole("preferred", 0, 1),
        category=None if row.get("category") is None else row.text("category"),
    )


@lru_cache(1_000)
def _is_absolute(image: str) -> bool:
    return PurePosixPath(image).is_absolute() or PureWindowsPath(image).is_absolute()


def _relative_path(row: Row) -> str:
    expected = "a path relative to the file's own folder, or only the picture's name together with --images FOLDER"
    image = row.text("image", expected)
    if _is_absolute(image):
        raise row.bad("image", expected, image)
    return "/".join(parts_of(image))

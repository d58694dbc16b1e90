"""Capscope's own file format, with one sample per row, which docs/reference describes: its fields, read and written."""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from functools import lru_cache
from typing import Any, cast, get_args

from core.captions.matches_json import match_fields
from core.costs import LONGEST_S, Usage
from core.datasets.base import UNIT, Record
from core.datasets.rows import Row
from core.errors import BadRow, BadRows, ErrorKind
from core.picture_names import is_absolute, parts_of
from core.signature import signature
from core.types import EvaluationError, Explanation, Outcome, OwnValues, Pair, Sample, Score

MOST_OWN, LONGEST_OWN = 20, 200  # maximum of a researcher's own columns; maximum characters of a name or of a value
_UNEXPLAINED = Explanation()  # one object for all scores, because files may contain millions of scores
encoded = json.JSONEncoder(ensure_ascii=False).encode  # json.dumps would make a new encoder for each row


def record_of(row: Row, problems: Sequence[BadRow]) -> Record:
    """Return the sample in a row of Capscope's fields. Other fields are ignored.

    problems: errors of the row that are already known. Raises BadRow, or BadRows for all fields with errors.
    """
    values: dict[str, Any] = {}
    found = {bad.field: bad for bad in problems}
    for name, take in READERS.items():
        try:
            if row.get(name) is not None or name in _REQUIRED:
                values[_NAMED.get(name, name)] = take(row)
        except BadRow as bad:
            found.setdefault(bad.field, bad)
    if found:
        raise BadRows([*found.values()]) if len(found) > 1 else next(iter(found.values()))
    return Record(row.file, row.number, image_is_relative=True, **values)


def _own(row: Row) -> OwnValues:
    """Return the values of the researcher's own columns. Raises BadRow for too many or too long values."""
    values = row.text_map("own")
    if len(values) > MOST_OWN:
        raise row.bad("own", f"at most {MOST_OWN} columns", len(values))
    for name, value in values.items():
        if not _is_short(name) or not _is_short(value):
            expected = f"names and values of 1 to {LONGEST_OWN} printable characters"
            raise row.bad(f"own.{name}"[:LONGEST_OWN], expected, value)
    return tuple(values.items())


def _is_short(text: str) -> bool:
    return 1 <= len(text) <= LONGEST_OWN and text.isprintable() and bool(text.strip())


def scores_of(row: Row) -> tuple[Outcome, ...]:
    """Return the scores in the field "scores". Raises BadRow."""
    entries = row.nested_list("scores")
    if not entries:
        return ()
    outcomes = tuple(map(outcome_of, entries))
    for i, (entry, outcome) in enumerate(zip(entries, outcomes, strict=True)):
        if any(other.signature == outcome.signature for other in outcomes[:i]):
            expected = "one score for each metric, or a different signature for each score of one metric"
            raise entry.bad("metric", expected, outcome.metric)
    return outcomes


def outcome_of(row: Row) -> Outcome:
    """Return one entry of the field "scores": a score, or an error."""
    metric = row.text("metric")
    made_by = imported_signature(metric) if row.get("signature") is None else row.text("signature")
    costs = _usage(row), row.mapped("seconds", lambda inner, name: inner.number_in(name, 0, LONGEST_S))
    if row.get("error") is not None:
        return EvaluationError(metric, made_by, *_error(row), *costs)
    scale = UNIT if row.get("scale") is None else row.numbers("scale")
    if len(scale) != 2 or scale[0] >= scale[1]:
        raise row.bad("scale", "two numbers, the lower one first", row.get("scale"))
    value, rationales = row.number_in("value", *scale), row.text_map("rationales")
    explained = Explanation(rationales) if rationales else _UNEXPLAINED
    return Score(metric, value, made_by, (scale[0], scale[1]), row.mapped("components", _component), explained, *costs)


@lru_cache(1_000)
def imported_signature(metric: str) -> str:
    """Return the signature of an imported score whose file states none."""
    return signature(metric, source="imported")


def _error(row: Row) -> tuple[ErrorKind, str]:
    if row.get("value") is not None:
        raise row.bad("value", "no value if there is an error", row.get("value"))
    error = row.nested("error")
    word, message = error.text("kind"), error.text("message")
    return (cast(ErrorKind, word), message) if word in get_args(ErrorKind) else ("other", f"{word}: {message}")


def _usage(row: Row) -> Usage | None:
    if row.get("usage") is None:
        return None
    given = row.nested("usage").values
    try:
        return Usage(given["prompt"], given["completion"])  # type: ignore[arg-type]  # Usage checks each number
    except (KeyError, ValueError) as error:
        raise row.bad("usage", f"tokens as described under “Scores” in the documentation ({error})", given) from error


def _component(row: Row, name: str) -> float | tuple[float, ...]:
    return row.numbers(name) if isinstance(row.get(name), list) else row.number_in(name)


def _pair(row: Row) -> Pair:
    pair = row.nested("pair")
    return Pair(
        key=pair.text("key"),
        position=pair.whole("position", 0, 1),
        preferred=None if pair.get("preferred") is None else pair.whole("preferred", 0, 1),
        category=None if pair.get("category") is None else pair.text("category"),
    )


def _relative_path(row: Row) -> str:
    expected = "a path relative to the file's own folder, or only its name together with a folder (--images FOLDER)"
    image = row.text("image", expected)
    if is_absolute(image):
        raise row.bad("image", expected, image)
    return "/".join(parts_of(image))


# Field of a row -> function that reads it if it is present
READERS: Mapping[str, Callable[[Row], Any]] = {
    "id": lambda row: row.text("id"),
    "image": _relative_path,
    "caption": lambda row: row.text("caption"),
    "system": lambda row: row.system("system"),
    "references": lambda row: row.texts("references"),
    "human": lambda row: row.number_in("human", 0, 1),
    "judgements": lambda row: row.numbers("judgements"),
    "rater": lambda row: str(row.get("rater")) or None,
    "pair": _pair,
    "scores": scores_of,
    "own": _own,
}
FIELDS = tuple(READERS)
_REQUIRED = ("image", "caption")
_NAMED = {"id": "key", "caption": "candidate"}  # fields that have other names in Record


def line_of(sample: Sample, key: str | None, outcomes: Sequence[Outcome], pair: Pair | None) -> str:
    """Return a sample as a line of JSON Lines, with its line end."""
    return encoded(row_of(sample, key, outcomes, pair)) + "\n"


def row_of(sample: Sample, key: str | None, outcomes: Sequence[Outcome], pair: Pair | None) -> dict[str, object]:
    """Return a sample as a row of Capscope's own format.

    Empty fields are not written, and neither are phrases and regions of pictures.
    """
    return _given(
        {
            "id": key,
            "image": sample.image.name,
            "caption": sample.candidate,
            "system": sample.system,
            "own": dict(sample.own),
            "references": list(sample.references),
            "human": sample.human,
            "judgements": list(sample.judgements),
            "pair": None if pair is None else _given(asdict(pair)),
            "scores": [_score_row(outcome) for outcome in outcomes],
        }
    )


def _score_row(outcome: Outcome) -> dict[str, object]:
    row: dict[str, object] = {"metric": outcome.metric, "signature": outcome.signature}
    if isinstance(outcome, EvaluationError):
        row["error"] = {"kind": outcome.kind, "message": outcome.message}
    else:
        explained = outcome.explanation
        row |= {"value": outcome.value, "scale": list(outcome.scale)}
        row["components"] = {
            name: list(number) if isinstance(number, tuple) else number for name, number in outcome.components.items()
        }
        row |= {"rationales": dict(explained.rationales), "matches": match_fields(explained)}
    return _given(row | {"usage": outcome.usage and asdict(outcome.usage), "seconds": dict(outcome.seconds)})


def _given(fields: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in fields.items() if value is not None and value != [] and value != {}}

"""Read samples for exports.

They are read column by column and in large batches, without the masks and phrases of regions.
"""

import json
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

from sqlalchemy import Connection, case, select

from core.captions.matches_json import with_matches
from core.costs import Usage
from core.types import Components, Explanation, ImageRef, Outcome, OwnValues, Pair, Sample
from storage.data.outcome_columns import outcome_from
from storage.data.search import JOINED
from storage.data.stored_samples import name_in_source
from storage.engine.sql import listed
from storage.tables import DatasetRow, ImageRow, SampleRow, ScoreRow, as_text
from storage.types import StoredSample

AT_A_TIME = 200  # number of samples in one transaction; more samples would slow down the garbage collector
_KEPT = 10_000  # maximum number of texts in each cache; many samples have the same references or judgements

_SAMPLE = (
    SampleRow.id, DatasetRow.name, SampleRow.image_id, SampleRow.key, SampleRow.candidate,
    as_text(SampleRow.references), SampleRow.human, as_text(SampleRow.judgements), as_text(SampleRow.pair),
    SampleRow.system, as_text(SampleRow.own),
    ImageRow.name, ImageRow.path, ImageRow.sha256, ImageRow.width, ImageRow.height, as_text(ImageRow.vocabulary),
)  # fmt: skip
_SCORE = (
    ScoreRow.sample_id, ScoreRow.id, ScoreRow.metric, ScoreRow.signature, ScoreRow.value,
    ScoreRow.scale_low, ScoreRow.scale_high, as_text(ScoreRow.components), as_text(ScoreRow.rationales),
    ScoreRow.error_kind, ScoreRow.error_message, as_text(ScoreRow.usage), as_text(ScoreRow.seconds),
    case((as_text(ScoreRow.phrases).like("[{%"), as_text(ScoreRow.phrases)), else_=None),  # matches alone
)  # fmt: skip
_UNEXPLAINED = Explanation()  # the same object for all scores without rationales


def exported_samples(connection: Connection, ids: Sequence[int]) -> list[StoredSample]:
    """Return samples in id order, with their scores and errors.

    Deleted samples are omitted. Explanations have only rationales and matches, and pictures have no regions. No export
    writes the other data of explanations and pictures.
    """
    of_sample, of_score = SampleRow.id, ScoreRow.sample_id
    if ids and list(ids) == list(range(ids[0], ids[0] + len(ids))):
        chosen, scored = of_sample.between(ids[0], ids[-1]), of_score.between(ids[0], ids[-1])
    else:
        wanted = select(listed(ids).c.value)
        chosen, scored = of_sample.in_(wanted), of_score.in_(wanted)
    scores: dict[int, list[tuple[int, Outcome]]] = {}
    in_order = select(*_SCORE).where(scored).order_by(of_score, ScoreRow.metric, ScoreRow.signature)
    for sample, number, metric, signature, value, low, high, components, rationales, *more in connection.execute(
        in_order
    ).all():
        kind, message, usage, seconds, matches = more
        outcome = outcome_from(
            metric, signature, value, (low, high), _components(components), _explanation(rationales, matches),
            kind, message, _usage(usage), {} if seconds is None else json.loads(seconds),
        )  # fmt: skip
        scores.setdefault(sample, []).append((number, outcome))
    samples = {}
    rows = connection.execute(select(*_SAMPLE).select_from(JOINED).where(chosen)).all()
    for sample, dataset, image_id, key, candidate, references, human, judgements, pair, system, own, *image in rows:
        described = Sample(
            key, _image(*image), candidate, _tuple(references), human, _tuple(judgements), system, _own(own)
        )  # fmt: skip
        outcomes = scores.get(sample, ())
        samples[sample] = StoredSample(
            sample, dataset, image_id, described,
            tuple(outcome for _, outcome in outcomes), tuple(number for number, _ in outcomes),
            None if pair is None else Pair(**json.loads(pair)),
        )  # fmt: skip
    return [samples[one] for one in ids if one in samples]


@lru_cache(_KEPT)
def _tuple(text: str) -> tuple[Any, ...]:
    return tuple(json.loads(text))


@lru_cache(_KEPT)
def _own(text: str | None) -> OwnValues:
    return () if text is None else tuple(json.loads(text).items())


@lru_cache(_KEPT)
def _image(
    name: str, path: str | None, sha256: str | None, width: int | None, height: int | None, vocabulary: str
) -> ImageRef:
    file = None if path is None else Path(path)
    return ImageRef(name_in_source(name, sha256), file, sha256, width, height, (), _tuple(vocabulary))


def _components(text: str) -> Components:
    if text == "{}":
        return {}
    return {name: tuple(cell) if isinstance(cell, list) else cell for name, cell in json.loads(text).items()}


def _explanation(rationales: str, matches: str | None) -> Explanation:
    explained = _UNEXPLAINED if rationales == "{}" else Explanation(json.loads(rationales))
    return explained if matches is None else with_matches(explained, json.loads(matches))


def _usage(text: str | None) -> Usage | None:
    return None if text is None else Usage(**json.loads(text))

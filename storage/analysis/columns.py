"""Read a data set's samples, judgements and scores as columns (core.analysis.score_table), with pandas."""

import json
from collections import Counter
from itertools import chain
from pathlib import PurePosixPath
from statistics import median
from typing import TYPE_CHECKING, Any

import numpy as np
from sqlalchemy import Connection, select

from core.analysis.score_table import (
    MetricColumn,
    Parts,
    ScoreTable,
    Version,
    metric_labels,
    part_columns,
)
from core.arrays import Floats, Ints
from core.signature import is_by_people
from core.types import RAW, Pair
from storage.tables import ImageRow, SampleRow, ScoreRow, as_text

if TYPE_CHECKING:
    import pandas as pd

MOST_NAMES = 500  # maximum number of captioners in lists and titles
PORTION = 5_000  # rows that are fetched at a time


def frame(connection: Connection, query: Any) -> "pd.DataFrame":
    """Return the rows of a query as columns, without a Python object for each row.

    JSON must be selected as text, because the values are as the database's driver returns them.
    """
    import pandas as pd  # imported late, because it is slow and most commands do not need it

    names, read = query.selected_columns.keys(), []
    result = connection.execute(query)
    assert result.cursor is not None  # a SELECT has a cursor
    while rows := result.cursor.fetchmany(PORTION):
        read.append(pd.DataFrame.from_records(rows, columns=names))
    result.close()
    return pd.concat(read, ignore_index=True) if read else pd.DataFrame(columns=names)


def score_table(connection: Connection, dataset_id: int) -> ScoreTable:
    """Return a data set's samples, judgements and scores as columns."""
    texts = as_text(SampleRow.judgements).label("judgements"), as_text(SampleRow.pair).label("pair")
    columns = (SampleRow.id, SampleRow.key, SampleRow.candidate.label("caption"), SampleRow.human, *texts)
    query = select(*columns, SampleRow.image_id.label("image"), SampleRow.system.label("captioner"))
    # The sum lets SQLite read the samples in stored order. With the index of keys it would have to sort them.
    query = query.where(SampleRow.dataset_id + 0 == dataset_id).order_by(SampleRow.id)
    samples = frame(connection, query).astype({"id": np.int64, "image": np.int64, "human": float})
    judgements = _add_judgements(samples)
    samples["pair"] = _pairs(samples["pair"])
    samples["captioner"] = samples["captioner"].astype("str").astype("category")
    _add_pictures(connection, dataset_id, samples)
    return ScoreTable(samples, judgements, _metrics(connection, samples["id"].to_numpy()))


def _add_judgements(samples: "pd.DataFrame") -> Floats:
    """Replace the judgements' JSON by counts and medians, and return all judgements. Equal texts are read once."""
    places, texts = samples.pop("judgements").factorize()
    points = [json.loads(text) for text in texts]
    samples["level"] = np.array([median(of) if of else np.nan for of in points], dtype=float)[places]
    samples["counts"] = np.array([len(of) for of in points], dtype=np.int64)[places]
    return np.array([*chain.from_iterable(map(points.__getitem__, places.tolist()))], dtype=float)


def _pairs(texts: "pd.Series[str]") -> Any:
    pairs = np.full(len(texts), None, dtype=object)
    for place in np.flatnonzero(texts.notna()):
        pairs[place] = Pair(**json.loads(texts.iloc[place]))
    return pairs


def _add_pictures(connection: Connection, dataset_id: int, samples: "pd.DataFrame") -> None:
    """Add the names of the samples' pictures, and numbers for their file names without folders."""
    names = select(ImageRow.id, ImageRow.name).where(ImageRow.dataset_id == dataset_id)
    known = {image: name for image, name in connection.execute(names)}
    bare = {image: PurePosixPath(name).name for image, name in known.items()}
    number = {name: at for at, name in enumerate(sorted(set(bare.values())))}
    samples["picture"] = samples["image"].map(known).astype("str")
    samples["cluster"] = samples["image"].map({image: number[name] for image, name in bare.items()}).astype(np.int64)


def versions(connection: Connection, dataset_id: int, *conditions: Any) -> list[Version]:
    """Return (metric, signature) of a data set's scores that meet some conditions, sorted."""
    query = select(ScoreRow.metric, ScoreRow.signature).join(SampleRow).distinct()
    scored = query.where(SampleRow.dataset_id == dataset_id, ScoreRow.value.is_not(None), *conditions)
    return sorted((metric, signature) for metric, signature in connection.execute(scored))


def _metrics(connection: Connection, ids: Ints) -> dict[str, MetricColumn]:
    """Return the columns of every metric's scores; key: the column's name.

    A signature is a text with all settings that can change a score. A metric with several settings has one column for
    each signature.
    """
    cells = (ScoreRow.sample_id, ScoreRow.value, ScoreRow.components[RAW].as_float().label("raw"))
    query = select(ScoreRow.metric, ScoreRow.signature, *cells, ScoreRow.scale_low, ScoreRow.scale_high)
    scores = _placed(frame(connection, _scored(query, ids)), ids)
    by_version: dict[Version, pd.DataFrame] = dict(iter(scores.groupby(["metric", "signature"])))
    labels, times = metric_labels(by_version), Counter(metric for metric, _ in by_version)
    columns = {}
    for (metric, signature), of in by_version.items():
        value, raw = np.full((2, len(ids)), np.nan)
        value[of["place"]], raw[of["place"]] = of["value"], of["raw"].astype(float)
        scale = float(of["scale_low"].min()), float(of["scale_high"].max())
        name = metric if times[metric] == 1 else signature
        shown = labels[metric, signature], scale, value, raw, signature, is_by_people(signature)
        columns[name] = MetricColumn(name, metric, *shown)
    return columns


def _scored(query: Any, ids: Ints) -> Any:
    """Limit a query to scores of samples between the lowest and the highest id. This is faster than a join."""
    ends = (int(ids[0]), int(ids[-1])) if len(ids) else (0, 0)
    return query.where(ScoreRow.value.is_not(None), ScoreRow.sample_id.between(*ends))


def _placed(rows: "pd.DataFrame", ids: Ints) -> "pd.DataFrame":
    """Add the index of each row's sample in `ids`.

    Rows of other data sets' samples, and of samples that were imported after `ids` were read, are dropped.
    """
    import pandas as pd  # imported late, because it is slow and most commands do not need it

    placed = rows.assign(place=pd.Index(ids).get_indexer(rows["sample_id"].to_numpy(np.int64)))
    return placed[placed["place"] >= 0]


def parts(connection: Connection, ids: Ints, metric: MetricColumn) -> Parts:
    """Return all numeric components of a metric's scores, such as precision, as columns."""
    query = select(ScoreRow.sample_id, as_text(ScoreRow.components).label("components"))
    of_column = ScoreRow.metric == metric.metric, ScoreRow.signature == metric.signature
    rows = _placed(frame(connection, _scored(query.where(*of_column), ids)), ids)
    return part_columns(metric, rows["place"].to_numpy(), map(json.loads, rows["components"]))


def own_values(connection: Connection, dataset_id: int) -> "pd.DataFrame":
    """Return the researcher's own columns of a data set, such as "split". index: the samples that have any value."""
    import pandas as pd  # imported late, because it is slow and most commands do not need it

    query = select(SampleRow.id, as_text(SampleRow.own).label("own"))
    rows = frame(connection, query.where(SampleRow.dataset_id == dataset_id, SampleRow.own.is_not(None)))
    places, texts = rows["own"].factorize()
    values = pd.DataFrame.from_records([json.loads(text) for text in texts])
    return values.iloc[places].set_axis(rows["id"], axis=0)


def captioner_names(connection: Connection, dataset_id: int) -> tuple[str, ...]:
    """Return the captioners of a data set, sorted by name: the first MOST_NAMES of them."""
    query = select(SampleRow.system).where(SampleRow.dataset_id == dataset_id, SampleRow.system > "")
    return tuple(connection.scalars(query.distinct().order_by(SampleRow.system).limit(MOST_NAMES)))

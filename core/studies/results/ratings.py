"""The table of a study's ratings, on which all results work: one row per answer, as exports have them.

Results compare ratings of the same `unit` and call a metric by its `label`; `compared` adds these two columns.
"""

from collections.abc import Mapping, Sequence

import pandas as pd

Scales = Mapping[str, Sequence[int]]  # key: criterion; value: its points in ascending order, without abstention


def counted(ratings: pd.DataFrame) -> pd.DataFrame:
    """Return only the ratings that results include."""
    return ratings[ratings["left_out"] == ""]


def compared(ratings: pd.DataFrame, labels: Mapping[tuple[str, str], str]) -> pd.DataFrame:
    """Return ratings with the columns `label` and `unit`.

    labels: a name for each metric and signature, since one metric with two settings becomes two metrics. The unit is
    the sample. In some studies a rater judged one explanation in several items, beside explanations of different
    metrics; there, the unit is the item.
    """
    metrics = zip(ratings["metric"], ratings["signature"], strict=True)
    is_paired = ratings.duplicated(["sample", "metric", "signature", "rater", "criterion"]).any()
    return ratings.assign(
        label=pd.Series([labels.get(one, one[0]) for one in metrics], ratings.index, dtype=object),
        unit=ratings["item"] if is_paired else ratings["sample"],
    )


def shares(ratings: pd.DataFrame, scales: Scales) -> list[float]:
    """Return each answer as a share of its scale: 0 for the lowest point, 1 for the highest."""
    ends = {criterion: (points[0], points[-1]) for criterion, points in scales.items()}
    pairs = zip(ratings["criterion"], ratings["rating"].tolist(), strict=True)
    return [(point - ends[key][0]) / (ends[key][1] - ends[key][0]) for key, point in pairs]

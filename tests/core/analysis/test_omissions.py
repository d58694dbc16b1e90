import numpy as np
import pandas as pd

from core.analysis.omissions import Mentions, label_counts, most_omitted

Region = tuple[int, str, bool]  # caption, label, mentioned


def told(*regions: Region, captions: int = 3) -> Mentions:
    of = pd.DataFrame({"precision": np.nan, "recall": np.nan}, index=np.arange(captions))
    return Mentions(of, pd.DataFrame(regions, columns=["sample", "label", "mentioned"]))


HAND = told(
    (0, "dog", True), (0, "dog", False), (0, "cup", False), (1, "dog", False), (1, "cup", False), (2, "dog", True)
)


def rows(mentions: Mentions) -> list[tuple[int, str, int, int]]:
    return [(row.Index, row.labels, row.regions, row.regions_omitted) for row in most_omitted(mentions).itertuples()]


def test_captions_that_leave_most_labels_out_come_first_and_complete_ones_not_at_all() -> None:
    assert rows(HAND) == [(1, "cup, dog", 2, 2), (0, "cup", 3, 2)]
    assert rows(told((0, "dog", True), (0, "dog", False))) == [(0, "", 2, 1)]
    assert not len(most_omitted(told())) and not len(label_counts(told()))
    assert rows(HAND.of(np.array([0, 2]))) == [(0, "cup", 3, 2)]
    counts = {row.Index: tuple(row)[1:] for row in label_counts(HAND).itertuples()}
    assert counts == {"cup": (2, 2, 2, 2), "dog": (3, 1, 4, 2)}  # captions, omitted, regions, regions_omitted

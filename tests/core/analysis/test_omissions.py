import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

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


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from("abc"), st.booleans()), min_size=1, max_size=12))
def test_counts_are_those_of_looking_at_every_caption_and_label(regions: list[Region]) -> None:
    counted = {row.Index: row for row in label_counts(told(*regions)).itertuples()}
    for label in {one for _, one, _ in regions}:
        of = [[said for c, one, said in regions if (c, one) == (caption, label)] for caption in range(3)]
        having = [said for said in of if said]
        row = counted[label]
        assert (row.captions, row.omitted) == (len(having), sum(not any(said) for said in having))
        assert (row.regions, row.regions_omitted) == (sum(map(len, having)), sum(s.count(False) for s in having))
    assert len(counted) == len({one for _, one, _ in regions})

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from core.analysis.omissions import Mentions, label_counts, most_left_out

Region = tuple[int, str, bool]  # caption, label, mentioned


def told(*regions: Region, captions: int = 3) -> Mentions:
    places, labels, said = zip(*regions, strict=True) if regions else ((), (), ())
    nothing = np.full(captions, np.nan)
    ids = np.arange(captions) + 10
    return Mentions(ids, nothing, nothing, np.array(places, dtype=np.int64), list(labels), np.array(said, dtype=bool))


HAND = told(
    (0, "dog", True), (0, "dog", False), (0, "cup", False), (1, "dog", False), (1, "cup", False), (2, "dog", True)
)


def test_captions_that_leave_most_labels_out_come_first_and_complete_ones_not_at_all() -> None:
    rows = [(r.place, r.labels, r.regions, r.regions_left_out) for r in most_left_out(HAND)]
    assert rows == [(1, ("cup", "dog"), 2, 2), (0, ("cup",), 3, 2)]
    assert most_left_out(told()) == [] and label_counts(told()) == []


def test_a_part_of_the_captions_keeps_their_own_regions() -> None:
    part = HAND.where(np.array([False, True, True]))
    assert (part.sample.tolist(), part.place.tolist(), part.label) == ([11, 12], [0, 0, 1], ["dog", "cup", "dog"])
    assert part.mentioned.tolist() == [False, False, True]


@given(st.lists(st.tuples(st.integers(0, 2), st.sampled_from("abc"), st.booleans()), max_size=12))
def test_counts_are_those_of_looking_at_every_caption_and_label(regions: list[Region]) -> None:
    counted = {row.label: row for row in label_counts(told(*regions))}
    for label in {one for _, one, _ in regions}:
        of = [[said for c, one, said in regions if (c, one) == (caption, label)] for caption in range(3)]
        having = [said for said in of if said]
        row = counted[label]
        assert (row.captions, row.left_out) == (len(having), sum(not any(said) for said in having))
        assert (row.regions, row.regions_left_out) == (sum(map(len, having)), sum(s.count(False) for s in having))
    assert len(counted) == len({one for _, one, _ in regions})

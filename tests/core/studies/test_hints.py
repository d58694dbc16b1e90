from collections import Counter

from core.studies.results.hints import sees_hints


def test_of_every_two_raters_one_sees_hints_and_the_seed_says_which() -> None:
    drawn = {seed: [sees_hints("half", seed, rater) for rater in range(40)] for seed in range(20)}
    for seen in drawn.values():
        assert all(seen[place] != seen[place + 1] for place in range(0, 40, 2))
    assert len({tuple(seen) for seen in drawn.values()}) == 20
    firsts = Counter(seen[place] for seen in drawn.values() for place in range(0, 40, 2))
    assert 150 <= firsts[True] <= 250  # of 400 pairs
    assert drawn[3] == [sees_hints("half", 3, rater) for rater in range(40)]


def test_all_or_none_see_them_where_the_form_says_so() -> None:
    assert all(sees_hints("after", 1, rater) for rater in range(5))
    assert not any(sees_hints("never", 1, rater) for rater in range(5))

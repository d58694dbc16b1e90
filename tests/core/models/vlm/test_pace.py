import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.models.vlm.pace import Pace, used_tokens


def answer(tokens: int) -> dict[str, object]:
    return {"usage": {"prompt_tokens": tokens - 1, "completion_tokens": 1, "total_tokens": tokens}}


def test_thirty_requests_a_minute_begin_two_seconds_apart() -> None:
    pace = Pace(rate=30)
    assert [pace.begin(100.0)[0] for _ in range(4)] == [100.0, 102.0, 104.0, 106.0]
    assert pace.begin(200.0)[0] == 200.0  # what was not used before is no reserve
    assert pace.begin(200.0)[0] == 202.0


@given(
    st.floats(0.5, 1000),
    st.lists(st.floats(0, 30), min_size=1, max_size=100),
)
def test_no_minute_has_more_requests_than_the_rate(rate: float, pauses: list[float]) -> None:
    pace, now, starts = Pace(rate=rate), 0.0, list[float]()
    for pause in pauses:
        now += pause
        starts.append(pace.begin(now)[0])
    for start in starts:
        assert sum(start <= other < start + 60 - 1e-6 for other in starts) <= rate + 1


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=60), st.floats(1000, 100_000))
def test_tokens_are_kept_to_when_one_request_follows_the_other(sizes: list[int], limit: float) -> None:
    pace, now, spent = Pace(tokens=limit), 0.0, list[tuple[float, int]]()
    for size in sizes:
        now, expected = pace.begin(now)
        pace.end(expected, answer(size))
        spent.append((now, size))
    for start, _ in spent:
        minute = [size for begun, size in spent if start <= begun < start + 60 - 1e-6]
        assert sum(minute[:-1]) <= limit + 1e-3 * len(minute)


def test_rate_and_tokens_hold_together() -> None:
    pace = Pace(rate=60, tokens=6000)
    _, expected = pace.begin(0.0)
    pace.end(expected, answer(600))
    assert pace.begin(0.0)[0] == pytest.approx(6.0)  # 600 of 6,000 tokens are a tenth of a minute
    pace = Pace(rate=6, tokens=6000)
    _, expected = pace.begin(0.0)
    pace.end(expected, answer(60))
    assert pace.begin(0.0)[0] >= 0.59


def test_without_limits_nobody_waits() -> None:
    pace = Pace()
    assert [pace.begin(5.0)[0] for _ in range(3)] == [5.0] * 3


@pytest.mark.parametrize("said", [None, [], {}, {"usage": 3}, {"usage": {"prompt_tokens": "many"}}])
def test_an_answer_without_a_sound_count_of_tokens_corrects_nothing(said: object) -> None:
    assert used_tokens(said) is None
    pace = Pace(tokens=1000)
    _, expected = pace.begin(0.0)
    pace.end(expected, said)
    assert pace.begin(0.0)[0] == 0.0


def test_an_absurd_count_of_tokens_stops_a_run_for_minutes_and_not_for_ever() -> None:
    pace = Pace(tokens=1000)
    _, expected = pace.begin(0.0)
    pace.end(expected, answer(10**9))
    assert pace.begin(0.0)[0] == 600.0

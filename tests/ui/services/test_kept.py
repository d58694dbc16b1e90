import pytest
from ui.services.analysis.kept_results import Kept


def test_newest_results_are_kept_as_many_and_as_large_as_there_is_room_for() -> None:
    made: list[tuple[str, int]] = []

    def work(name: str, size: int) -> list[int]:
        made.append((name, size))
        return [0] * size

    kept = Kept(work, 3, 10)
    for key in (("a", 2), ("b", 2), ("a", 2), ("c", 2)):
        kept(*key)
    assert made == [("a", 2), ("b", 2), ("c", 2)]
    kept("d", 2)  # a fourth: b was asked for longest ago
    kept("a", 2)
    assert len(made) == 4
    kept("e", 50)  # alone is larger than there is room for
    kept("e", 50)
    assert len(made) == 5
    kept("a", 2)  # had to make room
    assert made[-1] == ("a", 2)
    assert len(made) == 6


def test_an_error_is_not_kept() -> None:
    answers = [ValueError("no"), [1]]

    def work() -> list[int]:
        answer = answers.pop(0)
        if isinstance(answer, ValueError):
            raise answer
        return answer  # type: ignore[return-value]

    kept = Kept(work, 1, 1)
    with pytest.raises(ValueError, match="no"):
        kept()
    assert kept() == [1]

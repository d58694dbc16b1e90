from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from core.errors import BadSetting
from core.metrics import METRICS
from core.metrics.plugins import known_metrics
from core.models import ModelSettings
from core.types import Outcome, Sample, Score
from tests.ui.fake_metrics import Blind, Lengths


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    """What is installed is looked for anew."""
    known_metrics.cache_clear()
    yield
    known_metrics.cache_clear()


WRONG: tuple[dict[str, object], ...] = ({"scale": (1.0, 0.0)}, {"name": "a|b"}, {"score": None}, {"name": "fleur"})
NoScale, NoName, Mute, Taken = (type("Wrong", (Lengths,), wrong) for wrong in WRONG)


def test_named_metrics_stand_behind_our_own_each_once() -> None:
    blind, lengths = "tests.ui.fake_metrics:Blind", "tests.ui.fake_metrics:Lengths"
    assert known_metrics((blind, lengths, blind)) == (*METRICS, Blind, Lengths)
    assert known_metrics() == METRICS


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("nothing", "module:Class"),
        ("no.such.module:Class", "No module named"),
        ("tests.ui.fake_metrics:Nobody", "no attribute 'Nobody'"),
        ("tests.making:rows", "it is not a class"),
        ("core.types:Sample", "`name` must be"),
        (f"{__name__}:NoScale", "`scale` must be"),
        (f"{__name__}:NoName", "without | and :"),
        (f"{__name__}:Mute", "`score` must be a method"),
        (f"{__name__}:Taken", "Two metrics are called"),
    ],
)
def test_what_is_no_metric_is_told_by_what_it_lacks(name: str, told: str) -> None:
    with pytest.raises(BadSetting, match=told.replace("|", r"\|")):
        known_metrics((name,))


class Plain:
    """A class that does not inherit from Metric."""

    name = "Plain"

    @classmethod
    def load(cls, settings: ModelSettings) -> "Plain":
        return cls()

    def signature(self) -> str:
        return "Plain|capscope:test"

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        yield from (Score("Plain", 0.5, self.signature()) for _ in samples)


def test_a_class_of_ones_own_need_not_inherit_and_gets_what_it_does_not_say() -> None:
    *_, plain = known_metrics((f"{__name__}:Plain",))
    assert (plain.name, plain.scale, plain.checkpoints, plain.needs_image) == ("Plain", (0.0, 1.0), (), True)
    assert issubclass(plain, Plain) and plain.load(ModelSettings()).signature() == "Plain|capscope:test"


def test_a_module_that_is_no_python_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "half_a_metric.py").write_text("class Half(")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadSetting, match="half_a_metric:Half cannot be imported"):
        known_metrics(("half_a_metric:Half",))

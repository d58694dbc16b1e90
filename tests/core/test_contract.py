"""What every metric of METRICS promises at class level; no weights are loaded."""

import inspect
import math
import re
import subprocess
import sys

import pytest

from core.datasets import benchmark_named
from core.metrics import METRICS, Metric
from core.models import Checkpoint, ModelSettings
from core.signature import signature

every_metric = pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)


def test_no_two_metrics_share_a_name_whatever_the_case() -> None:
    names = [metric.name.lower() for metric in METRICS]
    assert len(names) == len(set(names))


@every_metric
def test_a_name_stands_whole_in_front_of_a_signature(metric: type[Metric]) -> None:
    assert signature(metric.name).split("|")[0] == metric.name


@every_metric
def test_a_metric_says_where_its_paper_is(metric: type[Metric]) -> None:
    assert re.fullmatch(r"https://\S+", metric.paper)


@every_metric
def test_a_scale_is_a_finite_range(metric: type[Metric]) -> None:
    low, high = metric.scale
    assert math.isfinite(low)
    assert math.isfinite(high)
    assert low < high


@every_metric
def test_what_a_metric_needs_and_shows_is_said_plainly(metric: type[Metric]) -> None:
    for fact in (metric.requires_references, metric.needs_image, metric.shows_regions):
        assert fact in (True, False)


@every_metric
def test_checkpoints_are_pinned_sized_and_licensed(metric: type[Metric]) -> None:
    for checkpoint in metric.checkpoints:
        assert isinstance(checkpoint, Checkpoint)
        assert checkpoint.size_gb > 0
        assert all((checkpoint.purpose, checkpoint.repo, checkpoint.revision, checkpoint.licence))


@every_metric
def test_meanings_are_sentences_and_published_figures_are_of_known_benchmarks(metric: type[Metric]) -> None:
    assert all(name and text.endswith(".") for name, text in metric.meanings.items())
    for number in metric.published:
        assert benchmark_named(number.benchmark)
        assert 0 < number.value < 100


@every_metric
def test_a_metric_has_the_three_methods_of_the_protocol(metric: type[Metric]) -> None:
    assert inspect.ismethod(metric.load)
    assert list(inspect.signature(metric.load).parameters.values())[0].annotation in (ModelSettings, "ModelSettings")
    assert list(inspect.signature(metric.score).parameters) == ["self", "samples"]
    assert list(inspect.signature(metric.signature).parameters) == ["self"]


def test_listing_the_metrics_loads_no_neural_library() -> None:
    code = (
        "import sys, core.metrics\n"
        "heavy = {'torch', 'torchvision', 'transformers', 'ultralytics', 'spacy', 'timm', 'peft'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr

"""What every metric of METRICS promises at class level; no weights are loaded."""

import math
import re
import subprocess
import sys

import pytest

from core.metrics import METRICS, Metric
from core.signature import signature


def test_no_two_metrics_share_a_name_whatever_the_case() -> None:
    names = [metric.name.lower() for metric in METRICS]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("metric", METRICS, ids=lambda metric: metric.name)
def test_a_metric_states_its_paper_its_scale_its_weights_and_what_its_components_mean(metric: type[Metric]) -> None:
    assert signature(metric.name).split("|")[0] == metric.name
    assert re.fullmatch(r"https://\S+", metric.paper)
    low, high = metric.scale
    assert math.isfinite(low) and math.isfinite(high) and low < high
    for checkpoint in metric.checkpoints:
        assert checkpoint.size_gb > 0
        assert all((checkpoint.purpose, checkpoint.repo, checkpoint.revision, checkpoint.licence))
    assert all(name and text.endswith(".") for name, text in metric.meanings.items())


def test_listing_the_metrics_loads_no_neural_library() -> None:
    code = (
        "import sys, core.metrics\n"
        "heavy = {'torch', 'torchvision', 'transformers', 'ultralytics', 'spacy', 'timm', 'peft'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=False)
    assert done.stdout.strip() == "[]", done.stderr

"""Capscope from Python: score captions, correlate scores with human judgement, and write your own metrics.

docs/how-to/use-from-python.md shows how to score captions, and docs/how-to/add-a-metric.md how to write a metric. The
names that `capscope` offers come from other modules. Each of these modules is loaded only when a name from it is first
used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from core.signature import VERSION as __version__

if TYPE_CHECKING:
    from core.costs import Usage
    from core.errors import CapscopeError
    from core.metrics import Metric
    from core.models import Checkpoint, Endpoint, ModelSettings
    from core.notebook import Result, Scorer, metric
    from core.signature import signature
    from core.types import EvaluationError, Explanation, ImageRef, Sample, Score
    from ui.services.analysis.correlating import agreement

_HOMES = {
    "CapscopeError": "core.errors",
    "Checkpoint": "core.models",
    "Endpoint": "core.models",
    "EvaluationError": "core.types",
    "Explanation": "core.types",
    "ImageRef": "core.types",
    "Metric": "core.metrics",
    "ModelSettings": "core.models",
    "Result": "core.notebook",
    "Sample": "core.types",
    "Score": "core.types",
    "Scorer": "core.notebook",
    "Usage": "core.costs",
    "agreement": "ui.services.analysis.correlating",
    "metric": "core.notebook",
    "signature": "core.signature",
}
__all__ = [
    "CapscopeError",
    "Checkpoint",
    "Endpoint",
    "EvaluationError",
    "Explanation",
    "ImageRef",
    "Metric",
    "ModelSettings",
    "Result",
    "Sample",
    "Score",
    "Scorer",
    "Usage",
    "__version__",
    "agreement",
    "metric",
    "signature",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)

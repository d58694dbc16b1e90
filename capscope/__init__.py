"""Capscope from Python: score captions, correlate scores with human judgement, and write your own metrics.

docs/how-to/use-from-python.md shows how to score captions, and docs/how-to/add-a-metric.md how to write a metric. The
names that `capscope` offers come from other modules. Each of these modules is loaded only when a name from it is first
used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

from core.signature import VERSION as __version__

if TYPE_CHECKING:
    from core.costs import Usage as Usage
    from core.errors import CapscopeError as CapscopeError
    from core.metrics import Metric as Metric
    from core.models import Checkpoint as Checkpoint
    from core.models import Endpoint as Endpoint
    from core.models import ModelSettings as ModelSettings
    from core.notebook import Result as Result
    from core.notebook import Scorer as Scorer
    from core.notebook import metric as metric
    from core.signature import signature as signature
    from core.types import EvaluationError as EvaluationError
    from core.types import Explanation as Explanation
    from core.types import ImageRef as ImageRef
    from core.types import Sample as Sample
    from core.types import Score as Score
    from ui.services.analysis.correlating import agreement as agreement

_MODULES = {
    "core.costs": ("Usage",),
    "core.errors": ("CapscopeError",),
    "core.metrics": ("Metric",),
    "core.models": ("Checkpoint", "Endpoint", "ModelSettings"),
    "core.notebook": ("Result", "Scorer", "metric"),
    "core.signature": ("signature",),
    "core.types": ("EvaluationError", "Explanation", "ImageRef", "Sample", "Score"),
    "ui.services.analysis.correlating": ("agreement",),
}
_HOMES = {name: module for module, names in _MODULES.items() for name in names}
__all__ = [*_HOMES, "__version__"]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_HOMES[name]), name)

"""Metrics of other packages: from the entry-point group capscope.metrics, or named as "module:Class".

Only the person who starts Capscope can load such metrics. Users of the web pages cannot load them, and neither can
imported files. See docs/how-to/add-a-metric.md.
"""

import importlib
import math
import os
import sys
from functools import cache
from importlib.metadata import entry_points
from typing import Any, cast

from core.errors import BadSetting
from core.metrics import METRICS, Metric

GROUP = "capscope.metrics"
NEEDED: dict[str, type] = {  # the attributes that core.metrics.Metric requires, besides name, scale and the methods
    "paper": str,
    "requires_references": bool,
    "needs_image": bool,
    "shows_regions": bool,
    "checkpoints": tuple,
    "meanings": dict,
    "published": tuple,
}


@cache
def known_metrics(named: tuple[str, ...] = ()) -> tuple[type[Metric], ...]:
    """Return Capscope's metrics, then those of installed packages, then the metrics in `named`.

    named: texts like "module:Class". Modules are searched on Python's path and in the current folder. Raises BadSetting
    for a class that is not a metric.
    """
    brought = sorted(_loaded(found.value) for found in entry_points(group=GROUP))
    metrics = tuple(dict.fromkeys((*METRICS, *(one for _, one in brought), *(_loaded(name)[1] for name in named))))
    names = [metric.name.casefold() for metric in metrics]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise BadSetting(f"Two metrics are called {metrics[place].name}. Give your metric another name.")
    return metrics


def _loaded(name: str) -> tuple[str, type[Metric]]:
    """Return a metric's name in lower case, for sorting, and its class. Raises BadSetting."""
    module, colon, attribute = name.partition(":")
    if not (module and colon and attribute.isidentifier()):
        raise BadSetting(f"Name your own metric as module:Class. {name!r} does not have this form.")
    here = os.getcwd()
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)  # keep the folder on the path, because the module may import its neighbours later
    try:
        found: Any = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError, SyntaxError) as error:
        raise BadSetting(f"The metric {name} cannot be imported ({error}). Check its name and its folder.") from error
    problem = _problem(found) if isinstance(found, type) else "it is not a class"
    if problem is not None:
        raise BadSetting(f"{name} is not a metric: {problem}.")
    return cast(Any, found).name.casefold(), cast(type[Metric], found)


def _problem(found: Any) -> str | None:
    """Return what a class lacks to be a metric, or None."""
    name, scale = getattr(found, "name", None), getattr(found, "scale", None)
    if (
        not isinstance(name, str)
        or not 1 <= len(name) <= 80
        or " ".join(name.split()) != name
        or {"|", ":"} & set(name)
    ):
        return f"`name` must be a text of 1 to 80 characters without | and :, found {name!r:.90}"
    pair = isinstance(scale, tuple) and len(scale) == 2 and all(isinstance(end, int | float) for end in scale)
    if not pair or not all(map(math.isfinite, cast(Any, scale))) or cast(Any, scale)[0] >= cast(Any, scale)[1]:
        return f"`scale` must be the lowest and the highest score, found {scale!r:.90}"
    for attribute, kind in NEEDED.items():
        if not isinstance(getattr(found, attribute, None), kind):
            return f"`{attribute}` must be a {kind.__name__}, found {getattr(found, attribute, 'nothing')!r:.90}"
    for method in ("load", "score", "signature"):
        if not callable(getattr(found, method, None)):
            return f"`{method}` must be a method"
    return None

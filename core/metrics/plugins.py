"""Metrics of other packages: from the entry-point group capscope.metrics, or named as "module:Class".

Only the person who starts Capscope can load such metrics. Users of the web pages cannot load them, and neither can
imported files. See docs/how-to/add-a-metric.md.
"""

import importlib
import os
import sys
from functools import cache
from importlib.metadata import entry_points
from math import isfinite
from typing import Any

from core.errors import BadSetting
from core.metrics import METRICS, Metric

GROUP = "capscope.metrics"


@cache
def known_metrics(named: tuple[str, ...] = ()) -> tuple[type[Metric], ...]:
    """Return Capscope's metrics, then those of installed packages, then the metrics in `named`.

    named: texts like "module:Class". Modules are searched on Python's path and in the current folder. Raises BadSetting
    for a class that is not a metric.
    """
    brought = sorted((_loaded(found.value) for found in entry_points(group=GROUP)), key=lambda one: one.name.casefold())
    metrics = tuple(dict.fromkeys((*METRICS, *brought, *map(_loaded, named))))
    names = [metric.name.casefold() for metric in metrics]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise BadSetting(f"Two metrics are called {metrics[place].name}. Give your metric another name.")
    return metrics


def as_metric(found: Any) -> type[Metric]:
    """Return a class with the methods of a metric as a Metric, with defaults for missing attributes.

    Raises ValueError if the class is not a metric.
    """
    if not isinstance(found, type):
        raise ValueError("it is not a class")
    kind: Any = found if issubclass(found, Metric) else type(found.__name__, (found, Metric), {})
    name, scale = getattr(kind, "name", None), kind.scale
    text = name if isinstance(name, str) else ""
    if not 1 <= len(text) <= 80 or " ".join(text.split()) != text or {"|", ":"} & set(text):
        raise ValueError(f"`name` must be a text of 1 to 80 characters without | and :, found {name!r:.90}")
    ends = scale if isinstance(scale, tuple) and all(isinstance(end, int | float) for end in scale) else ()
    if len(ends) != 2 or not all(map(isfinite, ends)) or ends[0] >= ends[1]:
        raise ValueError(f"`scale` must be the lowest and the highest score, found {scale!r:.90}")
    for method in ("load", "score", "signature"):
        if not callable(getattr(kind, method)) or getattr(kind, method) == getattr(Metric, method):
            raise ValueError(f"`{method}` must be a method")
    return kind  # type: ignore[no-any-return]


def _loaded(name: str) -> type[Metric]:
    module, colon, attribute = name.partition(":")
    if not (module and colon and attribute.isidentifier()):
        raise BadSetting(f"Name your own metric as module:Class. {name!r} does not have this form.")
    here = os.getcwd()
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)  # keep the folder on the path, because the module may import its neighbours later
    try:
        return as_metric(getattr(importlib.import_module(module), attribute))
    except (ImportError, AttributeError, SyntaxError) as error:
        raise BadSetting(f"The metric {name} cannot be imported ({error}). Check its name and its folder.") from error
    except ValueError as error:
        raise BadSetting(f"{name} is not a metric: {error}.") from error

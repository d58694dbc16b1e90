"""Metrics of other packages: from the entry-point group capscope.metrics, or named as "module:Class".

Only the person who starts Capscope can load such metrics. Users of the web pages cannot load them, and neither can
imported files. See docs/how-to/add-a-metric.md.
"""

import importlib
import math
import os
import sys
from collections.abc import Callable
from functools import cache, partial
from importlib.metadata import entry_points
from typing import Any, cast

from core.errors import BadSetting
from core.metrics import METRICS, Metric

GROUP = "capscope.metrics"


@cache
def known_metrics(named: tuple[str, ...] = ()) -> tuple[type[Metric], ...]:
    """Return Capscope's metrics, then those of installed packages, then the metrics in `named`.

    named: texts like "module:Class". Each class is returned once. Modules are searched on Python's path and in the
    current folder. Raises BadSetting for a class that is not a metric.
    """
    brought = [_checked(f"{found.value} ({GROUP})", found.load) for found in entry_points(group=GROUP)]
    brought.sort(key=lambda metric: metric.name.casefold())
    metrics = tuple(dict.fromkeys((*METRICS, *brought, *(_checked(name, partial(_named, name)) for name in named))))
    names = [metric.name.casefold() for metric in metrics]
    for place, name in enumerate(names):
        if name in names[:place]:
            raise BadSetting(f"Two metrics are called {metrics[place].name}. Give your metric another name.")
    return metrics


def _named(name: str) -> object:
    module, colon, attribute = name.partition(":")
    if not (module and colon and attribute.isidentifier()):
        raise BadSetting(f"Name your own metric as module:Class. {name!r} does not have this form.")
    here = os.getcwd()
    if here not in sys.path and "" not in sys.path:
        sys.path.append(here)  # keep the folder on the path, because the module may import its neighbours later
    return getattr(importlib.import_module(module), attribute)


def _checked(name: str, load: Callable[[], object]) -> type[Metric]:
    """Load a metric's class and return it.

    Raises BadSetting if the class cannot be loaded, or lacks an attribute that metrics need.
    """
    try:
        found = load()
    except (ImportError, AttributeError, SyntaxError) as error:
        raise BadSetting(f"The metric {name} cannot be imported ({error}). Check its name and its folder.") from error
    if not isinstance(found, type):
        raise BadSetting(f"{name}: expected a class, found {found!r:.80}.")
    for attribute, expected, fits in _PROMISES:
        if not hasattr(found, attribute) or not fits(getattr(found, attribute)):
            shown = repr(getattr(found, attribute, "nothing"))
            raise BadSetting(f"The metric {name} needs `{attribute}`, {expected}. Found: {shown:.80}.")
    return cast(type[Metric], found)


def _is_name(value: object) -> bool:
    whole = isinstance(value, str) and value == " ".join(value.split()) and value.isprintable()
    return whole and 1 <= len(str(value)) <= 80 and not {"|", ":"} & set(str(value))


def _is_scale(value: object) -> bool:
    two = isinstance(value, tuple) and len(value) == 2 and all(isinstance(end, int | float) for end in value)
    return two and all(map(math.isfinite, cast(Any, value))) and cast(Any, value)[0] < cast(Any, value)[1]


def _is_yes_or_no(value: object) -> bool:
    return isinstance(value, bool)


_PROMISES: tuple[tuple[str, str, Callable[[Any], bool]], ...] = (  # the attributes that core.metrics.Metric requires
    ("name", "a text of 1 to 80 characters without | and :", _is_name),
    ("paper", "a text that names the publication", lambda value: isinstance(value, str)),
    ("scale", "the lowest and the highest score as a tuple of two numbers", _is_scale),
    ("requires_references", "True or False", _is_yes_or_no),
    ("needs_image", "True or False", _is_yes_or_no),
    ("shows_regions", "True or False", _is_yes_or_no),
    ("checkpoints", "a tuple of core.models.Checkpoint, () for none", lambda value: isinstance(value, tuple)),
    ("meanings", "texts by the names of components, {} for none", lambda value: isinstance(value, dict)),
    ("published", "a tuple of figures that papers print, () for none", lambda value: isinstance(value, tuple)),
    ("load", "a class method that returns the metric", callable),
    ("score", "a method that yields one result per sample", callable),
    ("signature", "a method that returns a text", callable),
)

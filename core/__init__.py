"""The domain of Capscope: captions, metrics, ratings.

It does not know the pages or the database. Users import these names from `capscope` (docs/how-to/use-from-python.md). A
name is loaded at its first use.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from core.notebook import Result, Scorer, metric

__all__ = ["Result", "Scorer", "metric"]


def __getattr__(name: str) -> object:
    if name not in __all__:
        raise AttributeError(f"module 'core' has no attribute {name!r}")
    return getattr(import_module(".notebook", __name__), name)

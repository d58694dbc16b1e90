"""The domain code of Capscope: captions, metrics and ratings.

This package imports neither the code of the pages nor that of the database. Python users import the public names from
`capscope`; see docs/how-to/use-from-python.md. `capscope` loads each name at its first use.
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

"""The shapes of numbers and texts that modules hand to one another."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]
Texts = Sequence[str] | NDArray[Any]  # an array takes a third of the memory of as many Python strings

TEXT = np.dtypes.StringDType()


def texts(values: Iterable[str] | NDArray[Any]) -> NDArray[Any]:
    """Return texts as an array of numpy's strings of any length; such an array is returned as it is."""
    return np.asarray(values if isinstance(values, np.ndarray) else [*values], dtype=TEXT)

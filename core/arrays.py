"""Types of arrays and texts that several modules use."""

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Texts = Sequence[str] | NDArray[Any]  # An array of texts takes a third of the memory of Python strings.

TEXT = np.dtypes.StringDType()


def texts(values: Iterable[str] | NDArray[Any]) -> NDArray[Any]:
    """Return texts as a numpy array of the type `TEXT`.

    This type contains strings of any length. An array that already has this type is returned unchanged.
    """
    return np.asarray(values if isinstance(values, np.ndarray) else [*values], dtype=TEXT)

from typing import Any

import pytest


def nearly(value: Any, tolerance: float) -> Any:
    """Replace each float in nested data by an approximation, so that `==` compares everything else exactly.

    The tolerance is absolute. Numbers that models compute differ in their last digits from processor to processor.
    """
    if isinstance(value, dict):
        return {name: nearly(part, tolerance) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [nearly(part, tolerance) for part in value]
    return pytest.approx(value, abs=tolerance, rel=0) if isinstance(value, float) else value

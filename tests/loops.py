"""Running coroutines in tests, in a thread of their own: a browser driven before may have left a loop in this one."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


def run_async(work: Coroutine[Any, Any, T]) -> T:
    """Run a coroutine to its end and return its result."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, work).result()

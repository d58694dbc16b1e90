"""How many threads a computation takes: small ones are done sooner by one than shared out among several."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread() -> Iterator[None]:
    """Within the block let numpy compute with one thread.

    Threads that share a few milliseconds of work wait for each other, and wait long where a browser on the same
    computer is painting meanwhile.
    """
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    """Looking for the libraries takes milliseconds, so it is done once."""
    return ThreadpoolController()

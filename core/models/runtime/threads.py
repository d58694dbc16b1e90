"""Limit a computation's threads: one thread is faster for small computations."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache

from threadpoolctl import ThreadpoolController


@contextmanager
def one_thread() -> Iterator[None]:
    """Let numpy use only one thread within a `with` block.

    For a few milliseconds of work, several threads lose more time by waiting for each other than they save. They wait
    especially long if a browser on the same computer renders a page at the same time.
    """
    with _controller().limit(limits=1, user_api="blas"):
        yield


@cache
def _controller() -> ThreadpoolController:
    """Return the object that limits the threads of libraries.

    It is cached, because finding the libraries takes milliseconds.
    """
    return ThreadpoolController()

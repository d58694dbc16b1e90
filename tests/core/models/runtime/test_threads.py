import numpy as np
from threadpoolctl import threadpool_info, threadpool_limits

from core.models.runtime.threads import one_thread


def threads() -> set[int]:
    """Return the threads of numpy's library. Others may have been loaded since the search for libraries."""
    blas = (library for library in threadpool_info() if library["user_api"] == "blas")
    return {library["num_threads"] for library in blas if "numpy" in library["filepath"]}


def test_numpy_computes_with_one_thread_within_the_block_and_as_before_after_it() -> None:
    assert np.ones((2, 2)).sum() == 4  # its library is loaded
    with threadpool_limits(2, user_api="blas"):
        with one_thread():
            assert threads() == {1}
        assert threads() == {2}

import numpy as np
import pytest

from tests.benchmarks.bench_stats import fast_bootstrap, measured
from tests.benchmarks.memory import STATUS


@pytest.mark.skipif(not STATUS.exists(), reason="peak memory is read from Linux's /proc")
def test_the_peak_memory_of_a_contestant_is_not_that_of_the_process_that_measures_it() -> None:
    ours = np.ones(2**26)
    _, peak_mb, _ = measured(fast_bootstrap)
    assert 50 < peak_mb < ours.nbytes / 2**20

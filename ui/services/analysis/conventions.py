"""Choose the benchmark whose rules decide how a data set's scores are compared with people's judgements."""

from core.datasets import BENCHMARKS, benchmark_named
from ui.services.workplace import Workplace


def convention_of(workplace: Workplace, dataset: str, chosen: str | None = None) -> str:
    """Return the benchmark whose rules apply to a data set.

    The result is the benchmark's name. chosen: the benchmark that the user chose; None: the benchmark from whose files
    the data set was imported. If no such benchmark is known, the data set's own name is returned, which may be a
    benchmark's name. Raises NotFound for an unknown chosen benchmark.
    """
    if chosen:
        return benchmark_named(chosen).name
    stored = workplace.repository.analysis.benchmark(dataset)
    return stored if stored in {benchmark.name for benchmark in BENCHMARKS} else dataset

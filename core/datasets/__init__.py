"""The file formats that can be imported, and the benchmarks whose files have these formats.

FORMATS lists the formats in display order, and BENCHMARKS lists the benchmarks. To add a format, write its reader and
add it to FORMATS, or to the tuple of its family in judged.py or pairs.py.
"""

from core.datasets.base import Benchmark, Format
from core.datasets.capevalkit import CAPEVALKIT
from core.datasets.coco import COCO_CAPTIONS, COCO_RESULTS
from core.datasets.flickr8k import FLICKR8K
from core.datasets.huggingface import HUGGINGFACE
from core.datasets.judged import JUDGED
from core.datasets.metric_results import EXPERT_RESULTS, FLEUR_RESULTS
from core.datasets.own_csv import CSV
from core.datasets.own_tables import JSONL
from core.datasets.pairs import PAIRS
from core.errors import NotFound

FORMATS: tuple[Format, ...] = (
    JSONL,
    CSV,
    *FLICKR8K,
    *JUDGED,
    *PAIRS,
    COCO_CAPTIONS,
    COCO_RESULTS,
    HUGGINGFACE,
    CAPEVALKIT,
    FLEUR_RESULTS,
    EXPERT_RESULTS,
)
BENCHMARKS: tuple[Benchmark, ...] = tuple(dict.fromkeys(known.benchmark for known in FORMATS if known.benchmark))


def benchmark_named(name: str) -> Benchmark:
    """Return the benchmark with this name. Raises NotFound with a list of all names."""
    for benchmark in BENCHMARKS:
        if benchmark.name == name:
            return benchmark
    raise NotFound.of_names("benchmark", name, [benchmark.name for benchmark in BENCHMARKS])


def format_named(name: str) -> Format:
    """Return the format with this name. Raises NotFound with a list of all names and the closest name."""
    for fmt in FORMATS:
        if fmt.name == name:
            return fmt
    raise NotFound.of_names("format", name, [fmt.name for fmt in FORMATS])

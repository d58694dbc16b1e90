"""The file formats that can be imported, and the benchmarks whose files have these formats.

FORMATS lists the formats in display order, and BENCHMARKS lists the benchmarks. To add a format or a benchmark, add one
file in this package and one line in FORMATS.
"""

import difflib
from pathlib import Path

from core.datasets.base import Format, OnBad, OnProgress, Record, plain_name, raise_bad
from core.datasets.benchmark import Benchmark
from core.datasets.caparena import CAPARENA
from core.datasets.capevalkit import CAPEVALKIT
from core.datasets.coco_captions import COCO_CAPTIONS
from core.datasets.coco_results import COCO_RESULTS
from core.datasets.composite import COMPOSITE
from core.datasets.expert_results import expert_results
from core.datasets.fleur_results import FLEUR_RESULTS
from core.datasets.flickr8k import FLICKR8K_CF, FLICKR8K_EXPERT
from core.datasets.foil import FOIL_TEST
from core.datasets.huggingface import HUGGINGFACE
from core.datasets.longcap_arena import LONGCAP_ARENA
from core.datasets.nebula import NEBULA, NEBULA_CORRECTED, POLARIS, SPICA
from core.datasets.own_csv import CSV
from core.datasets.own_jsonl import JSONL
from core.datasets.pascal50s import PASCAL50S
from core.datasets.pictures import ImageIndex, find_images
from core.datasets.polaris_exp import NEBULA_EXP, POLARIS_EXP
from core.datasets.thumb import THUMB
from core.errors import BadSetting, NotFound
from core.types import Pair

__all__ = [
    "BENCHMARKS",
    "Benchmark",
    "FORMATS",
    "Format",
    "ImageIndex",
    "OnBad",
    "OnProgress",
    "Pair",
    "Record",
    "benchmark_named",
    "find_images",
    "format_named",
    "judgement_format",
    "raise_bad",
    "score_format",
]

FORMATS: tuple[Format, ...] = (
    JSONL,
    CSV,
    POLARIS_EXP,
    NEBULA_EXP,
    FLICKR8K_EXPERT,
    FLICKR8K_CF,
    COMPOSITE,
    PASCAL50S,
    FOIL_TEST,
    COCO_CAPTIONS,
    COCO_RESULTS,
    THUMB,
    CAPARENA,
    POLARIS,
    NEBULA,
    NEBULA_CORRECTED,
    SPICA,
    LONGCAP_ARENA,
    HUGGINGFACE,
    CAPEVALKIT,
    FLEUR_RESULTS,
    expert_results(lambda: BENCHMARKS),  # a function, because BENCHMARKS is made from this tuple
)
BENCHMARKS: tuple[Benchmark, ...] = tuple(dict.fromkeys(known.benchmark for known in FORMATS if known.benchmark))


def benchmark_named(name: str) -> Benchmark:
    """Return the benchmark with this name. Raises NotFound with a list of all names."""
    for benchmark in BENCHMARKS:
        if benchmark.name == name:
            return benchmark
    raise NotFound(
        f"There is no benchmark {name!r}. Benchmarks: {', '.join(benchmark.name for benchmark in BENCHMARKS)}."
    )


def judgement_format(benchmark: str, file: Path) -> Format:
    """Return the format of a file with a benchmark's judgements.

    The file's extension decides whether this is the benchmark's own format or Capscope's own format.
    """
    if plain_name(file).suffix.lower() in JSONL.suffixes:
        return JSONL
    return next(fmt for fmt in FORMATS if fmt.benchmark == benchmark_named(benchmark))


def score_format(file: Path) -> Format:
    """Return the format of a metric's score file by the file's extension. Raises BadSetting if no format fits."""
    for fmt in FORMATS:
        if fmt.holds_scores and plain_name(file).suffix.lower() in fmt.suffixes:
            return fmt
    raise BadSetting(f"The format of {file.name} is unknown. Name it with --format, e.g. fleur-results.")


def format_named(name: str) -> Format:
    """Return the format with this name. Raises NotFound with a list of all names and the closest name."""
    names = [fmt.name for fmt in FORMATS]
    if name in names:
        return FORMATS[names.index(name)]
    close = difflib.get_close_matches(name.lower(), names, n=1, cutoff=0.5)
    hint = f" Did you mean {close[0]}?" if close else ""
    raise NotFound(f"There is no format {name!r}.{hint} Available formats: {', '.join(names)}")

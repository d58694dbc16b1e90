"""Known figures of BLEU, ROUGE-L and CIDEr on three benchmarks, computed from the real files.

The figures of Nebula and Pascal-50S come from a script with another tokenizer. Few captions have words that are split
in another way ("cannot", "window.next"), so a tau may differ by 0.02 and an accuracy by two pairs of a thousand.
"""

import gzip
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest
from scipy.stats import kendalltau

from core.captions.ngrams import corpus_of
from core.datasets import format_named
from core.datasets.base import Record, Source
from core.datasets.pairs import CATEGORIES
from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from core.types import Sample, Score
from tests.core.metrics.classic import flickr8k, golden_rows, sample


@pytest.fixture(scope="module")
def pascal(shared_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    path = tmp_path_factory.mktemp("pascal") / "pascal_50s.json"
    path.write_bytes(gzip.decompress((shared_dir / "data/benchmarks/pascal_50s.json.gz").read_bytes()))
    return list(format_named("pascal50s").read(Source(path)))


def values(metric: str, samples: Sequence[Sample]) -> list[float]:
    corpus = corpus_of("all", [(one.references, 1) for one in samples]) if metric == "CIDEr" else None
    settings = ModelSettings(corpus=corpus)  # only CIDEr counts n-grams in a corpus
    outcomes = list(Evaluator().evaluate(metric, samples, settings))
    assert all(isinstance(one, Score) for one in outcomes)
    return [one.value for one in outcomes if isinstance(one, Score)]


@pytest.mark.parametrize(
    ("metric", "tau_c", "tau_b"),
    [("BLEU-1", 32.324, 32.175), ("BLEU-4", 30.776, 30.599), ("ROUGE-L", 32.314, 32.139), ("CIDEr", 43.891, 43.602)],
)
def test_taus_on_flickr8k_expert_are_the_published_ones(
    metric: str, tau_c: float, tau_b: float, shared_dir: Path
) -> None:
    samples = flickr8k(shared_dir)
    scores = [value for value, one in zip(values(metric, samples), samples, strict=True) for _ in one.judgements]
    people = [judgement for one in samples for judgement in one.judgements]
    assert len(people) == 16_992
    assert 100 * kendalltau(scores, people, variant="c").statistic == pytest.approx(tau_c, abs=0.0006)
    assert 100 * kendalltau(scores, people, variant="b").statistic == pytest.approx(tau_b, abs=0.0006)


@pytest.mark.parametrize(
    ("metric", "accuracies"),
    [
        ("BLEU-1", (63.5, 95.0, 92.4, 61.0)),
        ("BLEU-4", (61.2, 93.7, 84.8, 59.2)),
        ("ROUGE-L", (63.4, 96.1, 91.8, 61.3)),
        ("CIDEr", (65.6, 98.7, 90.8, 65.1)),
    ],
)
def test_accuracies_on_pascal_50s_are_the_known_ones(
    metric: str, accuracies: tuple[float, ...], pascal: list[Record]
) -> None:
    """The idf is that of each category, and equal scores count half."""
    for category, expected in zip(CATEGORIES, accuracies, strict=True):
        own = [one for one in pascal if one.pair is not None and one.pair.category == category]
        scores = values(metric, [sample(one.candidate, one.references) for one in own])
        pairs: dict[str, list[tuple[bool, float]]] = defaultdict(list)
        for one, score in zip(own, scores, strict=True):
            assert one.pair is not None
            pairs[one.pair.key].append((one.pair.position == one.pair.preferred, score))
        assert len(pairs) == 1_000
        right = 0.0
        for both in pairs.values():
            (_, worse), (_, better) = sorted(both)
            right += 1.0 if better > worse else 0.5 if better == worse else 0.0
        assert right / 10 == pytest.approx(expected, abs=0.2)


def test_scores_of_400_pairs_are_the_golden_ones(shared_dir: Path) -> None:
    rows = golden_rows(shared_dir)
    corpus = corpus_of("flickr8k", [(one.references, 1) for one in flickr8k(shared_dir)])
    wanted = {f"BLEU-{n}": [one.bleu[n - 1] for one in rows] for n in range(1, 5)}
    wanted |= {"ROUGE-L": [one.rouge_l for one in rows], "CIDEr": [one.cider for one in rows]}
    samples, settings = [sample(one.caption, one.references) for one in rows], ModelSettings(corpus=corpus)
    for metric, expected in wanted.items():
        found = [one.value for one in Evaluator().evaluate(metric, samples, settings) if isinstance(one, Score)]
        assert found == pytest.approx(expected, abs=1e-6)

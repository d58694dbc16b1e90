"""Known figures of BLEU, ROUGE-L and CIDEr on three benchmarks, computed from the real files.

The figures of Nebula and Pascal-50S come from a script with another tokenizer. Few captions have words that are split
in another way ("cannot", "window.next"), so a tau may differ by 0.02 and an accuracy by two pairs of a thousand.
"""

import gzip
from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import pytest
from scipy.stats import kendalltau

from core.captions.ngrams import corpus_of, ngrams, tokens
from core.datasets import format_named, raise_bad
from core.datasets.base import Record
from core.datasets.pairs import CATEGORIES
from core.metrics.bleu import closest_length, matched_ngrams, most_in_one_reference
from core.metrics.evaluator import Evaluator
from core.models import ModelSettings
from core.types import Sample, Score
from tests.core.metrics.classic import flickr8k, sample


@pytest.fixture(scope="module")
def nebula(shared_dir: Path) -> list[Record]:
    return list(format_named("nebula").read(shared_dir / "data/expert/nebula_test.json", raise_bad))


@pytest.fixture(scope="module")
def pascal(shared_dir: Path, tmp_path_factory: pytest.TempPathFactory) -> list[Record]:
    path = tmp_path_factory.mktemp("pascal") / "pascal_50s.json"
    path.write_bytes(gzip.decompress((shared_dir / "data/benchmarks/pascal_50s.json.gz").read_bytes()))
    return list(format_named("pascal50s").read(path, raise_bad))


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


def test_counts_of_tokens_and_matches_on_flickr8k_expert_are_the_published_ones(shared_dir: Path) -> None:
    total, matched, length = [0] * 4, [0] * 4, 0
    for one in flickr8k(shared_dir):
        words, references = tokens(one.candidate), tuple(tokens(text) for text in one.references)
        times, most = len(one.judgements), most_in_one_reference(references)
        length += times * closest_length(len(words), [len(text) for text in references])
        for n in range(1, 5):
            total[n - 1] += times * Counter(ngrams(words, n)).total()
            matched[n - 1] += times * matched_ngrams(words, most, n)
    assert total == [184_995, 168_003, 151_011, 134_055]
    assert matched == [66_573, 14_211, 3_024, 651]
    assert length == 178_182


@pytest.mark.parametrize(
    ("metric", "tau"), [("BLEU-1", 40.36), ("BLEU-4", 43.48), ("ROUGE-L", 42.60), ("CIDEr", 48.08)]
)
def test_taus_on_nebula_are_the_known_ones(metric: str, tau: float, nebula: list[Record]) -> None:
    assert len(nebula) == 3_298
    scores = values(metric, [sample(one.candidate, one.references) for one in nebula])
    people = [one.human or 0.0 for one in nebula]
    assert 100 * kendalltau(scores, people, variant="c").statistic == pytest.approx(tau, abs=0.02)


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

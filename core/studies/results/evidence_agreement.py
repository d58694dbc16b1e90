"""Agreement of raters on evidence: on verdicts, wrong sentences, wrong words and kinds of errors.

Because few sentences are wrong, agreement on all verdicts alone is not informative. So specific agreement is also
reported. It says how often another rater calls a sentence wrong if one rater does. Intervals resample items, because
sentences of one explanation are not independent. Each coefficient is reported with its chance level. This is the
coefficient for raters who answer independently, but use each answer as often as the real raters.
"""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from core.statistics.bootstrap import DRAWS, SEED

OVERLAP = 0.5  # two spans match if their intersection over union is at least this value


@dataclass(frozen=True, slots=True)
class SentenceVerdict:
    """One rater's judgement of one sentence."""

    item: int | str  # item with the sentence; sentences of an item are resampled together
    sentence: tuple[Any, ...]  # identifies the sentence within the study
    explanation: tuple[Any, ...]
    rater: str
    verdict: str
    span: tuple[int, int]  # start and end of the wrong words, in characters; the whole sentence if nothing was marked
    length: int  # length of the sentence in characters
    kind: str | None = None


@dataclass(frozen=True, slots=True)
class EvidenceAgreement:
    """One coefficient of agreement.

    A value is None if it is undefined. Then `note` gives the reason.
    """

    name: str
    value: float | None
    ci_low: float | None  # 95 % interval of the value, bootstrap over items
    ci_high: float | None
    chance: float | None
    n: int  # number of compared units
    of: str  # what `n` counts, such as "pairs of explanations"
    note: str = ""


Pairs = Sequence[tuple[SentenceVerdict, SentenceVerdict]]  # two raters' judgements of one sentence


def evidence_agreement(
    judged: Iterable[SentenceVerdict], draws: int = DRAWS, seed: int = SEED
) -> tuple[EvidenceAgreement, ...]:
    """Return all coefficients of agreement between a study's raters."""
    rows = list(judged)
    items = list(dict.fromkeys(row.item for row in rows))
    pairs: dict[int | str, list[tuple[SentenceVerdict, SentenceVerdict]]] = {item: [] for item in items}
    units: dict[int | str, list[list[str]]] = {item: [] for item in items}
    by_sentence: dict[tuple[Any, ...], list[SentenceVerdict]] = defaultdict(list)
    for row in rows:
        by_sentence[row.sentence].append(row)
    for same in by_sentence.values():
        pairs[same[0].item] += combinations(sorted(same, key=lambda one: one.rater), 2)
        if len(same) > 1:
            units[same[0].item].append([one.verdict for one in same])
    counts = _Resampled(list(pairs.values()), draws, seed)
    verdicts = _Resampled(list(units.values()), draws, seed)
    return (
        verdicts.coefficient(
            "α of verdicts (nominal)", _alpha_counts, _alpha, "sentences with at least two judgements"
        ),
        counts.coefficient("same verdict, pairwise", _same_counts, _same, "pairs of verdicts on one sentence"),
        counts.coefficient("specific agreement on “wrong”", _wrong_counts, _specific, "wrong verdicts compared"),
        _any_wrong(rows, draws, seed),
        counts.coefficient("words, pairwise F1", _word_counts, _f1, "sentences that both raters call wrong"),
        counts.coefficient(
            f"marked words that overlap (IoU ≥ {OVERLAP})",
            _match_counts,
            _share,
            "sentences that both raters call wrong",
        ),
        counts.coefficient("same kind of error for overlapping marked words", _kind_counts, _kinds, "matched spans"),
    )


class _Resampled:
    """Sums of counts over all items, and over items that are drawn with replacement."""

    def __init__(self, groups: Sequence[Sequence[Any]], draws: int, seed: int) -> None:
        self._groups, self._draws, self._seed = groups, draws, seed

    def coefficient(
        self,
        name: str,
        counted: Callable[[Sequence[Any]], Any],
        of: Callable[[Any], tuple[float | None, float | None, int]],
        what: str,
    ) -> EvidenceAgreement:
        """Return a coefficient computed from sums over items.

        counted: returns one item's counts. of: gets the sums of these counts over items, and returns the coefficient,
        its chance level and a number n. what: describes what n counts.
        """
        sums = np.array([counted(group) for group in self._groups], dtype=float)
        if not len(sums):
            return EvidenceAgreement(name, None, None, None, None, 0, what, "no rater has judged yet")
        value, chance, n = of(sums.sum(axis=0))
        if value is None:
            note = (
                ("no variation, because all answers are the same")
                if n
                else "no two raters gave judgements that this coefficient compares"
            )
            return EvidenceAgreement(name, None, None, None, chance, n, what, note)
        chosen = np.random.default_rng(self._seed).integers(len(sums), size=(self._draws, len(sums)))
        drawn = [of(sums[draw].sum(axis=0))[0] for draw in chosen] if len(sums) > 1 else []
        defined = [one for one in drawn if one is not None]
        low, high = np.quantile(defined, [0.025, 0.975]).tolist() if defined else (None, None)
        note = "" if defined else "no interval, because there is only one item"
        return EvidenceAgreement(name, value, low, high, chance, n, what, note)


_ORDER = ("right", "wrong", "unclear", "beside")


def _alpha_counts(units: Sequence[Sequence[str]]) -> Any:
    """Return the counts for Krippendorff's alpha: its coincidence matrix of verdicts, and the number of units."""
    table = np.zeros((len(_ORDER), len(_ORDER)))
    for verdicts in units:
        held = np.array([verdicts.count(name) for name in _ORDER], dtype=float)
        table += (np.outer(held, held) - np.diag(held)) / (len(verdicts) - 1)
    return np.append(table.ravel(), len(units))


def _alpha(sums: Any) -> tuple[float | None, float | None, int]:
    table, units = sums[:-1].reshape(len(_ORDER), -1), int(sums[-1])
    marginal, total = table.sum(axis=0), table.sum()
    if total < 2:
        return None, None, units
    expected = (total**2 - (marginal**2).sum()) / (total - 1)
    if not expected:
        return None, None, units
    return float(1 - (total - np.trace(table)) / expected), 0.0, units


def _same_counts(pairs: Pairs) -> Any:
    given = [sum((a.verdict == name) + (b.verdict == name) for a, b in pairs) for name in _ORDER]
    return [sum(a.verdict == b.verdict for a, b in pairs), len(pairs), *given]


def _same(sums: Any) -> tuple[float | None, float | None, int]:
    same, n, given = sums[0], sums[1], sums[2:]
    return (same / n, float(((given / (2 * n)) ** 2).sum()), int(n)) if n else (None, None, 0)


def _wrong_counts(pairs: Pairs) -> Any:
    both = sum(a.verdict == b.verdict == "wrong" for a, b in pairs)
    wrong = sum((a.verdict == "wrong") + (b.verdict == "wrong") for a, b in pairs)
    return [2 * both, wrong, 2 * len(pairs)]


def _specific(sums: Any) -> tuple[float | None, float | None, int]:
    both, wrong, given = sums
    return (both / wrong if wrong else None, wrong / given if given else None, int(wrong))


def _both_wrong(pairs: Pairs) -> Pairs:
    return [(a, b) for a, b in pairs if a.verdict == b.verdict == "wrong"]


def _word_counts(pairs: Pairs) -> Any:
    both = _both_wrong(pairs)
    f1 = sum(2 * _shared(a, b) / (_size(a) + _size(b)) for a, b in both)
    # F1 expected by chance: two spans at random positions share _size(a) * _size(b) / a.length characters on average
    chance = sum(2 * _size(a) * _size(b) / a.length / (_size(a) + _size(b)) for a, b in both)
    return [f1, chance, len(both)]


def _f1(sums: Any) -> tuple[float | None, float | None, int]:
    f1, chance, n = sums
    return (f1 / n, chance / n, int(n)) if n else (None, None, 0)


def _match_counts(pairs: Pairs) -> Any:
    both = _both_wrong(pairs)
    return [sum(_is_match(a, b) for a, b in both), sum(_random_match(a, b) for a, b in both), len(both)]


_share = _f1


def _kind_counts(pairs: Pairs) -> Any:
    matched = [(a, b) for a, b in _both_wrong(pairs) if a.kind and b.kind and _is_match(a, b)]
    kinds = sorted({kind for pair in matched for one in pair if (kind := one.kind)})
    held = [sum((a.kind == kind) + (b.kind == kind) for a, b in matched) for kind in kinds]
    padded = dict(zip(kinds, held, strict=True))
    return [sum(a.kind == b.kind for a, b in matched), len(matched), *(padded.get(kind, 0) for kind in _KINDS)]


_KINDS = ("object", "attribute", "number", "spatial_relation", "text", "named_entity")


def _kinds(sums: Any) -> tuple[float | None, float | None, int]:
    same, n, held = sums[0], sums[1], sums[2:]
    return (same / n, float(((held / (2 * n)) ** 2).sum()), int(n)) if n else (None, None, 0)


def _shared(a: SentenceVerdict, b: SentenceVerdict) -> int:
    return max(0, min(a.span[1], b.span[1]) - max(a.span[0], b.span[0]))


def _size(one: SentenceVerdict) -> int:
    return one.span[1] - one.span[0]


def _is_match(a: SentenceVerdict, b: SentenceVerdict) -> bool:
    shared = _shared(a, b)
    return shared / (_size(a) + _size(b) - shared) >= OVERLAP


def _random_match(a: SentenceVerdict, b: SentenceVerdict) -> float:
    """Return the probability that two spans of marked words match by chance.

    Both spans are in the same sentence, at random positions. Their lengths are those of the words that raters a and b
    marked.
    """
    long, short = max(_size(a), _size(b)), min(_size(a), _size(b))
    starts = np.arange(a.length - short + 1)[:, None] - np.arange(a.length - long + 1)[None, :]
    shared = np.clip(np.minimum(starts + short, long) - np.maximum(starts, 0), 0, None)
    return float((shared / (long + short - shared) >= OVERLAP).mean())


def _any_wrong(rows: Sequence[SentenceVerdict], draws: int, seed: int) -> EvidenceAgreement:
    """Return how much raters agree on whether an explanation has any wrong sentence.

    The coefficient is the mean of Cohen's κ over pairs of raters.
    """
    any_wrong: dict[tuple[Any, ...], dict[str, bool]] = defaultdict(dict)
    item_of = {row.explanation: row.item for row in rows}
    for row in rows:
        any_wrong[row.explanation][row.rater] = (
            any_wrong[row.explanation].get(row.rater, False) or row.verdict == "wrong"
        )
    raters = list(combinations(sorted({row.rater for row in rows}), 2))
    tables: dict[int | str, Any] = {}
    for explanation, by in any_wrong.items():
        table = tables.setdefault(item_of[explanation], np.zeros((max(1, len(raters)), 4)))
        for place, (a, b) in enumerate(raters):
            if a in by and b in by:
                table[place, 2 * by[a] + by[b]] += 1
    return _Resampled([[table] for table in tables.values()], draws, seed).coefficient(
        "κ of “the explanation has a wrong sentence”", lambda group: group[0], _kappa, "pairs of explanations"
    )


def _kappa(tables: Any) -> tuple[float | None, float | None, int]:
    kappas, chances = [], []
    for neither, second, first, both in tables:
        n = neither + second + first + both
        if not n:
            continue
        a, b = (first + both) / n, (second + both) / n
        chance = a * b + (1 - a) * (1 - b)
        chances.append(chance)
        if chance < 1:
            kappas.append(((neither + both) / n - chance) / (1 - chance))
    n = int(tables.sum())
    if not kappas:
        return None, float(np.mean(chances)) if chances else None, n
    return float(np.mean(kappas)), 0.0, n

"""Every metric, in display order.

To add a metric, add one file in this package and one line in METRICS.
"""

from collections.abc import Iterable, Mapping

from core.metrics.base import Metric
from core.metrics.bleu import Bleu1, Bleu2, Bleu3, Bleu4
from core.metrics.cider import CIDEr
from core.metrics.clip_score import CLIPScore, RefCLIPScore
from core.metrics.expert import Expert, ExpertWithoutSft
from core.metrics.fleur import Fleur, RefFleur
from core.metrics.hice import HICE, RefHICE
from core.metrics.judge import GeneralJudge
from core.metrics.polos import Polos
from core.metrics.rouge_l import RougeL

__all__ = ["METRICS", "Metric", "meanings_of"]

METRICS: tuple[type[Metric], ...] = (
    *(Fleur, RefFleur, Expert, ExpertWithoutSft, GeneralJudge),
    *(Polos, CLIPScore, RefCLIPScore, HICE, RefHICE),
    *(Bleu1, Bleu2, Bleu3, Bleu4, RougeL, CIDEr),
)


def meanings_of(metric: str, metrics: Iterable[type[Metric]]) -> Mapping[str, str]:
    """Return what each component of a metric's scores means, by the component's name.

    The result is empty if Capscope does not compute the metric.
    """
    return next((known.meanings for known in metrics if known.name == metric), {})

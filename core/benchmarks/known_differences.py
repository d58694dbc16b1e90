"""Known reasons why a printed figure differs from another printed figure, or from the figure that Capscope computes."""

from dataclasses import dataclass

from core.benchmarks.printed_figures import Printed

_REFERENCES = ("BLEU-1", "BLEU-4", "BLEU", "ROUGE-L", "ROUGE", "METEOR", "CIDEr", "SPICE")


@dataclass(frozen=True, slots=True)
class KnownDifference:
    """A reason for a difference, and the printed figures to which it applies.

    An empty field means that any value matches: if `paper` is empty, the reason holds for all papers.
    """

    reason: str
    benchmark: str
    metrics: tuple[str, ...]
    paper: str = ""
    quantity: str = ""
    category: str = ""
    value: float | None = None

    def applies(self, printed: Printed) -> bool:
        """Return whether this reason applies to a printed figure."""
        figure = printed.figure
        return (
            figure.benchmark == self.benchmark
            and figure.metric in self.metrics
            and self.paper in (*printed.papers, "")
            and self.quantity in (figure.quantity, "")
            and self.category in (figure.category, "")
            and self.value in (printed.value, None)
        )


KNOWN_DIFFERENCES: tuple[KnownDifference, ...] = (
    KnownDifference(
        "The figure printed as BLEU-4 is BLEU-1. Capscope computes 40.4 for BLEU-1 and 43.5 for BLEU-4.",
        "nebula", ("BLEU-4",), "EXPERT", value=40.4,
    ),
    KnownDifference(
        "Nobody reproduced this figure. An independent run over all references gives τ-c 44.9, which other papers "
        "print.",
        "flickr8k-expert", ("SPICE",), "HICE-S", "tau_b", value=51.7,
    ),
    KnownDifference(
        "Papers print two sets of these figures. FLEUR and EXPERT print the lower set; which references they used "
        "is unknown. Capscope uses all references.",
        "pascal50s", _REFERENCES, "FLEUR",
    ),
    KnownDifference(
        "Papers print two sets of these figures. HICE-S prints the higher set: the mean over five random choices of "
        "references. Capscope computes the figures once, with all references.",
        "pascal50s", _REFERENCES, "HICE-S",
    ),
    KnownDifference(
        "Papers print two figures of BERTScore: 39.2 in FLEUR, EXPERT and HICE-S, 46.7 in Polos. BERTScore depends on "
        "its model, its layer and its rescaling.",
        "flickr8k-expert", ("BERTScore",), quantity="tau_c",
    ),
    KnownDifference(
        "The mean of the four printed categories is 87.1, but the paper prints 87.3.",
        "pascal50s", ("RefHICE-S",), category="mean", value=87.3,
    ),
    KnownDifference(
        "FLEUR's result files and its file of pairs name different preferred captions in 34 of 4,000 pairs. With the "
        "preferences in the result files, FLEUR's scores give all printed figures.",
        "pascal50s", ("FLEUR",),
    ),
    KnownDifference(
        "CaptionEvalKit marks this figure as not reproduced. FLEUR's own published scores give 53.0257.",
        "flickr8k-expert", ("FLEUR",), quantity="tau_c", value=53.0,
    ),
)  # fmt: skip


def known_reason(printed: Printed) -> str:
    """Return all known reasons why a printed figure differs from another figure.

    The other figure was printed in a different place, or Capscope computed it. The result is one text with all reasons.
    It is "" if no reason is known.
    """
    return " ".join(one.reason for one in KNOWN_DIFFERENCES if one.applies(printed))

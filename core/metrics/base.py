"""The interface of metrics, and the components of scores whose texts were truncated."""

from collections.abc import Iterator, Mapping, Sequence
from typing import ClassVar, Self

from core.models import Checkpoint, ModelSettings
from core.models.device import TokensRead
from core.types import Components, Outcome, Sample

TRUNCATED = "truncated"  # component of a score whose caption was truncated; storage searches for this name
OF_TRUNCATION: Mapping[str, str] = {  # the meanings of the components of `truncation`
    TRUNCATED: (
        "Number of tokens that the metric read, and number of tokens of the whole caption. Tokens that were not "
        "read have no effect on the score."
    ),
    "truncated_references": "Number of references that the metric did not read completely.",
}


class Metric:
    """A caption metric. It loads its models, then scores samples one by one, in order."""

    name: ClassVar[str]
    paper: ClassVar[str] = ""  # address of the metric's paper
    scale: ClassVar[tuple[float, float]] = (0.0, 1.0)  # lowest and highest score
    requires_references: ClassVar[bool] = False
    needs_image: ClassVar[bool] = True  # True: the metric cannot judge a sample without a picture file
    needs_corpus: ClassVar[bool] = False  # True: ModelSettings.corpus has the data set's references; see CIDEr
    can_use_server: ClassVar[bool] = False  # True: a model server may replace the model on this computer
    needs_server: ClassVar[bool] = False  # True: the metric runs only on a model server
    shows_regions: ClassVar[bool] = False  # True: explanations show regions, which the option "regions" selects
    shows_matches: ClassVar[bool] = False  # True: Explanation.matches explains the scores
    checkpoints: ClassVar[tuple[Checkpoint, ...]] = ()  # weights that the metric loads
    meanings: ClassVar[Mapping[str, str]] = {}  # key: component name; value: meaning in plain words; may be incomplete

    @classmethod
    def load(cls, settings: ModelSettings) -> Self:
        """Return the metric, ready to score.

        Raises ModelUnavailable, whose text contains the command that gets the missing model.
        """
        raise NotImplementedError

    def score(self, samples: Sequence[Sample]) -> Iterator[Outcome]:
        """Yield one outcome for each sample, lazily and in order.

        The metric may compute the samples in batches.
        """
        raise NotImplementedError

    def signature(self) -> str:
        """Return the signature (name and all settings that affect scores) of this metric's outcomes."""
        raise NotImplementedError


def truncation(caption: TokensRead, references: Sequence[TokensRead] = ()) -> Components:
    """Return components of a score that state which texts were longer than an encoder's limit.

    The result is empty if no text of the sample was truncated.
    """
    cut = sum(read < there for read, there in references)
    of_caption = {TRUNCATED: (float(caption[0]), float(caption[1]))} if caption[0] < caption[1] else {}
    return {**of_caption, **({"truncated_references": float(cut)} if cut else {})}

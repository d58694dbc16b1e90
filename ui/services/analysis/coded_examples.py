"""Choose examples of coded errors for a figure.

Each error code gets a few samples. Samples to which most coders gave the code come first. If the numbers of coders are
equal, the samples with the largest errors come first.
"""

from collections import defaultdict
from dataclasses import dataclass

from core.analysis.column_names import split
from ui.services.analysis.analyst import Analyst

MOST_EACH = 5  # maximum number of examples of each code


@dataclass(frozen=True, slots=True)
class CodedExample:
    """A sample with an error code, as an example for a figure."""

    id: int
    key: str
    code: str  # the code's name
    coders: tuple[str, ...]  # the coders who gave this code
    image: str | None  # address of the picture; None: the picture was not found
    caption: str
    explanation: str  # the metric's explanation of the sample; "": there is none
    human: float | None  # [0, 1]
    value: float  # the score, on the metric's own scale
    raw: float | None  # before smoothing
    error: float | None  # value rescaled to [0, 1] - human


def coded_examples(analyst: Analyst, dataset: str, metric: str, codebook: str, each: int) -> list[CodedExample]:
    """Return up to `each` examples of every error code in use.

    The codes are in the codebook's order. Raises NotFound.
    """
    coded = analyst.workplace.repository.codings.coded(dataset, metric, codebook)
    table = analyst.table(dataset)
    place = {key: at for at, key in enumerate(table.keys)}
    value, raw, error = table.metric(metric).value, table.metric(metric).raw, table.error(metric)
    coders: dict[tuple[str, int], list[str]] = defaultdict(list)
    for coding in coded.codings:
        coders[coding.code, place[coding.sample]].append(coding.coder)
    found = []
    explanations = analyst.workplace.repository.analysis.explanations(dataset, table.ids, split(metric)[0])
    for code in coded.codebook.codes:
        of_code = [(at, names) for (key, at), names in coders.items() if key == code.key]
        of_code.sort(key=lambda one: (-len(one[1]), -abs(_known(error[one[0]]) or 0.0), one[0]))
        for at, names in of_code[:each]:
            id_ = int(table.ids[at])
            picture = analyst.workplace.repository.samples.picture_ids([id_]).get(id_)
            image = None if picture is None else f"/api/images/{picture}"
            example = CodedExample(
                id_,
                table.keys[at],
                code.label,
                tuple(names),
                image,
                table.captions[at],
                explanations[at],
                human=_known(table.human[at]),
                value=float(value[at]),
                raw=_known(raw[at]),
                error=_known(error[at]),
            )
            found.append(example)
    return found


def _known(value: float) -> float | None:
    return None if value != value else float(value)  # only NaN differs from itself

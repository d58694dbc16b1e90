"""A table of low ratings in a study: one row for each error code, metric and criterion.

An error code is a category of a metric's errors. Coders assign codes to samples.
"""

from core.studies.results.coded_ratings import CodedRatingRow, coded_rating_table
from core.studies.results.rating_errors import mean_ratings
from storage.study_types import Study
from ui.services.studies import study_actions as services
from ui.services.studies.study_results import low_text
from ui.services.tables import INTERVAL, Column, Table, count, text
from ui.services.workplace import Workplace


def coded_ratings(workplace: Workplace, study: Study, codebook: str) -> Table[CodedRatingRow]:
    """Return how many explanations with each error code have low ratings.

    An explanation counts as low if the mean of its ratings is low. An error code is a category of a metric's errors.
    Coders assign it to a sample and a metric, with any settings of the metric. So it applies to the explanations of all
    settings of the metric. Raises NotFound for an unknown codebook.
    """
    ratings = services.counted_ratings(workplace, study)
    labels = workplace.repository.analysis.labels(study.dataset)
    sets = {name: workplace.repository.codings.coded(study.dataset, name, codebook) for name, _ in labels}
    rows = coded_rating_table(
        mean_ratings(ratings),
        {label: sets[name] for (name, _), label in labels.items()},
        {criterion.key: criterion.low for criterion in study.asks.criteria},
    )
    footnote = (
        f"An explanation counts as low if its mean rating is {low_text(study.asks.criteria)}. A sample with several "
        "codes counts for each of them. Intervals are Wilson intervals."
        if rows
        else f"No rated explanation is from a metric whose errors were coded with {codebook}."
    )
    return Table("Low ratings by error code", _COLUMNS, list(rows), footnote)


_COLUMNS = (
    text("error code", "code"),
    text("metric", "metric"),
    text("criterion", "criterion"),
    count("coded", "coded"),
    count("rated", "rated"),
    count("low", "low"),
    Column("share", ("share",), "share", undefined="none rated"),
    Column("95 % interval", INTERVAL, "interval", 2, brief=False),
)

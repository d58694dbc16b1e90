"""Write the report as one stand-alone HTML file.

It has everything that the Analyse page shows for a study or a data set.
"""

from collections.abc import Iterable, Sequence

from core.long_work.progress import Progress, no_progress
from core.signature import VERSION
from core.statistics.bootstrap import SEED
from storage.study_types import Study
from ui.report.dataset import dataset_parts
from ui.report.html import page, paragraph
from ui.report.study import study_parts
from ui.services.analysis.analyst import Analyst
from ui.services.studies.study_results import StudyResults, study_results
from ui.services.workplace import Workplace


def report_html(workplace: Workplace, study: Study, progress: Progress = no_progress) -> str:
    """Return the report of a study as HTML.

    It includes the correlations, figures, largest errors, error codes and slices (saved filters) of the study's data
    set.
    """
    analyst = Analyst(workplace)
    progress("Results of the study", 0, 1)
    results = study_results(workplace, study, analyst.table(study.dataset))
    progress("Results of the study", 1, 1)
    return study_page(results, dataset_parts(analyst, study.dataset, progress))


def study_page(found: StudyResults, of_dataset: Iterable[str]) -> str:
    """Return a page with a study's results, and below them the parts about its data set."""
    return page(f"Report: {found.study}", [*study_parts(found), *of_dataset])


def dataset_report_html(
    analyst: Analyst, dataset: str, progress: Progress = no_progress, before: Sequence[str] = ()
) -> str:
    """Return the report of a data set.

    The report does not contain ratings from studies. before: HTML parts for the beginning of the page. Raises NotFound.
    """
    about = paragraph(
        f"{len(analyst.table(dataset).ids):,} captions. Ratings of studies are in the studies' reports. Computed by "
        f"Capscope {VERSION}. Random numbers use the seed {SEED}, so the same data give the same figures."
    )
    return page(f"Report: {dataset}", [*before, about, *dataset_parts(analyst, dataset, progress)])

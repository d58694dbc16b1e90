"""What is computed of a study and taken along: report, paper, export, bundle."""

import re
import tempfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from threading import Lock

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from core.errors import BadSetting
from core.studies.export import SUFFIXES
from core.studies.report import MetricComparison
from storage.types import Study
from ui.services import studies as services
from ui.services.analysis import Analyst
from ui.services.bundle import write_bundle
from ui.services.evidence_results import EvidenceResults, evidence_results
from ui.services.study_left_out import LeftOutRow, left_out_table
from ui.services.study_results import nothing_counts, rating_tables, study_results
from ui.services.study_tables import RatedMetric
from ui.services.tables import Table
from ui.services.workplace import Workplace
from ui.web.access import note
from ui.web.routes import Id


@dataclass(frozen=True, slots=True)
class ReportJson:
    """What raters said of every metric, and whether the metrics differ."""

    study: str
    overlay: bool
    nothing: str  # why there are no results; empty where there are some
    ratings: Table[RatedMetric]
    tests: Table[MetricComparison]
    evidence: EvidenceResults | None  # what raters said of sentences; None: the form asks for none
    left_out: Table[LeftOutRow]


def study_files_routes(workplace: Workplace) -> APIRouter:
    """Return the routes under /api/studies for what is read of one study."""
    router = APIRouter(prefix="/api/studies")
    studies = workplace.repository.studies
    writing = Lock()  # a report takes seconds of a core: one at a time

    @router.get("/{study_id}/report")
    def report(study_id: Id, adjudicated: bool = False) -> ReportJson:
        study = studies.get(study_id)
        ratings, tests = rating_tables(workplace, study, adjudicated)
        left_out = left_out_table(workplace, study)
        counted = None if study.asks.evidence is None else services.counted_records(workplace, study)
        evidence = None if counted is None else evidence_results(workplace, study, list(counted), adjudicated)
        is_empty = not ratings.rows and not (evidence and evidence.judgements)
        nothing = nothing_counts(left_out) if is_empty else ""
        return ReportJson(study.name, study.overlay, nothing, ratings, tests, evidence, left_out)

    @router.get("/{study_id}/report.html")
    def report_page(study_id: Id, request: Request, adjudicated: bool = False) -> Response:
        from ui.report.page import report_html  # pandas and scipy load only where they are needed

        study = studies.get(study_id)
        note(request, f"study {study.name}")

        def write(path: Path) -> None:
            with writing:
                path.write_text(report_html(workplace, study, use_decisions=adjudicated), encoding="utf-8")

        return _written(study, ".html", write)

    @router.get("/{study_id}/paper.zip")
    def paper(study_id: Id, request: Request) -> Response:
        from ui.report.paper import paper_zip

        study = studies.get(study_id)
        note(request, f"study {study.name}")
        found = study_results(workplace, study, Analyst(workplace).table(study.dataset))
        return _written(study, "-paper.zip", lambda path: path.write_bytes(paper_zip(found)))

    @router.get("/{study_id}/export{suffix}")
    def export(study_id: Id, suffix: str, request: Request, answers: bool = False) -> Response:
        what = "-with-answers" if answers else ""  # about themselves: the log tells these apart
        return file(study_id, suffix, request, what, partial(services.export_study, with_answers=answers))

    @router.get("/{study_id}/evidence{suffix}")
    def evidence(study_id: Id, suffix: str, request: Request) -> Response:
        return file(study_id, suffix, request, "-evidence", services.export_evidence)

    def file(
        study_id: int, suffix: str, request: Request, what: str, write: Callable[[Workplace, Study, Path], int]
    ) -> Response:
        study = studies.get(study_id)
        note(request, f"study {study.name}, {what}{suffix}")
        if suffix not in SUFFIXES:
            raise BadSetting(f"Export as one of {', '.join(SUFFIXES)}, found {suffix!r}.")
        return _written(study, f"{what}{suffix}", lambda path: write(workplace, study, path))

    @router.get("/{study_id}/bundle.zip")
    def bundle(study_id: Id, request: Request) -> Response:
        study = studies.get(study_id)
        note(request, f"study {study.name}")
        return _written(study, ".zip", lambda path: write_bundle(workplace, study, path))

    return router


def _written(study: Study, suffix: str, write: Callable[[Path], object]) -> Response:
    """Return a file that is written now and deleted once it has been sent, under the study's name."""
    folder = tempfile.TemporaryDirectory(prefix="capscope-export-")
    path = Path(folder.name) / f"study{suffix}"
    write(path)
    name = re.sub(r"[^\w.-]+", "-", study.name).strip("-.") or f"study-{study.id}"
    return FileResponse(path, filename=f"{name}{suffix}", background=BackgroundTask(folder.cleanup))

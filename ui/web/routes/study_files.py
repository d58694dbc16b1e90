"""Files that are computed from a study: report, export and archive."""

import re
import tempfile
from collections.abc import Callable
from pathlib import Path

from fastapi import APIRouter, Request, Response
from fastapi.responses import FileResponse
from starlette.background import BackgroundTask

from core.errors import BadSetting
from core.studies.results.export import SUFFIXES
from storage.study_types import Study
from ui.report.report import report_html
from ui.services.studies import study_actions as services
from ui.services.transfer.archive import SUFFIX, archive_study
from ui.web.access.access_checks import note
from ui.web.access.gates import gate
from ui.web.routes import Id
from ui.web.routes.dependencies import AnalystDep, RepositoryDep, WorkplaceDep, WritingDep

ROUTER = APIRouter(prefix="/api/studies")


@ROUTER.get("/{study_id}/report.html", **gate("viewer", "report exported"))
def report_page(study_id: Id, request: Request, analyst: AnalystDep, writing: WritingDep) -> Response:
    """Return a study's report as a stand-alone HTML page."""
    study = analyst.workplace.repository.studies.get(study_id)
    note(request, f"study {study.name}")
    with writing:
        page = report_html(analyst, study_id)
    return _written(study, ".html", lambda path: path.write_text(page, encoding="utf-8"))


@ROUTER.get("/{study_id}/export{suffix}", **gate("viewer", "ratings exported"))
def export(
    study_id: Id,
    suffix: str,
    request: Request,
    workplace: WorkplaceDep,
    repository: RepositoryDep,
    answers: bool = False,
) -> Response:
    """Return a study's ratings as a file.

    suffix: the ending of the file's name, which chooses the format.
    """
    study = repository.studies.get(study_id)
    ending = f"{'-with-answers' if answers else ''}{suffix}"  # the log names these: they contain personal data
    note(request, f"study {study.name}, {ending}")
    if suffix not in SUFFIXES:
        raise BadSetting(f"The export must be one of {', '.join(SUFFIXES)}, found {suffix!r}.")
    return _written(study, ending, lambda path: services.export_study(workplace, study, path, with_answers=answers))


@ROUTER.get("/{study_id}/archive", **gate("viewer", "archive exported"))
def archive(study_id: Id, request: Request, workplace: WorkplaceDep, repository: RepositoryDep) -> Response:
    """Return the archive of a study: one SQLite file with all data of its results."""
    study = repository.studies.get(study_id)
    note(request, f"study {study.name}")
    return _written(study, SUFFIX, lambda path: archive_study(workplace, study, path))


def _written(study: Study, suffix: str, write: Callable[[Path], object]) -> Response:
    """Write a file about a study, and return it for download.

    The downloaded file has the study's name. The server's file is deleted after it was sent. suffix: the ending of the
    file's name. write: a function that writes the file to a path.
    """
    folder = tempfile.TemporaryDirectory(prefix="capscope-export-")
    path = Path(folder.name) / f"study{suffix}"
    write(path)
    return FileResponse(path, filename=f"{file_name(study)}{suffix}", background=BackgroundTask(folder.cleanup))


def file_name(study: Study) -> str:
    """Return a study's name in the form that file names use.

    It has no spaces and no special characters.
    """
    return re.sub(r"[^\w.-]+", "-", study.name).strip("-.") or f"study-{study.id}"

"""The pages that import data: files, what their columns mean, progress and result; and published data."""

import asyncio
from dataclasses import dataclass
from typing import Annotated, Any
from urllib.parse import urlencode

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.responses import FileResponse
from starlette.datastructures import QueryParams

from core.datasets import FORMATS
from core.datasets.base import Layout
from core.datasets.published_files import PUBLISHED
from core.errors import BadSetting, NotFound, UserError
from ui.services.importing.import_process import ImportRequest, page_words
from ui.services.importing.published import states
from ui.services.importing.uploading import MOST_BYTES, MOST_FILES
from ui.web.access.access_checks import note, visitor_of
from ui.web.access.gates import gate
from ui.web.routes.dependencies import BringingDep, PageDep

ROUTER = APIRouter(include_in_schema=False, prefix="/studies")
UPLOADS = APIRouter(prefix="/api/imports")  # only the account that started an import can see it
Key = Annotated[str, Path(max_length=64)]
FIELDS = {  # name in Capscope's own format -> label on the page
    "image": "Picture",
    "caption": "Caption",
    "system": "Captioner",
    "references": "References",
    "human": "Human judgement",
    "score": "Score",
    "explanation": "Explanation of the score",
    "id": "Id",
}


@dataclass(frozen=True, slots=True)
class ImportKey:
    """The id of an import that can receive files."""

    id: str


@dataclass(frozen=True, slots=True)
class ReceivedFile:
    """An uploaded file."""

    name: str  # the file's safe name on the server


@UPLOADS.post("", status_code=201, **gate("researcher"))
def begin(request: Request, bringing: BringingDep) -> ImportKey:
    """Register an import, which can then receive files."""
    return ImportKey(bringing.begin(visitor_of(request).name))


@UPLOADS.put("/{key}/files", **gate("researcher", most=MOST_BYTES))
async def receive(
    key: Key, name: Annotated[str, Query(min_length=1, max_length=1000)], request: Request, bringing: BringingDep
) -> ReceivedFile:
    """Store the request's body as a file of an import."""
    return ReceivedFile(await bringing.receive(visitor_of(request).name, key, name, request.stream()))


@UPLOADS.get("/{key}/refused.csv", **gate("researcher", "rows with errors exported"))
def refused(key: Key, request: Request, bringing: BringingDep) -> FileResponse:
    """Return the refused rows and pictures of an import as CSV."""
    path = bringing.refused(visitor_of(request).name, key)
    return FileResponse(path, media_type="text/csv", filename="refused.csv")


@ROUTER.get("/import", **gate("researcher"))
def files(page: PageDep, bringing: BringingDep) -> Response:
    """Show the form that uploads files."""
    limits = {"most_bytes": MOST_BYTES, "most_files": MOST_FILES}
    return page.show("import", limits=limits)


@ROUTER.get("/import/{key}", **gate("researcher"))
async def columns(key: Key, page: PageDep, bringing: BringingDep) -> Response:
    """Show the first rows of uploaded files, what their columns mean, and a preview of the samples."""
    query, problem, found = page.request.query_params, "", dict[str, Any]()
    try:
        asked = _asked(query)
        loop = asyncio.get_running_loop()
        found = await loop.run_in_executor(bringing.looking, bringing.look, page.visitor.name, key, asked)
    except UserError as error:
        problem = str(error)
    guess = found.get("guess") or {"columns": _columns(query)}
    scales = {of: guess.get(f"{of}_scale") or _scale(query, of) or (0, 1) for of in ("human", "score")}
    name = found["format"] if found else query.get("format", "")
    return page.show(
        "import_columns",
        400 if problem else 200,
        key=key,
        query=query,
        hidden=[pair for pair in query.multi_items() if pair[0] in ("file", "zip")],
        found=found,
        problem=problem,
        formats=[(one.name, page_words(one.summary)) for one in FORMATS],
        format=next((one for one in FORMATS if one.name == name), None),
        dataset=query.get("dataset") or _dataset_name(query),
        datasets=[one.name for one in page.repository.samples.datasets()],
        ours=FIELDS,
        meant=guess["columns"],
        scales=scales,
    )


@ROUTER.post("/import/{key}", **gate("researcher", "import started"))
async def start(key: Key, page: PageDep, bringing: BringingDep) -> Response:
    """Start an import."""
    form = await page.request.form()
    pairs = [(name, str(value)) for name, value in form.multi_items()]
    asked = _asked(QueryParams(pairs))
    note(page.request, f"data set {asked.dataset or '(named after its file)'}, {asked.format}")
    bringing.start(page.visitor.name, key, asked)
    return page.lead(f"/studies/import/{key}/run?{urlencode(pairs)}")


@ROUTER.get("/import/{key}/run", **gate("researcher"))
def run(key: Key, page: PageDep, bringing: BringingDep) -> Response:
    """Show an import's progress, and then its result."""
    told = bringing.progress(page.visitor.name, key)
    pairs = [pair for pair in page.request.query_params.multi_items() if pair[0] != "skip_bad"]
    return page.show("import_run", key=key, told=told, pairs=pairs, query=urlencode(pairs))


@ROUTER.post("/import/{key}/cancel", **gate("researcher", "import cancelled"))
def cancel(key: Key, page: PageDep, bringing: BringingDep) -> Response:
    """Cancel an import."""
    bringing.cancel(page.visitor.name, key)
    return page.lead(f"/studies/import/{key}/run")


@ROUTER.get("/published", **gate("admin"))
def published(page: PageDep) -> Response:
    """List published data that can be fetched."""
    return page.show("published", rows=list(zip(PUBLISHED, states(page.workplace, PUBLISHED), strict=True)))


@ROUTER.post("/published/{name}", **gate("admin", "published data fetched"))
def fetch(name: Annotated[str, Path(max_length=64)], page: PageDep, bringing: BringingDep) -> Response:
    """Fetch and import published data."""
    if name not in {one.name for one in PUBLISHED}:
        raise NotFound("There is no published data set with that name.")
    note(page.request, f"published data {name}")
    return page.lead(f"/studies/import/{bringing.get(page.visitor.name, name)}/run")


def _asked(query: QueryParams) -> ImportRequest:
    return ImportRequest(
        files=tuple(query.getlist("file")),
        format=query.get("format", ""),
        dataset=query.get("dataset", "").strip() or _dataset_name(query),
        layout=Layout(
            _columns(query),
            _scale(query, "human"),
            _scale(query, "score"),
            query.get("system", "").strip() or None,
            tuple(query.getlist("keep")),
            metric=query.get("metric", "").strip() or None,
        ),
        images=tuple(query.getlist("zip")),
        skip_bad=bool(query.get("skip_bad")),
    )


def _columns(query: QueryParams) -> dict[str, str]:
    return {ours: query[f"column.{ours}"] for ours in FIELDS if query.get(f"column.{ours}")}


def _scale(query: QueryParams, of: str) -> tuple[float, float] | None:
    """Return the ends of a scale that the user typed; None for [0, 1], which needs no conversion."""
    try:
        low, high = (float(query.get(f"{of}_{end}", text)) for end, text in (("low", "0"), ("high", "1")))
    except ValueError:
        low, high = 1.0, 0.0
    if not low < high:
        raise BadSetting(f"The scale of {of} values needs its lowest and its highest value, such as 1 and 5.")
    return None if (low, high) == (0, 1) else (low, high)


def _dataset_name(query: QueryParams) -> str:
    name = (query.getlist("file") or [""])[0].removesuffix(".gz")
    return name.rpartition(".")[0] or name

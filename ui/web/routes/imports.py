"""Routes for importing data: upload files in parts, preview them, and import in the background."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path as FilePath
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request, Response
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import FileResponse
from pydantic import BaseModel, ConfigDict, Field

from core.datasets.own_form import LONGEST_OWN, MOST_OWN
from core.errors import BadSetting
from core.types import LONGEST_TEXT
from ui.services.importing.import_job import ImportRequest
from ui.services.importing.received_files import MOST_BYTES, MOST_FILES
from ui.services.importing.uploading import Bringing
from ui.web.access.access_checks import note, visitor_of
from ui.web.json.imports import FORMATS_JSON, FormatJson, ImportJson, LookJson, import_json, look_json
from ui.web.routes.dependencies import BringingDep

LARGEST_PART = 4_000_000  # maximum bytes of a file that one request may contain
Key = Annotated[str, Path(max_length=64)]
FileName = Annotated[str, Query(min_length=1, max_length=1000)]
Text = Annotated[str, Field(max_length=200)]
Ends = Annotated[list[Annotated[float, Field(allow_inf_nan=False)]], Field(min_length=2, max_length=2)]


@dataclass(frozen=True, slots=True)
class FolderJson:
    """A folder on the server in which an import may search for pictures."""

    id: int
    name: str


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """Options for an import."""

    formats: tuple[FormatJson, ...]
    folders: tuple[FolderJson, ...]
    part: int  # maximum bytes of a file that one request may contain
    most_bytes: int  # maximum bytes of all files together
    most_files: int


@dataclass(frozen=True, slots=True)
class ImportKey:
    """The id of an import that can receive files."""

    id: str


@dataclass(frozen=True, slots=True)
class ReceivedFile:
    """The response to an upload of a part of a file, or to a file's removal.

    The response contains the file's safe name.
    """

    name: str  # the file's name on the server


class ImportBody(BaseModel):
    """The files of an import, and its options."""

    model_config = ConfigDict(extra="forbid", strict=True)
    files: Annotated[list[Text], Field(max_length=MOST_FILES)]
    format: Text = ""
    dataset: Text = ""
    columns: Annotated[dict[Text, Annotated[str, Field(max_length=LONGEST_TEXT)]], Field(max_length=20)] = {}
    human_scale: Ends | None = None
    score_scale: Ends | None = None
    metric: Text | None = None
    system: Text | None = None
    keep: Annotated[list[Annotated[str, Field(max_length=LONGEST_OWN)]], Field(max_length=MOST_OWN)] = []
    zips: Annotated[list[Text], Field(max_length=MOST_FILES)] = []
    folders: Annotated[list[int], Field(max_length=MOST_FILES)] = []
    skip_bad: bool = False

    def request(self, folders: Mapping[int, FilePath]) -> ImportRequest:
        """Return the options as an ImportRequest. Raises BadSetting.

        folders: the server's folders for pictures; key: the number that pages use.
        """
        unknown = [number for number in self.folders if number not in folders]
        if unknown:
            raise BadSetting(f"There is no picture folder with the number {unknown[0]}.")
        return ImportRequest(
            files=tuple(self.files),
            format=self.format,
            dataset=self.dataset.strip(),
            columns=self.columns,
            human_scale=_scale("human judgements", self.human_scale),
            score_scale=_scale("scores", self.score_scale),
            metric=self.metric,
            system=self.system,
            keep=tuple(self.keep),
            images=(*self.zips, *(str(folders[number]) for number in self.folders)),
            skip_bad=self.skip_bad,
        )


ROUTER = APIRouter(prefix="/api/imports")  # only the account that started an import can see it


@ROUTER.get("/options")
def options(bringing: BringingDep) -> ImportOptions:
    """Return the options for an import."""
    named = tuple(FolderJson(number, folder.name or str(folder)) for number, folder in _folders(bringing).items())
    return ImportOptions(FORMATS_JSON, named, LARGEST_PART, MOST_BYTES, MOST_FILES)


@ROUTER.post("", status_code=201)
def begin(request: Request, bringing: BringingDep) -> ImportKey:
    """Register an import, which can then receive files."""
    return ImportKey(bringing.begin(_owner(request)))


@ROUTER.put("/{key}/files", max_body_size=LARGEST_PART)
async def receive(
    key: Key, name: FileName, offset: Annotated[int, Query(ge=0)], request: Request, bringing: BringingDep
) -> ReceivedFile:
    """Store one part of a file that is uploaded for an import.

    offset: number of bytes before this part in the file.
    """
    part = await request.body()
    return ReceivedFile(await run_in_threadpool(bringing.receive, _owner(request), key, name, offset, part))


@ROUTER.delete("/{key}/files")
def remove_file(key: Key, name: FileName, request: Request, bringing: BringingDep) -> ReceivedFile:
    """Remove an uploaded file from an import."""
    bringing.remove_file(_owner(request), key, name)
    return ReceivedFile(name)


@ROUTER.post("/{key}/look")
async def look(key: Key, body: ImportBody, request: Request, bringing: BringingDep) -> LookJson:
    """Return a preview of an import."""
    asked = body.request(_folders(bringing))
    loop = asyncio.get_running_loop()
    found = await loop.run_in_executor(bringing.looking, bringing.look, _owner(request), key, asked)
    return look_json(found)


@ROUTER.post("/{key}/start", status_code=202)
def start(key: Key, body: ImportBody, request: Request, bringing: BringingDep) -> ImportJson:
    """Start an import."""
    asked = body.request(_folders(bringing))
    note(request, f"data set {asked.dataset or '(named after its file)'}, {asked.format}")
    bringing.start(_owner(request), key, asked)
    return import_json(bringing.progress(_owner(request), key))


@ROUTER.get("/{key}")
def progress(key: Key, request: Request, bringing: BringingDep) -> ImportJson:
    """Return the progress of an import."""
    return import_json(bringing.progress(_owner(request), key))


@ROUTER.post("/{key}/cancel")
def cancel(key: Key, request: Request, bringing: BringingDep) -> ImportJson:
    """Cancel a running import."""
    bringing.cancel(_owner(request), key)
    return import_json(bringing.progress(_owner(request), key))


@ROUTER.delete("/{key}", status_code=204)
def drop(key: Key, request: Request, bringing: BringingDep) -> Response:
    """Delete an import and its files."""
    bringing.drop(_owner(request), key)
    return Response(status_code=204)


@ROUTER.get("/{key}/refused.csv")
def refused(key: Key, request: Request, bringing: BringingDep) -> FileResponse:
    """Return the refused rows and pictures of an import as CSV."""
    return FileResponse(bringing.refused(_owner(request), key), media_type="text/csv", filename="refused.csv")


def _folders(bringing: Bringing) -> dict[int, FilePath]:
    """Return the folders for pictures; key: the number by which pages name a folder."""
    return dict(enumerate(bringing.folders, start=1))


def _owner(request: Request) -> str:
    return visitor_of(request).name


def _scale(of: str, ends: list[float] | None) -> tuple[float, float] | None:
    if ends is None:
        return None
    low, high = ends
    if not low < high:
        raise BadSetting(f"The scale of {of} needs its lowest and its highest value, such as 1 and 5.")
    return low, high

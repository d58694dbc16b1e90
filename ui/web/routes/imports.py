"""Routes that upload the files of an import in parts."""

from dataclasses import dataclass
from typing import Annotated

from fastapi import APIRouter, Path, Query, Request
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import FileResponse

from ui.web.access.access_checks import visitor_of
from ui.web.access.gates import gate
from ui.web.routes.dependencies import BringingDep

LARGEST_PART = 4_000_000  # maximum bytes of a file that one request may contain
Key = Annotated[str, Path(max_length=64)]
FileName = Annotated[str, Query(min_length=1, max_length=1000)]


@dataclass(frozen=True, slots=True)
class ImportKey:
    """The id of an import that can receive files."""

    id: str


@dataclass(frozen=True, slots=True)
class ReceivedFile:
    """The response to an upload of a part of a file.

    The response contains the file's safe name.
    """

    name: str  # the file's name on the server


ROUTER = APIRouter(prefix="/api/imports")  # only the account that started an import can see it


@ROUTER.post("", status_code=201, **gate("researcher"))
def begin(request: Request, bringing: BringingDep) -> ImportKey:
    """Register an import, which can then receive files."""
    return ImportKey(bringing.begin(_owner(request)))


@ROUTER.put("/{key}/files", max_body_size=LARGEST_PART, **gate("researcher"))
async def receive(
    key: Key, name: FileName, offset: Annotated[int, Query(ge=0)], request: Request, bringing: BringingDep
) -> ReceivedFile:
    """Store one part of a file that is uploaded for an import.

    offset: number of bytes before this part in the file.
    """
    part = await request.body()
    return ReceivedFile(await run_in_threadpool(bringing.receive, _owner(request), key, name, offset, part))


@ROUTER.get("/{key}/refused.csv", **gate("researcher", "rows with errors exported"))
def refused(key: Key, request: Request, bringing: BringingDep) -> FileResponse:
    """Return the refused rows and pictures of an import as CSV."""
    return FileResponse(bringing.refused(_owner(request), key), media_type="text/csv", filename="refused.csv")


def _owner(request: Request) -> str:
    return visitor_of(request).name

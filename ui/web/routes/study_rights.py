"""Routes to show and change who may see, run or own a study."""

from typing import Annotated

from fastapi import APIRouter, Request
from pydantic import BaseModel, ConfigDict, Field

from storage.accounts.accounts import LONGEST_NAME
from storage.accounts.study_rights import Right, Share
from ui.web.access.access_checks import note
from ui.web.routes import Id
from ui.web.routes.dependencies import RepositoryDep


class NewShare(BaseModel):
    """A right to a study that an account is to get."""

    model_config = ConfigDict(extra="forbid")
    account: Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)] | None  # None: everyone who has an account
    right: Right | None  # the right to give; None: the account's right is removed


ROUTER = APIRouter(prefix="/api/studies/{study_id}")


@ROUTER.get("/shares")
def shares(study_id: Id, repository: RepositoryDep) -> tuple[Share, ...]:
    """List who has a right to a study."""
    repository.studies.get(study_id)
    return repository.rights.shares(study_id)


@ROUTER.put("/shares")
def share(study_id: Id, body: NewShare, request: Request, repository: RepositoryDep) -> tuple[Share, ...]:
    """Change the right of an account or of everyone with an account. Returns who has a right afterwards."""
    study = repository.studies.get(study_id)
    note(request, f"study {study.name}, access of {body.account or 'everyone'}: {body.right or 'right removed'}")
    repository.rights.share(study_id, body.account, body.right)
    return repository.rights.shares(study_id)

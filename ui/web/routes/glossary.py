"""The glossary page. It explains the terms that Capscope's pages use."""

from fastapi import APIRouter, Response

from ui.services.glossary import glossary
from ui.web.access.gates import gate
from ui.web.routes.dependencies import PageDep

ROUTER = APIRouter(include_in_schema=False)


@ROUTER.get("/glossary", **gate("viewer"))
def glossary_page(page: PageDep) -> Response:
    """Show the glossary. Each word has its own anchor."""
    return page.show("glossary", entries=glossary())

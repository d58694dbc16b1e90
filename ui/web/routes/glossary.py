"""The glossary page. It explains the terms that Capscope's pages use."""

from fastapi import APIRouter, Request, Response

from ui.services.glossary import glossary
from ui.web.access.access_checks import visitor_of
from ui.web.access.gates import gate
from ui.web.routes.dependencies import PagesDep

ROUTER = APIRouter(include_in_schema=False)


@ROUTER.get("/glossary", **gate("viewer"))
def glossary_page(request: Request, pages: PagesDep) -> Response:
    """Show the glossary. Each word has its own anchor."""
    return pages.page("glossary", visitor=visitor_of(request), entries=glossary())

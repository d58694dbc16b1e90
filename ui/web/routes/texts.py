"""Routes of catalogues: the texts of raters' pages, and the languages to choose from."""

from fastapi import APIRouter, Response

from core.studies.asking.ready_texts import CONSENT
from ui.web.json.texts import LanguageJson, TextsJson, texts_json
from ui.web.routes.dependencies import CataloguesDep

KEPT = "max-age=600"  # browsers may use a copy for 600 s; texts that the copy lacks are shown in English
ROUTER = APIRouter(prefix="/api")


@ROUTER.get("/rate/texts/{language}")
def texts(language: str, response: Response, catalogues: CataloguesDep) -> TextsJson:
    """Return the texts of raters' pages in a language.

    A catalogue contains no data of a study, so everybody may read it.
    """
    response.headers["cache-control"] = KEPT
    return texts_json(catalogues.get(language))


@ROUTER.get("/studies/languages")
def languages(catalogues: CataloguesDep) -> tuple[LanguageJson, ...]:
    """List the languages of raters' pages, English first."""
    return tuple(
        LanguageJson(one.code, one.name, one.review, catalogues.shown(one.code).translated(CONSENT))
        for one in catalogues.languages()
    )

"""Return a study's ready-made consent text in its language, and warn of texts in another language."""

from core.studies.asking.form import Form
from core.studies.asking.ready_texts import CONSENT
from core.studies.study_design import ENGLISH
from ui.services.texts.catalogue import english_name
from ui.services.texts.catalogues import Catalogues


def ready_consent(catalogues: Catalogues, language: str) -> str:
    """Return the ready-made consent text in a language.

    If it is not translated, return it in English. Raises BadSetting, BadFile.
    """
    return catalogues.get(language).translated(CONSENT)


def language_notes(catalogues: Catalogues, form: Form, language: str, has_ready_consent: bool) -> tuple[str, ...]:
    """Return warnings about the language of a study's texts.

    They name texts that are not in the language of the study's pages, or whose translation is unreviewed. A form states
    only whether its texts are English. So there is no warning if the form and the pages are in two languages other than
    English. Raises BadSetting, BadFile.
    """
    notes = []
    name = english_name(language)
    if (form.introduction.words is None) != (language == ENGLISH):
        of_form = "in English" if form.introduction.words is None else "not in English"
        notes.append(
            f"Capscope does not translate a form's own texts: {form.key} is {of_form}, and the pages are in {name}."
        )
    if has_ready_consent and language != ENGLISH:
        catalogue = catalogues.get(language)
        if catalogue.translated(CONSENT) == CONSENT:
            notes.append(f"The ready-made consent has no translation into {name}, so it is in English.")
        else:
            notes.append(
                f"The consent is a translation ({catalogue.review or 'not stated who made it'}). "
                f"Ask a speaker of {name} to read it before the study starts."
            )
    return tuple(notes)

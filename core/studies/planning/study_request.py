"""A researcher's request for a study: what the study asks, and which items it draws."""

from dataclasses import dataclass, replace
from typing import Annotated, Literal, get_args

from pydantic import Field

from core.errors import BadSetting
from core.studies.asking.file_values import LARGEST
from core.studies.asking.form import Form
from core.studies.asking.form_file import read_form
from core.studies.asking.questionnaire import LONGEST_CONSENT
from core.studies.asking.shipped_forms import form_named
from core.studies.study_design import StudyDesign, check_number

Strata = Literal["score", "human", "none"]  # groups of samples
STRATA: tuple[Strata, ...] = get_args(Strata)
Name = Annotated[str, Field(max_length=200)]  # limited in length, so that requests to the server stay small


@dataclass(frozen=True, slots=True)
class StudyRequest(StudyDesign):
    """What a researcher asks for when creating a study."""

    name: Name
    dataset: Name
    form: Name = "single"  # key of one of Capscope's forms (sets of questions)
    form_text: Annotated[str, Field(max_length=LARGEST)] | None = None  # text of a form's file, used instead of `form`
    metrics: tuple[Name, ...] = ()  # empty: all metrics with explanations, or none if raters rate captions
    size: int | None = None  # number of captions; None: DEFAULT_SIZE if they are grouped (strata), otherwise all
    strata: Strata = "none"
    criteria: tuple[Name, ...] = ()  # keys of the form's criteria to use; empty: all criteria
    consent: Annotated[str, Field(max_length=LONGEST_CONSENT)] | None = None  # None: the form's consent; "": no consent

    def __post_init__(self) -> None:
        """Check the request. Raises BadSetting."""
        check_name(self.name)
        if self.strata not in STRATA:
            raise BadSetting(f"The strata must be one of {', '.join(STRATA)}, found {self.strata}.")
        check_number("Captions", self.size)
        StudyDesign.__post_init__(self)
        for what, names in (("metric", self.metrics), ("criterion", self.criteria)):
            if len(set(names)) < len(names):
                raise BadSetting(f"Each {what} may be named only once, found {', '.join(names)}.")

    def asked(self) -> Form:
        """Return the form (the study's questions) with only the requested criteria.

        Raises NotFound, BadForm, BadSetting.
        """
        form = form_named(self.form) if self.form_text is None else read_form(self.form_text)
        chosen = replace(form, criteria=form.chosen(self.criteria))
        if form.compares and not chosen.compares:
            raise BadSetting(
                f"The form {form.key} compares two texts, so it needs a criterion that compares. Choose such a "
                "criterion."
            )
        if form.rates == "caption" and self.metrics:
            raise BadSetting(f"The form {form.key} rates captions, not metrics. Remove the metrics.")
        if form.rates == "caption" and self.strata == "score":
            raise BadSetting(f"The form {form.key} rates captions. Use strata by human score, or no strata.")
        if self.consent is not None:
            chosen = replace(chosen, entry=replace(chosen.entry, consent=self.consent.strip()))
        return chosen


def check_name(name: str) -> None:
    """Raise BadSetting if a study cannot have this name."""
    if not name.strip() or len(name) > 80 or not name.isprintable():
        raise BadSetting("A study needs a name of 1 to 80 printable characters.")

"""Describe a study's design in words, for the methods section of a paper."""

from collections.abc import Sequence
from dataclasses import dataclass

from core.studies.results.participants import FlowStep
from core.studies.study_design import StudyDesign


@dataclass(frozen=True, slots=True)
class Design(StudyDesign):
    """A study's setup, as the methods section describes it."""

    form: str  # title of the study's form (its questions)
    form_version: int
    form_sha256: str
    dataset: str
    criteria: tuple[str, ...]  # names of the criteria, in the order of the questions
    metrics: tuple[str, ...]
    items: int
    captions: int  # number of captions in the items
    pairs: int  # number of captions with an item of every metric; 0: fewer than two metrics
    strata: tuple[tuple[str, int], ...]  # (name of the stratum, number of selected captions) for each stratum
    panels: int  # largest number of explanations side by side
    capscope: str  # version
    without_picture: int = 0  # number of items whose picture was not found
    judged_with_picture: tuple[tuple[str, str], ...] = ()  # key and name of each criterion that needs the picture
    flow: tuple[FlowStep, ...] = ()  # number of participants at each step of the study; (): no participants


def judged_texts(design: Design) -> str:
    """Return what raters judged: explanations of captions, or captions."""
    captions = numbered(design.captions, "caption")
    return f"explanations by {listed(design.metrics)} of {captions}" if design.metrics else captions


def items_text(design: Design) -> str:
    """Return how many items the captions make, and how many captions metrics can be compared on."""
    pairs = f", {numbered(design.pairs, 'caption')} with every metric" if design.pairs else ""
    return f"{numbered(design.items, 'item')}{pairs}"


def asked_texts(design: Design) -> str:
    """Return a text about how raters judged."""
    return f"for {listed(design.criteria)}"


def listed(names: Sequence[str]) -> str:
    """Return names as a list in words."""
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def numbered(count: int, what: str) -> str:
    """Return a count and its noun, in the plural unless the count is 1."""
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def strata_text(design: Design) -> str:
    """Return a text about the strata of the items; "" if there are none."""
    if len(design.strata) < 2:
        return ""
    return f" ({', '.join(f'{count:,} of {name}' for name, count in design.strata)})"


def page_text(design: Design) -> str:
    """Return a text about the explanations on a page."""
    if design.panels < 2:
        return "One explanation at a time"
    layout = ", all in one layout with rounded numbers" if design.uniform else ""
    return (
        f"Up to {design.panels} explanations side by side, in an order that is balanced over raters and items{layout}"
    )


def picture_text(design: Design) -> str:
    """Return a text about when raters saw the picture."""
    if design.items and design.without_picture == design.items:
        return "No picture was shown: the pictures of all items were missing"
    when = (
        "The picture was shown after the questions that need only the text were answered"
        if design.veil
        else "The picture was shown from the start"
    )
    missing = f"; {_of_items(design)} had no picture" if design.without_picture else ""
    return when + (", with the regions that a metric used" if design.overlay else "") + missing


def _of_items(design: Design) -> str:
    return f"{design.without_picture:,} of {numbered(design.items, 'item')}"

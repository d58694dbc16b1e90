"""The sections of Analyse, in the order of the page. A new section is one file and one line here."""

from core.errors import NotFound
from ui.services.analysis import (
    agreement,
    captioners,
    categories,
    distributions,
    errors,
    omissions,
    pair,
    people,
    plot,
    published,
    several,
    sizes,
    study,
)
from ui.services.analysis.analyst import Analyst
from ui.services.analysis.section import Asked, Found, Section

SECTIONS: tuple[Section, ...] = (
    agreement.SECTION,
    plot.SECTION,
    errors.SECTION,
    pair.SECTION,
    categories.SECTION,
    omissions.SECTION,
    distributions.SECTION,
    people.SECTION,
    captioners.SECTION,
    several.SECTION,
    study.SECTION,
    published.SECTION,
    sizes.SECTION,
)


def section_named(key: str, known: tuple[Section, ...]) -> Section:
    """Return a section by its key. Raises NotFound, which lists the keys."""
    sections = {one.key: one for one in known}
    if key not in sections:
        raise NotFound(f"There is no section {key!r}. Sections: {', '.join(sections)}.")
    return sections[key]


def found_in(analyst: Analyst, key: str, asked: Asked) -> Found:
    """Return the result of a section, cached until the data change. Raises NotFound, BadSetting."""
    section = section_named(key, SECTIONS)
    if not section.is_cached:
        return section.make(analyst, asked)
    saved = asked.slice and analyst.workplace.repository.slices.named(asked.dataset, asked.slice)
    options = tuple(sorted(asked.options.items()))
    what = (key, asked.datasets, asked.metrics, saved, options, analyst.reads.report_stamp())
    return analyst.cached(asked.dataset, what, lambda: section.make(analyst, asked))

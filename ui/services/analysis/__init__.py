"""The sections of Analyse, in the order of the page. A new section is one file and one line here."""

import numpy as np

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
from ui.services.analysis.section import Asked, Facts, Found, Section

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


def section_named(key: str) -> Section:
    """Return a section by its key. Raises NotFound, which lists the keys."""
    for one in SECTIONS:
        if one.key == key:
            return one
    raise NotFound(f"There is no section {key!r}. Sections: {', '.join(one.key for one in SECTIONS)}.")


def found_in(analyst: Analyst, key: str, asked: Asked) -> Found:
    """Return the result of a section, cached until the data change. Raises NotFound, BadSetting, Cancelled."""
    section = section_named(key)
    if section is study.SECTION or section.key in ("several", "published", "sizes", "errors", "categories"):
        return section.make(analyst, asked)  # these depend on codes, ratings or several data sets
    repository = analyst.workplace.repository
    chosen = repository.slices.named(asked.dataset, asked.slice) if asked.slice else None
    rated = repository.analysis.ratings_stamp() if chosen and (chosen.criterion or chosen.code) else None
    what = (key, asked.dataset, asked.metrics, chosen, tuple(sorted(asked.options.items())), rated)
    if chosen is not None and chosen.code:
        return section.make(analyst, asked)
    found: Found = analyst.kept((what, analyst.stamp(asked.dataset)), 0, lambda: section.make(analyst, asked))
    return found


def facts(analyst: Analyst, dataset: str, slice_name: str | None) -> Facts:
    """Return what a data set, or a slice of it, has. Raises NotFound."""
    whole, within = analyst.table(dataset), analyst.chosen(dataset, slice_name)
    mask = np.ones(len(whole), dtype=bool) if within is None else within
    repository, people_ = analyst.workplace.repository, analyst.judged(dataset).samples
    here = people_.where(mask)
    written = analyst.captioners(dataset).of[mask]
    scored = repository.analysis.scored_datasets()
    annotated = next((one.annotated for one in scored if one.name == dataset), 0)
    return Facts(
        dataset=dataset,
        samples=int(mask.sum()),
        metrics=len(whole.compared),
        rated=bool(np.isfinite(here.human).any()),
        judged=here.is_judged,
        several_judgements=bool((here.counts > 1).any()),
        annotated=annotated,
        captioners=len(np.unique(written[written >= 0])),
        datasets=sum(one.judged for one in scored),
        studies=len(repository.analysis.studies(dataset)),
    )

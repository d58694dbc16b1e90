"""How a study was made and run, as facts and as the paragraph that a paper's methods section needs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median

from core.studies.export import RatingRecord


@dataclass(frozen=True, slots=True)
class Design:
    """How a study was set up."""

    form: str  # its title
    form_version: int
    form_sha256: str
    dataset: str
    criteria: tuple[str, ...]  # names, in the order in which they are asked
    metrics: tuple[str, ...]
    items: int
    strata: tuple[tuple[str, int], ...]  # name, items drawn
    seed: int
    panels: int  # the most explanations side by side
    raters_per_item: int | None  # None: every rater rates every item
    veil: bool
    overlay: bool
    uniform: bool
    capscope: str  # version


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the methods table."""

    fact: str
    value: str


def methods(design: Design, records: Sequence[RatingRecord]) -> tuple[Fact, ...]:
    """Return the facts of a study. records: every answer, those that reports leave out among them."""
    counted = [record for record in records if not record.left_out]
    facts = [
        Fact("Form", f"{design.form}, version {design.form_version}, SHA-256 {design.form_sha256[:12]}"),
        Fact("Criteria", _listed(design.criteria)),
        Fact("Metrics", _listed(design.metrics)),
        Fact("Data set", design.dataset),
        Fact("Items", f"{design.items:,}{_strata(design)}; seed {design.seed}"),
        Fact("Raters an item", _raters_an_item(design, counted)),
        Fact("On a page", _page(design)),
        Fact("Picture", _picture(design)),
        Fact("Rated", _dates(record.submitted_at for record in counted)),
        Fact("Answers", f"{len(counted):,} by {len({record.rater for record in counted}):,} raters"),
        Fact("Time an item", _time(counted)),
        *(Fact("Left out", text) for text in _left_out(records)),
        Fact("Computed by", f"Capscope {design.capscope}"),
    ]
    return tuple(fact for fact in facts if fact.value)


def paragraph(design: Design, records: Sequence[RatingRecord]) -> str:
    """Return the same as sentences."""
    counted = [record for record in records if not record.left_out]
    raters = len({record.rater for record in counted})
    sentences = [
        f"{_number(raters, 'rater')} judged explanations by {_listed(design.metrics)} of "
        f"{_number(design.items, 'item')} of {design.dataset}{_strata(design)}, drawn with seed {design.seed}, "
        f"for {_listed(design.criteria)} ({design.form}, version {design.form_version}).",
        f"{_page(design)}." if design.panels > 1 else "",
        f"{_picture(design)}.",
        f"{_raters_an_item(design, counted)}." if counted else "",
        f"The {len(counted):,} answers were given {_dates(r.submitted_at for r in counted)}; an item took "
        f"{_time(counted)}."
        if counted
        else "Nobody has rated yet.",
        *(f"Left out: {text}." for text in _left_out(records)),
        f"Figures are Capscope {design.capscope}'s.",
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _strata(design: Design) -> str:
    if len(design.strata) < 2:
        return ""
    return f" ({', '.join(f'{count:,} of {name}' for name, count in design.strata)})"


def _raters_an_item(design: Design, counted: Iterable[RatingRecord]) -> str:
    """Say how many raters items got, of how many they should."""
    raters = Counter(item for item, _ in {(record.item, record.rater) for record in counted})
    wanted = "every rater was to rate every item"
    if design.raters_per_item is not None:
        wanted = f"{_number(design.raters_per_item, 'rater')} were to rate each item"
    reached = Counter(raters.values()) + Counter({0: design.items - len(raters)})
    told = ", ".join(f"{_number(items, 'item')} by {count}" for count, items in sorted(reached.items(), reverse=True))
    return f"{wanted[0].upper()}{wanted[1:]}; rated were {told}"


def _page(design: Design) -> str:
    if design.panels < 2:
        return "One explanation at a time"
    layout = ", all in one layout with rounded numbers" if design.uniform else ""
    return f"Up to {design.panels} explanations side by side in an order balanced over raters and items{layout}"


def _picture(design: Design) -> str:
    when = (
        "The picture was shown once what is judged without it was answered"
        if design.veil
        else ("The picture was shown from the start")
    )
    return when + (", with the regions that a metric looked at" if design.overlay else "")


def _dates(times: Iterable[datetime]) -> str:
    days = sorted({f"{time:%Y-%m-%d}" for time in times})
    return "" if not days else f"on {days[0]}" if len(days) == 1 else f"from {days[0]} to {days[-1]}"


def _time(counted: Iterable[RatingRecord]) -> str:
    longest: Counter[tuple[str, int]] = Counter()
    for record in counted:
        key = (record.rater, record.item)
        longest[key] = max(longest[key], record.duration_ms)
    return f"{median(longest.values()) / 1000:.1f} s (median)" if longest else ""


def _left_out(records: Iterable[RatingRecord]) -> list[str]:
    """Say what reports do not count, with the reasons; raters by code."""
    by_reason: dict[str, set[str]] = {}
    answers: Counter[str] = Counter()
    for record in records:
        if record.left_out:
            by_reason.setdefault(record.left_out, set()).add(record.rater)
            answers[record.left_out] += 1
    return [
        f"{_number(answers[reason], 'answer')} by {', '.join(sorted(raters))}: {reason}"
        for reason, raters in sorted(by_reason.items())
    ]

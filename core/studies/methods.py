"""How a study was made and run, as facts and as the paragraph that a paper's methods section needs."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Protocol

from core.studies.criteria import NO_PICTURE
from core.studies.evidence_export import EvidenceRecord
from core.studies.export import RatingRecord

MOST_CODES = 10  # of raters in one sentence; exports name all


class Given(Protocol):
    """What methods need to know of a rating or of a judged sentence."""

    @property
    def item(self) -> int:
        """The item's number."""

    @property
    def rater(self) -> str:
        """The rater's code."""

    @property
    def left_out(self) -> str:
        """Why reports leave it out; empty where they count it."""

    @property
    def submitted_at(self) -> datetime:
        """When it was given, in UTC."""

    @property
    def duration_ms(self) -> int:
        """Time with the item in sight until then."""


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
    sentences: bool = False  # explanations are judged sentence by sentence
    without_picture: int = 0  # items whose picture was not found
    judged_with_picture: tuple[tuple[str, str], ...] = ()  # key and name of each criterion that needs the picture


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the methods table."""

    fact: str
    value: str


def methods(
    design: Design, records: Sequence[RatingRecord], evidence: Sequence[EvidenceRecord] = ()
) -> tuple[Fact, ...]:
    """Return the facts of a study.

    records, evidence: every rating and every judged sentence, also those that reports leave out.
    """
    every: list[RatingRecord | EvidenceRecord] = [*records, *evidence]
    counted = [one for one in every if not one.left_out]
    facts = [
        Fact("Form", f"{design.form}, version {design.form_version}, SHA-256 {design.form_sha256[:12]}"),
        Fact("Criteria", _listed(design.criteria)),
        Fact("Metrics", _listed(design.metrics)),
        Fact("Data set", design.dataset),
        Fact("Items", f"{design.items:,}{_strata(design)}; seed {design.seed}"),
        Fact("Raters an item", _raters_an_item(design, counted)),
        Fact("On a page", _page(design)),
        Fact("Picture", _picture(design)),
        *_unseen(design, counted),
        Fact("Rated", _dates(record.submitted_at for record in counted)),
        Fact("Answers", _amount(records)),
        Fact("Judged sentences", _amount(evidence)),
        Fact("Time an item", _time(counted)),
        *(Fact("Late", text) for text in _late(counted)),
        *(Fact("Left out", text) for text in _left_out(records, "answer")),
        *(Fact("Left out", text) for text in _left_out(evidence, "judged sentence")),
        Fact("Computed by", f"Capscope {design.capscope}"),
    ]
    return tuple(fact for fact in facts if fact.value)


def paragraph(design: Design, records: Sequence[RatingRecord], evidence: Sequence[EvidenceRecord] = ()) -> str:
    """Return the same as sentences."""
    every: list[RatingRecord | EvidenceRecord] = [*records, *evidence]
    counted = [one for one in every if not one.left_out]
    raters = len({record.rater for record in counted})
    sentences = [
        f"{_number(raters, 'rater')} judged {_judged(design)} of "
        f"{_number(design.items, 'item')} of {design.dataset}{_strata(design)}, drawn with seed {design.seed}, "
        f"{_asked(design)} ({design.form}, version {design.form_version}).",
        f"{_page(design)}." if design.panels > 1 else "",
        f"{_picture(design)}.",
        *(f"{fact.value}." for fact in _unseen(design, counted)),
        f"{_raters_an_item(design, counted)}." if counted else "",
        f"The {_given(records, evidence)} were given {_dates(r.submitted_at for r in counted)}; an item took "
        f"{_time(counted)}."
        if counted
        else "No rating counts."
        if every
        else "Nobody has rated yet.",
        *(f"{text}." for text in _late(counted)),
        *(f"Left out: {text}." for text in _left_out(records, "answer")),
        *(f"Left out: {text}." for text in _left_out(evidence, "judged sentence")),
        f"Figures are Capscope {design.capscope}'s.",
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _judged(design: Design) -> str:
    return f"explanations by {_listed(design.metrics)}" if design.metrics else "captions"


def _asked(design: Design) -> str:
    asked = ["sentence by sentence"] if design.sentences else []
    return " and ".join([*asked, *([f"for {_listed(design.criteria)}"] if design.criteria else [])])


def _amount(records: Sequence[Given]) -> str:
    """Say how much counts, and by how many raters; "" where nothing does."""
    counted = [one for one in records if not one.left_out]
    return f"{len(counted):,} by {_number(len({one.rater for one in counted}), 'rater')}" if counted else ""


def _given(records: Sequence[Given], evidence: Sequence[Given]) -> str:
    counts = [sum(not one.left_out for one in some) for some in (records, evidence)]
    names = ("answer", "judged sentence")
    return " and ".join(_number(count, name) for count, name in zip(counts, names, strict=True) if count)


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _some(codes: Sequence[str]) -> str:
    """List codes up to MOST_CODES, and count the others."""
    if len(codes) <= MOST_CODES:
        return ", ".join(codes)
    return f"{', '.join(codes[:MOST_CODES])} and {len(codes) - MOST_CODES:,} other raters"


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _strata(design: Design) -> str:
    if len(design.strata) < 2:
        return ""
    return f" ({', '.join(f'{count:,} of {name}' for name, count in design.strata)})"


def _raters_an_item(design: Design, counted: Iterable[Given]) -> str:
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
    if design.items and design.without_picture == design.items:
        return "No picture was shown: the pictures of all items were missing"
    when = (
        "The picture was shown once what is judged without it was answered"
        if design.veil
        else ("The picture was shown from the start")
    )
    missing = f"; {_of_items(design)} had no picture" if design.without_picture else ""
    return when + (", with the regions that a metric looked at" if design.overlay else "") + missing


def _of_items(design: Design) -> str:
    return f"{design.without_picture:,} of {_number(design.items, 'item')}"


def _unseen(design: Design, counted: Iterable[RatingRecord | EvidenceRecord]) -> list[Fact]:
    """Say which answers were given without the picture that their question needs."""
    names = dict(design.judged_with_picture)
    before: Counter[str] = Counter()
    unknown, missing = 0, 0
    for record in counted:
        if isinstance(record, EvidenceRecord):
            name, shown = "sentences", record.picture_shown
        elif record.criterion in names:
            name, shown = names[record.criterion], record.facts.picture_shown
            missing += record.rating == NO_PICTURE
        else:
            continue
        if not record.picture_missing:
            before[name] += shown is False
            unknown += shown is None
    says = "says" if missing == 1 else "say"
    found = [Fact("No picture", f"{_number(missing, 'answer')} {says} that the picture is missing")] if missing else []
    found += [
        Fact(
            "Before the picture",
            f"{_number(count, 'answer')} to {name} given before the picture was shown",
        )
        for name, count in before.items()
        if count
    ]
    if unknown:
        text = f"For {_number(unknown, 'answer')} it is not known whether the picture was on the page"
        found.append(Fact("Picture not known", text))
    return found


def _late(counted: Iterable[RatingRecord | EvidenceRecord]) -> list[str]:
    """Say how many answers came after the study had closed."""
    late = [record for record in counted if record.late]
    raters = ", ".join(sorted({record.rater for record in late}))
    return [f"{_number(len(late), 'answer')} by {raters} arrived after the study had closed"] if late else []


def _dates(times: Iterable[datetime]) -> str:
    days = sorted({f"{time:%Y-%m-%d}" for time in times})
    return "" if not days else f"on {days[0]}" if len(days) == 1 else f"from {days[0]} to {days[-1]}"


def _time(counted: Iterable[Given]) -> str:
    longest: Counter[tuple[str, int]] = Counter()
    for record in counted:
        key = (record.rater, record.item)
        longest[key] = max(longest[key], record.duration_ms)
    return f"{median(longest.values()) / 1000:.1f} s (median)" if longest else ""


def _left_out(records: Iterable[Given], what: str) -> list[str]:
    """Say what reports do not count, with the reasons; raters by code."""
    by_reason: dict[str, set[str]] = {}
    answers: Counter[str] = Counter()
    for record in records:
        if record.left_out:
            by_reason.setdefault(record.left_out, set()).add(record.rater)
            answers[record.left_out] += 1
    return [
        f"{_number(answers[reason], what)} by {_some(sorted(raters))}: {reason}"
        for reason, raters in sorted(by_reason.items())
    ]

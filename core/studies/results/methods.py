"""Describe a study's design and conduct, as facts and as a paragraph for a paper's methods section."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median

import numpy as np

from core.studies.results.design_texts import (
    Design,
    asked_texts,
    gate_texts,
    gold_stop_texts,
    items_text,
    judged_texts,
    listed,
    numbered,
    page_text,
    picture_text,
    strata_text,
)
from core.studies.results.export import RatingRecord
from core.studies.results.judged_columns import JudgedColumns, of_ratings
from core.studies.results.participants import flow_text
from core.studies.results.rating_columns import NOT_KNOWN, RatingColumns

MOST_CODES = 10  # maximum number of raters named in one sentence; exports name all raters


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the methods table."""

    fact: str
    value: str


def methods(design: Design, ratings: Iterable[RatingRecord] | RatingColumns) -> tuple[Fact, ...]:
    """Return the facts for the table about a study's methods.

    ratings: all ratings, including excluded ones.
    """
    answers = of_ratings(ratings, dict(design.judged_with_picture))
    counted = answers.counted
    facts = [
        Fact("Form", f"{design.form}, version {design.form_version}, SHA-256 {design.form_sha256[:12]}"),
        Fact("Criteria", listed(design.criteria)),
        Fact("Metrics", listed(design.metrics)),
        Fact("Data set", design.dataset),
        Fact("Captions", f"{design.captions:,}{strata_text(design)}; seed {design.seed}"),
        Fact("Items", items_text(design)),
        Fact("Participants", flow_text(design.flow)),
        Fact("Raters per item", _raters_an_item(design, counted)),
        Fact("On a page", page_text(design)),
        Fact("Picture", picture_text(design)),
        *_unseen(counted),
        *(Fact("Before the items", text) for text in gate_texts(design)),
        *(Fact("Gold", text) for text in gold_stop_texts(design)),
        Fact("Rated", _dates(counted)),
        Fact("Answers", _amount(answers)),
        Fact("Time per item", _time(counted)),
        *(Fact("Late", text) for text in _late(counted)),
        *(Fact("Excluded", text) for text in _left_out(answers)),
        Fact("Computed by", f"Capscope {design.capscope}"),
    ]
    return tuple(fact for fact in facts if fact.value)


def paragraph(design: Design, ratings: Iterable[RatingRecord] | RatingColumns) -> str:
    """Return the facts about a study's methods as sentences."""
    every = of_ratings(ratings, dict(design.judged_with_picture))
    counted = every.counted
    raters = len(set(counted.rater))
    sentences = [
        f"{numbered(raters, 'rater')} judged {judged_texts(design)} of "
        f"{design.dataset}{strata_text(design)} in {items_text(design)}, drawn with seed {design.seed}, "
        f"{asked_texts(design)} ({design.form}, version {design.form_version}).",
        f"Participants: {flow_text(design.flow)}." if design.flow else "",
        f"{page_text(design)}." if design.panels > 1 else "",
        f"{picture_text(design)}.",
        *(f"{fact.value}." for fact in _unseen(counted)),
        *(f"{text}." for text in (*gate_texts(design), *gold_stop_texts(design))),
        f"{_raters_an_item(design, counted)}." if len(counted.item) else "",
        f"The {numbered(len(counted.item), 'answer')} were given {_dates(counted)}. An item took {_time(counted)}."
        if len(counted.item)
        else "No rating counts."
        if len(every.item)
        else "Nobody has rated yet.",
        *(f"{text}." for text in _late(counted)),
        *(f"Excluded: {text}." for text in _left_out(every)),
        f"The figures were computed with Capscope {design.capscope}.",
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _amount(judged: JudgedColumns) -> str:
    """Return a text with the numbers of counted answers and of raters; "" for no answers."""
    raters = judged.counted.rater
    return f"{len(raters):,} by {numbered(len(set(raters)), 'rater')}" if len(raters) else ""


def _some(codes: Sequence[str]) -> str:
    """Return a text with at most MOST_CODES raters' codes, and the number of the remaining raters."""
    if len(codes) <= MOST_CODES:
        return ", ".join(codes)
    return f"{', '.join(codes[:MOST_CODES])} and {len(codes) - MOST_CODES:,} other raters"


def _raters_an_item(design: Design, counted: JudgedColumns) -> str:
    """Return a text with the planned and the actual number of raters per item."""
    raters = Counter(item for item, _ in set(zip(counted.item.tolist(), counted.rater, strict=True)))
    wanted = "every rater was asked to rate every item"
    if design.raters_per_item is not None:
        wanted = f"{numbered(design.raters_per_item, 'rater')} were asked to rate each item"
    reached = Counter(raters.values()) + Counter({0: design.items - len(raters)})
    reached_text = ", ".join(
        f"{numbered(items, 'item')} by {count}" for count, items in sorted(reached.items(), reverse=True)
    )
    return f"{wanted[0].upper()}{wanted[1:]}; reached: {reached_text}"


def _unseen(counted: JudgedColumns) -> list[Fact]:
    """Return facts about answers that raters gave without the picture, although the question needs it."""
    needs = counted.where((counted.what != "") & ~counted.missing)
    before = dict.fromkeys(needs.what, 0) | Counter(needs.what[needs.shown == 0])
    unknown, missing = int((needs.shown == NOT_KNOWN).sum()), int(counted.no_picture.sum())
    says = "says" if missing == 1 else "say"
    facts = [Fact("No picture", f"{numbered(missing, 'answer')} {says} that the picture is missing")] if missing else []
    facts += [
        Fact(
            "Before the picture",
            f"Raters gave {numbered(count, 'answer')} to {name} before the picture was shown",
        )
        for name, count in before.items()
        if count
    ]
    if unknown:
        text = f"For {numbered(unknown, 'answer')} it is not known whether the page showed the picture"
        facts.append(Fact("Picture unknown", text))
    return facts


def _late(counted: JudgedColumns) -> list[str]:
    """Return a text with the number of answers that arrived after the study was closed."""
    late = counted.rater[counted.late]
    raters = ", ".join(sorted(set(late)))
    return [f"{numbered(len(late), 'answer')} by {raters} arrived after the study had closed"] if len(late) else []


def _dates(counted: JudgedColumns) -> str:
    days = [f"{date.fromordinal(day):%Y-%m-%d}" for day in np.unique(counted.day).tolist()]
    return "" if not days else f"on {days[0]}" if len(days) == 1 else f"from {days[0]} to {days[-1]}"


def _time(counted: JudgedColumns) -> str:
    longest: Counter[tuple[str, int]] = Counter()
    for rater, item, time in zip(counted.rater, counted.item.tolist(), counted.duration_ms.tolist(), strict=True):
        longest[rater, item] = max(longest[rater, item], time)
    return f"{median(longest.values()) / 1000:.1f} s (median)" if longest else ""


def _left_out(judged: JudgedColumns) -> list[str]:
    """Return texts about the answers that reports exclude, with the reasons and the raters' codes."""
    gone = judged.where(judged.left_out != "")
    answers = Counter(gone.left_out)
    return [
        f"{numbered(answers[reason], 'answer')} by {_some(sorted(set(gone.rater[gone.left_out == reason])))}: {reason}"
        for reason in sorted(answers)
    ]

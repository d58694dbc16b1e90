"""Describe a study's design and conduct, as facts and as a paragraph for a paper's methods section."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

import pandas as pd

from core.studies.asking.criteria import NO_PICTURE
from core.studies.results.design_texts import (
    Design,
    asked_texts,
    items_text,
    judged_texts,
    listed,
    numbered,
    page_text,
    picture_text,
    strata_text,
)
from core.studies.results.participants import flow_text
from core.studies.results.ratings import counted

MOST_CODES = 10  # maximum number of raters named in one sentence; exports name all raters


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the methods table."""

    fact: str
    value: str


def methods(design: Design, every: pd.DataFrame) -> tuple[Fact, ...]:
    """Return the facts for the table about a study's methods.

    every: all ratings, including excluded ones.
    """
    answers = counted(every)
    facts = [
        Fact("Form", f"{design.form}, version {design.form_version}, SHA-256 {design.form_sha256[:12]}"),
        Fact("Criteria", listed(design.criteria)),
        Fact("Metrics", listed(design.metrics)),
        Fact("Data set", design.dataset),
        Fact("Captions", f"{design.captions:,}{strata_text(design)}; seed {design.seed}"),
        Fact("Items", items_text(design)),
        Fact("Participants", flow_text(design.flow)),
        Fact("Raters per item", _raters_an_item(design, answers)),
        Fact("On a page", page_text(design)),
        Fact("Picture", picture_text(design)),
        *_unseen(design, answers),
        Fact("Rated", _dates(answers)),
        Fact("Answers", _amount(answers)),
        Fact("Time per item", _time(answers)),
        *(Fact("Late", text) for text in _late(answers)),
        *(Fact("Excluded", text) for text in _left_out(every)),
        Fact("Computed by", f"Capscope {design.capscope}"),
    ]
    return tuple(fact for fact in facts if fact.value)


def paragraph(design: Design, every: pd.DataFrame) -> str:
    """Return the facts about a study's methods as sentences."""
    answers = counted(every)
    raters = answers["rater"].nunique()
    sentences = [
        f"{numbered(raters, 'rater')} judged {judged_texts(design)} of "
        f"{design.dataset}{strata_text(design)} in {items_text(design)}, drawn with seed {design.seed}, "
        f"{asked_texts(design)} ({design.form}, version {design.form_version}).",
        f"Participants: {flow_text(design.flow)}." if design.flow else "",
        f"{page_text(design)}." if design.panels > 1 else "",
        f"{picture_text(design)}.",
        *(f"{fact.value}." for fact in _unseen(design, answers)),
        f"{_raters_an_item(design, answers)}." if len(answers) else "",
        f"The {numbered(len(answers), 'answer')} were given {_dates(answers)}. An item took {_time(answers)}."
        if len(answers)
        else "No rating counts."
        if len(every)
        else "Nobody has rated yet.",
        *(f"{text}." for text in _late(answers)),
        *(f"Excluded: {text}." for text in _left_out(every)),
        f"The figures were computed with Capscope {design.capscope}.",
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _amount(counted: pd.DataFrame) -> str:
    """Return a text with the numbers of counted answers and of raters; "" for no answers."""
    return f"{len(counted):,} by {numbered(counted['rater'].nunique(), 'rater')}" if len(counted) else ""


def _some(codes: Sequence[str]) -> str:
    """Return a text with at most MOST_CODES raters' codes, and the number of the remaining raters."""
    if len(codes) <= MOST_CODES:
        return ", ".join(codes)
    return f"{', '.join(codes[:MOST_CODES])} and {len(codes) - MOST_CODES:,} other raters"


def _raters_an_item(design: Design, counted: pd.DataFrame) -> str:
    """Return a text with the planned and the actual number of raters per item."""
    raters = counted.groupby("item")["rater"].nunique().tolist()
    wanted = "every rater was asked to rate every item"
    if design.raters_per_item is not None:
        wanted = f"{numbered(design.raters_per_item, 'rater')} were asked to rate each item"
    reached = Counter(raters) + Counter({0: design.items - len(raters)})
    reached_text = ", ".join(
        f"{numbered(items, 'item')} by {count}" for count, items in sorted(reached.items(), reverse=True)
    )
    return f"{wanted[0].upper()}{wanted[1:]}; reached: {reached_text}"


def _unseen(design: Design, counted: pd.DataFrame) -> list[Fact]:
    """Return facts about answers that raters gave without the picture, although the question needs it."""
    names = dict(design.judged_with_picture)
    needs = counted[counted["criterion"].isin(names)]
    missing = int((needs["rating"] == NO_PICTURE).sum())
    there = needs[~needs["picture_missing"]]
    before = Counter(
        name
        for key, shown in zip(there["criterion"], there["picture_shown"], strict=True)
        if shown is not None and not shown
        for name in [names[key]]
    )
    unknown = int(there["picture_shown"].isna().sum())
    says = "says" if missing == 1 else "say"
    facts = [Fact("No picture", f"{numbered(missing, 'answer')} {says} that the picture is missing")] if missing else []
    facts += [
        Fact("Before the picture", f"Raters gave {numbered(count, 'answer')} to {name} before the picture was shown")
        for name, count in before.items()
    ]
    if unknown:
        text = f"For {numbered(unknown, 'answer')} it is not known whether the page showed the picture"
        facts.append(Fact("Picture unknown", text))
    return facts


def _late(counted: pd.DataFrame) -> list[str]:
    """Return a text with the number of answers that arrived after the study was closed."""
    late = counted[counted["late"]]
    raters = ", ".join(sorted(late["rater"].unique()))
    return [f"{numbered(len(late), 'answer')} by {raters} arrived after the study had closed"] if len(late) else []


def _dates(counted: pd.DataFrame) -> str:
    days = sorted({f"{time:%Y-%m-%d}" for time in counted["submitted_at"]})
    return "" if not days else f"on {days[0]}" if len(days) == 1 else f"from {days[0]} to {days[-1]}"


def _time(counted: pd.DataFrame) -> str:
    longest = counted.groupby(["rater", "item"])["duration_ms"].max().tolist()
    return f"{median(longest) / 1000:.1f} s (median)" if longest else ""


def _left_out(every: pd.DataFrame) -> list[str]:
    """Return texts about the answers that reports exclude, with the reasons and the raters' codes."""
    gone = every[every["left_out"] != ""]
    return [
        f"{numbered(len(answers), 'answer')} by {_some(sorted(answers['rater'].unique()))}: {reason}"
        for reason, answers in gone.groupby("left_out")
    ]

"""Describe a study's design and conduct, as a paragraph for a paper's methods section."""

from collections import Counter
from collections.abc import Sequence
from statistics import median

import pandas as pd

from core.signature import VERSION
from core.studies.asking.criteria import NO_PICTURE
from core.studies.asking.form_words import numbered
from core.studies.results.flow import FlowStep, flow_text
from core.studies.results.report import counted
from core.studies.study import Study

MOST_CODES = 10  # maximum number of raters named in one sentence; exports name all raters


def paragraph(study: Study, flow: Sequence[FlowStep], every: pd.DataFrame) -> str:
    """Return sentences about a study's methods.

    flow: number of participants at each step of the study. every: all ratings, including excluded ones.
    """
    answers = counted(every)
    raters = answers["rater"].nunique()
    sentences = [
        f"{numbered(raters, 'rater') + ' judged' if raters else 'Raters judge'} {_judged(study)} of "
        f"{study.dataset}{_strata(study)} in {numbered(study.items, 'item')}, drawn with seed {study.design.seed}, "
        f"for {_criteria(study)} ({study.asks.title}, SHA-256 {study.asks.sha256[:12]}).",
        f"Participants: {flow_text(flow)}." if flow else "",
        f"{_page(study)}." if study.panels > 1 else "",
        f"{_picture(study)}.",
        *(f"{text}." for text in _unseen(study, answers)),
        f"{_raters_an_item(study, answers)}." if len(answers) else "",
        f"The {numbered(len(answers), 'answer')} were given {_dates(answers)}. An item took {_time(answers)}."
        if len(answers)
        else "",
        *(f"{text}." for text in _late(answers)),
        *(f"Excluded: {text}." for text in _left_out(every)),
        f"The figures were computed with Capscope {VERSION}.",
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _criteria(study: Study) -> str:
    return _listed([criterion.name for criterion in study.asks.criteria])


def _judged(study: Study) -> str:
    captions = numbered(study.captions, "caption")
    return f"explanations by {_listed(study.metrics)} of {captions}" if study.metrics else captions


def _some(codes: Sequence[str]) -> str:
    """Return a text with at most MOST_CODES raters' codes, and the number of the remaining raters."""
    if len(codes) <= MOST_CODES:
        return ", ".join(codes)
    return f"{', '.join(codes[:MOST_CODES])} and {len(codes) - MOST_CODES:,} other raters"


def _raters_an_item(study: Study, counted: pd.DataFrame) -> str:
    """Return a text with the planned and the actual number of raters per item."""
    raters = counted.groupby("item")["rater"].nunique().tolist()
    wanted = "every rater was asked to rate every item"
    if study.design.raters_per_item is not None:
        wanted = f"{numbered(study.design.raters_per_item, 'rater')} were asked to rate each item"
    reached = Counter(raters) + Counter({0: study.items - len(raters)})
    reached_text = ", ".join(
        f"{numbered(items, 'item')} by {count}" for count, items in sorted(reached.items(), reverse=True)
    )
    return f"{wanted[0].upper()}{wanted[1:]}; reached: {reached_text}"


def _unseen(study: Study, counted: pd.DataFrame) -> list[str]:
    """Return texts about answers that raters gave without the picture, although the question needs it."""
    names = {one.key: one.name for one in study.asks.criteria if one.waits_for_picture}
    needs = counted[counted["criterion"].isin(names)]
    missing = int((needs["rating"] == NO_PICTURE).sum())
    there = needs[~needs["picture_missing"]]
    before = Counter(names[key] for key in there.loc[~there["picture_shown"], "criterion"])
    says = "says" if missing == 1 else "say"
    texts = [f"{numbered(missing, 'answer')} {says} that the picture is missing"] if missing else []
    texts += [
        f"Raters gave {numbered(count, 'answer')} to {name} before the picture was shown"
        for name, count in before.items()
    ]
    return texts


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


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _strata(study: Study) -> str:
    """Return a text about the strata of the captions; "" if there are none."""
    if len(study.strata) < 2:
        return ""
    return f" ({', '.join(f'{count:,} of {name}' for name, count in study.strata)})"


def _page(study: Study) -> str:
    if study.panels < 2:
        return "One explanation at a time"
    layout = ", all in one layout with rounded numbers" if study.design.uniform else ""
    return f"Up to {study.panels} explanations side by side, in an order that is balanced over raters and items{layout}"


def _picture(study: Study) -> str:
    if study.items and study.without_picture == study.items:
        return "No picture was shown: the pictures of all items were missing"
    when = (
        "The picture was shown after the questions that need only the text were answered"
        if study.design.veil
        else "The picture was shown from the start"
    )
    missing = (
        f"; {study.without_picture:,} of {numbered(study.items, 'item')} had no picture"
        if study.without_picture
        else ""
    )
    return when + (", with the regions that a metric used" if study.design.overlay else "") + missing

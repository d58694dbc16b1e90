"""Describe a study's design and conduct, as facts and as a paragraph for a paper's methods section."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median

import numpy as np

from core.studies.pay.terms import Terms
from core.studies.results.evidence_export import EvidenceRecord
from core.studies.results.export import RatingRecord
from core.studies.results.judged_columns import JudgedColumns, both, of_ratings, of_sentences
from core.studies.results.participants import FlowStep, flow_text
from core.studies.results.rating_columns import NOT_KNOWN, RatingColumns
from core.studies.study_design import StudyDesign

MOST_CODES = 10  # maximum number of raters named in one sentence; exports name all raters


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
    strata: tuple[tuple[str, int], ...]  # (name of the stratum, number of selected items) for each stratum
    panels: int  # largest number of explanations side by side
    capscope: str  # version
    sentences: bool = False  # True: raters judge explanations sentence by sentence
    without_picture: int = 0  # number of items whose picture was not found
    check_questions: int = 0  # number of questions in the comprehension check
    checked: tuple[int, int] = (0, 0)  # number of raters who passed the comprehension check, and number who failed
    has_example: bool = False  # True: raters saw a worked example
    practice_until_right: bool = False  # True: raters repeated practice items until the answer was right
    stop_after_gold: int | None = None  # number of failed gold items after which a rater is stopped; None: never
    judged_with_picture: tuple[tuple[str, str], ...] = ()  # key and name of each criterion that needs the picture
    flow: tuple[FlowStep, ...] = ()  # number of participants at each step of the study; (): no participants
    terms: Terms = Terms()  # pay
    withdrawn: int = 0  # number of items that raters no longer get; answers to these items do not count
    page_language: str = ""  # language of raters' pages, and who checked the translation; empty: English


@dataclass(frozen=True, slots=True)
class Fact:
    """One line of the methods table."""

    fact: str
    value: str


def methods(
    design: Design, ratings: Iterable[RatingRecord] | RatingColumns, evidence: Sequence[EvidenceRecord] = ()
) -> tuple[Fact, ...]:
    """Return the facts for the table about a study's methods.

    ratings, evidence: all ratings and judged sentences, including excluded ones.
    """
    answers, sentences = of_ratings(ratings, dict(design.judged_with_picture)), of_sentences(evidence)
    counted = both(answers, sentences).counted
    facts = [
        Fact("Form", f"{design.form}, version {design.form_version}, SHA-256 {design.form_sha256[:12]}"),
        Fact("Criteria", _listed(design.criteria)),
        Fact("Metrics", _listed(design.metrics)),
        Fact("Data set", design.dataset),
        Fact("Items", f"{design.items:,}{_strata(design)}; seed {design.seed}"),
        Fact(
            "Withdrawn",
            (f"{_number(design.withdrawn, 'item')}. Answers to withdrawn items do not count")
            if design.withdrawn
            else "",
        ),
        Fact("Participants", flow_text(design.flow)),
        Fact("Pay", _pay(design.terms)),
        Fact("Raters per item", _raters_an_item(design, counted)),
        Fact("On a page", _page(design)),
        Fact("Picture", _picture(design)),
        Fact("Language of the pages", design.page_language),
        *_unseen(counted),
        *(Fact("Before the items", text) for text in _gates(design)),
        *(Fact("Gold", text) for text in _gold_stop(design)),
        Fact("Rated", _dates(counted)),
        Fact("Answers", _amount(answers)),
        Fact("Judged sentences", _amount(sentences)),
        Fact("Time per item", _time(counted)),
        *(Fact("Late", text) for text in _late(counted)),
        *(Fact("Excluded", text) for text in _left_out(answers, "answer")),
        *(Fact("Excluded", text) for text in _left_out(sentences, "judged sentence")),
        Fact("Computed by", f"Capscope {design.capscope}"),
    ]
    return tuple(fact for fact in facts if fact.value)


def paragraph(
    design: Design, ratings: Iterable[RatingRecord] | RatingColumns, evidence: Sequence[EvidenceRecord] = ()
) -> str:
    """Return the facts about a study's methods as sentences."""
    answers, judged = of_ratings(ratings, dict(design.judged_with_picture)), of_sentences(evidence)
    every = both(answers, judged)
    counted = every.counted
    raters = len(set(counted.rater))
    sentences = [
        f"{_number(raters, 'rater')} judged {_judged(design)} of "
        f"{_number(design.items, 'item')} of {design.dataset}{_strata(design)}, drawn with seed {design.seed}, "
        f"{_asked(design)} ({design.form}, version {design.form_version}).",
        (
            f"{_number(design.withdrawn, 'item')} withdrawn after the samples were chosen. Answers to these items do "
            "not count."
        )
        if design.withdrawn
        else "",
        f"Participants: {flow_text(design.flow)}." if design.flow else "",
        f"Raters were paid {_pay(design.terms)}." if _pay(design.terms) else "",
        f"{_page(design)}." if design.panels > 1 else "",
        f"{_picture(design)}.",
        (f"The form's own texts kept their language; all other texts of the pages were in {design.page_language}.")
        if design.page_language
        else "",
        *(f"{fact.value}." for fact in _unseen(counted)),
        *(f"{text}." for text in (*_gates(design), *_gold_stop(design))),
        f"{_raters_an_item(design, counted)}." if len(counted.item) else "",
        f"The {_given(answers, judged)} were given {_dates(counted)}. An item took {_time(counted)}."
        if len(counted.item)
        else "No rating counts."
        if len(every.item)
        else "Nobody has rated yet.",
        *(f"{text}." for text in _late(counted)),
        *(f"Excluded: {text}." for text in _left_out(answers, "answer")),
        *(f"Excluded: {text}." for text in _left_out(judged, "judged sentence")),
        f"The figures were computed with Capscope {design.capscope}.",
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _judged(design: Design) -> str:
    return f"explanations by {_listed(design.metrics)}" if design.metrics else "captions"


def _asked(design: Design) -> str:
    asked = ["sentence by sentence"] if design.sentences else []
    return " and ".join([*asked, *([f"for {_listed(design.criteria)}"] if design.criteria else [])])


def _amount(judged: JudgedColumns) -> str:
    """Return a text with the numbers of counted answers and of raters; "" for no answers."""
    raters = judged.counted.rater
    return f"{len(raters):,} by {_number(len(set(raters)), 'rater')}" if len(raters) else ""


def _given(answers: JudgedColumns, sentences: JudgedColumns) -> str:
    counts = [len(some.counted.item) for some in (answers, sentences)]
    names = ("answer", "judged sentence")
    return " and ".join(_number(count, name) for count, name in zip(counts, names, strict=True) if count)


def _listed(names: Sequence[str]) -> str:
    return " and ".join([", ".join(names[:-1]), names[-1]]) if len(names) > 1 else "".join(names)


def _some(codes: Sequence[str]) -> str:
    """Return a text with at most MOST_CODES raters' codes, and the number of the remaining raters."""
    if len(codes) <= MOST_CODES:
        return ", ".join(codes)
    return f"{', '.join(codes[:MOST_CODES])} and {len(codes) - MOST_CODES:,} other raters"


def _number(count: int, what: str) -> str:
    return f"{count:,} {what}{'' if count == 1 else 's'}"


def _strata(design: Design) -> str:
    if [name for name, _ in design.strata] == ["disagreement"]:
        return (
            ", with a higher probability where the metrics disagree; means and differences are weighted by the "
            "inverse probabilities, tests are not"
        )
    if len(design.strata) < 2:
        return ""
    return f" ({', '.join(f'{count:,} of {name}' for name, count in design.strata)})"


def _raters_an_item(design: Design, counted: JudgedColumns) -> str:
    """Return a text with the planned and the actual number of raters per item."""
    raters = Counter(item for item, _ in set(zip(counted.item.tolist(), counted.rater, strict=True)))
    wanted = "every rater was asked to rate every item"
    if design.raters_per_item is not None:
        wanted = f"{_number(design.raters_per_item, 'rater')} were asked to rate each item"
    reached = Counter(raters.values()) + Counter({0: design.items - len(raters)})
    reached_text = ", ".join(
        f"{_number(items, 'item')} by {count}" for count, items in sorted(reached.items(), reverse=True)
    )
    return f"{wanted[0].upper()}{wanted[1:]}; reached: {reached_text}"


def _page(design: Design) -> str:
    if design.panels < 2:
        return "One explanation at a time"
    layout = ", all in one layout with rounded numbers" if design.uniform else ""
    return (
        f"Up to {design.panels} explanations side by side, in an order that is balanced over raters and items{layout}"
    )


def _picture(design: Design) -> str:
    if design.items and design.without_picture == design.items:
        return "No picture was shown: the pictures of all items were missing"
    when = (
        "The picture was shown after the questions about the text alone were answered"
        if design.veil
        else "The picture was shown from the start"
    )
    missing = f"; {_of_items(design)} had no picture" if design.without_picture else ""
    return when + (", with the regions that a metric used" if design.overlay else "") + missing


def _of_items(design: Design) -> str:
    return f"{design.without_picture:,} of {_number(design.items, 'item')}"


def _gates(design: Design) -> list[str]:
    """Return texts about what raters had to read, answer and practise before the items."""
    texts = []
    if design.check_questions:
        passed, failed = design.checked
        texts.append(
            f"Raters answered a comprehension check of {_number(design.check_questions, 'question')} with two "
            f"attempts; {_number(passed, 'rater')} passed, {failed:,} failed and rated nothing"
        )
    if design.has_example:
        texts.append("Raters read a worked example with its right answers")
    if design.practice_until_right:
        texts.append("A practice item was repeated until its answers were right")
    return texts


def _pay(terms: Terms) -> str:
    hourly = f"{terms.hourly_text} an hour" if terms.hourly_text else ""
    if terms.reward_text and hourly:
        return f"{terms.reward_text}, with a bonus so that the pay reaches {hourly}"
    return terms.reward_text or hourly


def _gold_stop(design: Design) -> list[str]:
    """Return a text about how many failed gold items stop a rater.

    Gold items have known answers.
    """
    if design.stop_after_gold is None:
        return []
    return [f"A rater was stopped and excluded after {_number(design.stop_after_gold, 'failed gold item')}"]


def _unseen(counted: JudgedColumns) -> list[Fact]:
    """Return facts about answers that raters gave without the picture, although the question needs it."""
    needs = counted.where((counted.what != "") & ~counted.missing)
    before = dict.fromkeys(needs.what, 0) | Counter(needs.what[needs.shown == 0])
    unknown, missing = int((needs.shown == NOT_KNOWN).sum()), int(counted.no_picture.sum())
    says = "says" if missing == 1 else "say"
    facts = [Fact("No picture", f"{_number(missing, 'answer')} {says} that the picture is missing")] if missing else []
    facts += [
        Fact(
            "Before the picture",
            f"{_number(count, 'answer')} to {name} given before the picture was shown",
        )
        for name, count in before.items()
        if count
    ]
    if unknown:
        text = f"For {_number(unknown, 'answer')} it is not known whether the page showed the picture"
        facts.append(Fact("Picture unknown", text))
    return facts


def _late(counted: JudgedColumns) -> list[str]:
    """Return a text with the number of answers that arrived after the study was closed."""
    late = counted.rater[counted.late]
    raters = ", ".join(sorted(set(late)))
    return [f"{_number(len(late), 'answer')} by {raters} arrived after the study had closed"] if len(late) else []


def _dates(counted: JudgedColumns) -> str:
    days = [f"{date.fromordinal(day):%Y-%m-%d}" for day in np.unique(counted.day).tolist()]
    return "" if not days else f"on {days[0]}" if len(days) == 1 else f"from {days[0]} to {days[-1]}"


def _time(counted: JudgedColumns) -> str:
    longest: Counter[tuple[str, int]] = Counter()
    for rater, item, time in zip(counted.rater, counted.item.tolist(), counted.duration_ms.tolist(), strict=True):
        longest[rater, item] = max(longest[rater, item], time)
    return f"{median(longest.values()) / 1000:.1f} s (median)" if longest else ""


def _left_out(judged: JudgedColumns, what: str) -> list[str]:
    """Return texts about the answers that reports exclude, with the reasons and the raters' codes."""
    gone = judged.where(judged.left_out != "")
    answers = Counter(gone.left_out)
    return [
        f"{_number(answers[reason], what)} by {_some(sorted(set(gone.rater[gone.left_out == reason])))}: {reason}"
        for reason in sorted(answers)
    ]

"""Estimate how long a study takes, either from its texts and questions or from measured times."""

from dataclasses import dataclass
from math import ceil

from core.studies.asking.form import Form

WORDS_A_MINUTE = 238  # reading speed in words per minute, silent reading of English (Brysbaert 2019)
SECONDS_AN_ITEM = 10.0  # time to look at the picture
SECONDS_AN_ANSWER = 5.0  # time to judge and answer a question
OPENING_SECONDS = 90.0  # time to read the welcome, the consent and the instructions: about 350 words
# With fewer rated items, their times are not used, because a few may be unusually fast. From then on, the median time
# is announced. The mean would be distorted by items that stayed open during a break.
FEWEST_TIMES = 30


@dataclass(frozen=True, slots=True)
class ReadingLoad:
    """A study's amount of text and number of questions, as means over its items."""

    words: float  # mean number of words in an item's captions and explanations
    references: float = 0.0  # mean number of words in an item's references; 0 if the form does not show references
    panels: float = 1.0  # number of explanations or captions side by side
    divided: float = 0.0  # share of explanations that are divided into aspects, [0, 1]
    learnt: float | None = None  # measured seconds per rated item; None: fewer than FEWEST_TIMES items are rated


def item_seconds(form: Form, reading: ReadingLoad) -> float:
    """Return an item's time in seconds: measured if enough items are rated, otherwise estimated.

    Practice and gold items take as long as other items.
    """
    if reading.learnt is not None:
        return reading.learnt
    words = reading.words + (reading.references if form.shows.references else 0.0)
    answers = len(form.criteria) * (1.0 if form.compares else reading.panels)
    return 60 * words / WORDS_A_MINUTE + SECONDS_AN_ITEM + SECONDS_AN_ANSWER * answers


def expected_minutes(items: int, seconds: float, before: float = 0.0) -> int:
    """Return the time that items take, in minutes.

    items: number of items. seconds: time for one item. before: seconds before the first item. Up to 10 minutes the
    result is a whole number from 1, above 10 a multiple of 5. Returns 0 for no items.
    """
    minutes = max(1 if items else 0, ceil((before + items * seconds) / 60)) if items else 0
    return minutes if minutes <= 10 else 5 * round(minutes / 5)

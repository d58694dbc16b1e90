"""Join the rows of one import that describe the same caption, such as one row per judge; find contradictory rows.

Rows may complete each other, and they may be further judgements. All other differences are contradictions, which
are errors, because nobody knows which row is right. Two explanations of one score do not contradict each other.
"""

import hashlib
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace

from core.datasets.base import UNIT, Record, Scale, rescaled
from core.errors import BadRow
from core.types import Outcome, Score, one_line

SAME = "same picture and caption"
_SAID_ONCE = ("references", "system", "own", "pair", "judgements")  # fields in which rows of a caption may not differ


@dataclass(slots=True)
class _Caption:
    """The rows of one caption."""

    first: Record  # the first row, completed by the others
    humans: list[float] = field(default_factory=list)  # one for each row with a judgement
    raters: dict[str, tuple[int, float | None]] = field(default_factory=dict)  # key: rater; value: row and judgement

    def add(self, record: Record) -> None:
        """Complete the first row with a further one."""
        first = self.first
        scores = {one.signature: one for one in first.scores}
        scores |= {one.signature: one for one in record.scores if not _is_explained(scores.get(one.signature))}
        filled = {name: getattr(first, name) or getattr(record, name) for name in _SAID_ONCE}
        human = record.human if first.human is None else first.human
        self.first = replace(first, human=human, scores=tuple(scores.values()), **filled)


@dataclass(slots=True)
class JoinedRows:
    """The records of an import, with one record for each caption."""

    records: Iterable[Record]  # read several times
    scale: Scale | None  # scale of human judgements in the file; None: 0 to 1
    problems: list[BadRow] = field(default_factory=list)
    rows: int = 0
    further: int = 0  # number of rows that belong to an earlier row's caption
    _captions: dict[bytes, _Caption] = field(default_factory=dict)
    _one_row_per_judge: bool = False

    def __post_init__(self) -> None:
        seen, repeated = set[bytes](), set[bytes]()
        for record in self.records:
            self.rows += 1
            self._one_row_per_judge |= record.rater is not None
            same = _identity(record)
            if same is not None:
                (repeated if same in seen else seen).add(same)
        for record in self.records if repeated else ():
            same = _identity(record)
            if same in repeated and same is not None:
                self._take(same, record)
        self._one_row_per_judge |= any(len(set(one.humans)) > 1 for one in self._captions.values())

    def __len__(self) -> int:
        return self.rows - self.further

    def __iter__(self) -> Iterator[Record]:
        written = set[int]()
        for record in self.records:
            same = _identity(record) if self._captions or self._one_row_per_judge else None
            caption = self._captions.get(same) if same is not None else None
            if caption is None:
                yield self._judged(record, [] if record.human is None else [record.human])
            elif id(caption) not in written:
                written.add(id(caption))
                yield self._judged(caption.first, caption.humans)

    def notes(self, bad: int) -> list[str]:
        """Return sentences that say how many rows were read, and why some of them make no sample of their own.

        bad: number of rows that were skipped because of errors.
        """
        read = self.rows + bad
        told = [f"{read:,} {'row was' if read == 1 else 'rows were'} read."]
        if self.further:
            told.append(f"{self.further:,} of them add to an earlier row with the {SAME}, such as further judgements.")
        return told

    def _judged(self, record: Record, humans: list[float]) -> Record:
        low, high = self.scale or UNIT
        single = record.judgements
        if single and record.human is None and record.image_is_relative and low <= min(single) <= max(single) <= high:
            return replace(record, human=rescaled(single, (low, high)))
        if not self._one_row_per_judge or single or not humans or not record.image_is_relative:
            return record
        judgements = tuple(round(low + human * (high - low), 9) for human in humans)
        return replace(record, human=rescaled(humans, UNIT), judgements=judgements)

    def _take(self, same: bytes, record: Record) -> None:
        caption = self._captions.setdefault(same, _Caption(record))
        if caption.first is not record:
            self.further += 1
            problem = _difference(caption, record)
            if problem is not None:
                self.problems.append(BadRow(record.file, record.row, *problem))
                return
            caption.add(record)
        if record.human is not None and (record.rater is None or record.rater not in caption.raters):
            caption.humans.append(record.human)
        if record.rater is not None:
            caption.raters[record.rater] = record.row, record.human


def _is_explained(outcome: Outcome | None) -> bool:
    return isinstance(outcome, Score) and bool(outcome.explanation.rationales)


def _value(outcome: Outcome) -> float | None:
    return outcome.value if isinstance(outcome, Score) else None


def _identity(record: Record) -> bytes | None:
    """Return a digest that is equal for rows about one caption; None if the format counts each row."""
    if not record.image_is_relative:
        return None
    if record.key is not None:
        text = f"id\0{record.key}"
    else:
        text = f"{record.picture}\0{one_line(record.candidate)}\0{record.system or ''}"
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=16).digest()


def _difference(caption: _Caption, record: Record) -> tuple[str, str, object] | None:
    """Return how a row contradicts the earlier rows of its caption: (field, what was expected, what was found)."""
    first = caption.first
    if record.key is not None and (first.picture, first.candidate) != (record.picture, record.candidate):
        return "id", f"a unique id; row {first.row} has the same id", record.key
    rater = caption.raters.get(record.rater or "")
    if rater is not None and rater[1] != record.human:
        return "human", f"one judgement of rater {record.rater}; in row {rater[0]} it is {rater[1]}", record.human
    as_before = f"as in row {first.row}, which has the {SAME}; only judgements and raters may differ"
    for name in _SAID_ONCE:
        earlier, value = getattr(first, name), getattr(record, name)
        if earlier and value and earlier != value:
            return name, f"{earlier!r:.80} {as_before}", value
    scores = {one.signature: _value(one) for one in first.scores}
    for one in record.scores:
        if scores.get(one.signature, _value(one)) != _value(one):
            return f"score of {one.metric}", f"the same score {as_before}", _value(one)
    if record.human is not None and first.judgements and {record.human} != {first.human}:
        return "human", f"{first.human} {as_before}", record.human
    return None

"""Words that raters marked before they were counted in characters mean the same words after an update."""

import importlib
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from sqlalchemy import text

from storage.engine.migration import downgrade, migrate
from storage.study_types import Save
from tests.making import import_rows, make_study, note, rows
from ui.services.workplace import Workplace

BEFORE = "0022"
SENTENCE = "A 🐕🐕 runs to the cafe\u0301 🏃 here."
MIGRATION = importlib.import_module("storage.migrations.versions.0023_changes_and_sentences")


def units(characters: int) -> int:
    return len(SENTENCE[:characters].encode("utf-16-le")) // 2


def of(words: str) -> tuple[int, int]:
    """Where words stand in the sentence, in characters."""
    return SENTENCE.index(words), SENTENCE.index(words) + len(words)


@pytest.fixture
def judged(birds: Workplace, tmp_path: Any) -> Workplace:
    """A study whose only sentence somebody has called wrong, from "runs" to the end of "here"."""
    row = rows(1)[0]
    row["scores"] = row["scores"][:1]
    row["scores"][0]["rationales"] = {"overall": SENTENCE}
    import_rows(birds, tmp_path / "emoji", [row], "emoji")
    study = make_study(birds, "emoji", dataset="emoji", form="evidence", size=1)
    rater = birds.repository.raters.add("K7")
    (item,) = birds.repository.desk.queue(study.id, rater, 1, 1).items
    start, end = of("runs")[0], of("here")[1]
    said = {"verdict": "wrong", "start": start, "end": end, "kind": "object", "severity": "minor"}
    save = Save(key=note(item, "").key, assignment=item.id, age_ms=0, kind="sentence", panel=1, sentence=1, said=said)
    assert birds.repository.save(rater, [save]) == (None,)
    return birds


def stored(workplace: Workplace, set_to: tuple[int, int] | None = None) -> tuple[int, int]:
    with workplace.repository.database.write() as connection:
        if set_to is not None:
            values = dict(zip(("first", "last"), set_to, strict=True))
            connection.execute(text('UPDATE sentence_judgements SET start = :first, "end" = :last'), values)
        row = connection.execute(text('SELECT start, "end" FROM sentence_judgements')).one()
    return row[0], row[1]


def test_a_span_by_the_old_count_is_converted_and_back(judged: Workplace) -> None:
    now, engine = stored(judged), judged.repository.database.engine
    downgrade(engine, BEFORE)
    assert stored(judged) == (units(now[0]), units(now[1])) != now
    migrate(engine)
    assert stored(judged) == now
    (record,) = judged.repository.studies.evidence(judged.repository.studies.named("emoji").id)
    assert record.text[record.words_start : record.words_end] == "runs to the cafe\u0301 🏃 here"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ((units(of("here")[0]), units(of("here")[1])), of("here")),
        (of("A"), of("A")),
        ((0, len(SENTENCE)), (0, len(SENTENCE))),  # a whole sentence was counted in characters
        ((3, 5), (3, 5)),  # no words by the old count: nobody knows what this was
        ((units(of("cafe")[0]), units(of("cafe")[1])), of("cafe")),  # marks did not belong to words then
    ],
)
def test_spans_are_converted_only_where_it_is_certain_what_they_are(
    judged: Workplace, before: tuple[int, int], after: tuple[int, int]
) -> None:
    engine = judged.repository.database.engine
    downgrade(engine, BEFORE)
    stored(judged, before)
    migrate(engine)
    assert stored(judged) == after


@given(st.text(alphabet=st.sampled_from("aé\u0301🐕👩\u200d🚀𝒜 ,’-ß7हि"), max_size=30))
def test_every_word_by_the_old_count_is_the_same_word_by_the_new_one(sentence: str) -> None:
    encoded = sentence.encode("utf-16-le")
    for start, end in MIGRATION._words_in_units(sentence):
        old = encoded[2 * start : 2 * end].decode("utf-16-le")
        first, last = MIGRATION._characters(sentence, start), MIGRATION._characters(sentence, end)
        assert sentence[first:last] == old
        assert (MIGRATION._units(sentence, first), MIGRATION._units(sentence, last)) == (start, end)

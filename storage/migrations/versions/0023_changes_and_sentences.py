"""Store who changed settings last, decisions about sentences, and marked words in characters.

Until now the rating page counted marked words in UTF-16 units, in which an emoji counts twice, but a whole sentence in
characters. A span is converted where it begins and ends with words by the old count: nothing but the page wrote spans.
Any other span stays as it is. The log of events keeps what was sent.
"""

import unicodedata
from collections.abc import Callable, Iterator

import sqlalchemy as sa
from alembic import op

revision = "0023"
down_revision = "0022"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "study_changes",
        sa.Column("study_id", sa.Integer(), nullable=False),
        sa.Column("part", sa.String(), nullable=False),
        *_change(),
        sa.CheckConstraint("part IN ('course', 'entry', 'watch')", name=op.f("ck_study_changes_part")),
        sa.ForeignKeyConstraint(["study_id"], ["studies.id"], name=op.f("fk_study_changes_study_id")),
        sa.PrimaryKeyConstraint("study_id", "part", name=op.f("pk_study_changes")),
    )
    op.create_table(
        "account_changes",
        sa.Column("account_id", sa.Integer(), nullable=False),
        *_change(),
        sa.ForeignKeyConstraint(["account_id"], ["accounts.id"], name=op.f("fk_account_changes_account_id")),
        sa.PrimaryKeyConstraint("account_id", name=op.f("pk_account_changes")),
    )
    op.create_table(
        "sentence_adjudications",
        sa.Column("id", sa.Integer(), nullable=False),
        *(sa.Column(name, sa.Integer(), nullable=False) for name in ("study_id", "item_id", "score_id", "number")),
        sa.Column("verdict", sa.String(), nullable=False),
        *(sa.Column(name, sa.String(), nullable=True) for name in ("kind", "severity")),
        *(sa.Column(name, sa.String(), nullable=False) for name in ("reason", "words", "adjudicator")),
        sa.Column("at", sa.DateTime(), nullable=False),
        *(sa.CheckConstraint(rule, name=op.f(f"ck_sentence_adjudications_{name}")) for name, rule in _RULES.items()),
        sa.ForeignKeyConstraint(
            ["item_id", "score_id", "number"],
            ["item_sentences.item_id", "item_sentences.score_id", "item_sentences.number"],
            name=op.f("fk_sentence_adjudications_item_id_score_id_number"),
        ),
        sa.ForeignKeyConstraint(
            ["study_id", "item_id"],
            ["items.study_id", "items.id"],
            name=op.f("fk_sentence_adjudications_study_id_item_id"),
        ),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_sentence_adjudications")),
    )
    _convert(_words_in_units, _characters)
    op.create_index(
        op.f("ix_sentence_adjudications_study_id_item_id"), "sentence_adjudications", ["study_id", "item_id"]
    )


def downgrade() -> None:
    _convert(_words_in_characters, _units)
    for table in ("sentence_adjudications", "account_changes", "study_changes"):
        op.drop_table(table)


def _change() -> tuple[sa.Column[object], ...]:
    return (
        sa.Column("stamp", sa.String(), nullable=False),
        sa.Column("changed_by", sa.String(), nullable=False),
        sa.Column("changed_at", sa.DateTime(), nullable=False),
    )


_RULES = {
    "verdict": "verdict IN ('right', 'wrong', 'unclear', 'beside')",
    "kind": "kind IN ('object', 'attribute', 'number', 'spatial_relation', 'text', 'named_entity')",
    "severity": "severity IN ('minor', 'major')",
    "wrong": "(verdict = 'wrong') = (kind IS NOT NULL) AND (verdict = 'wrong') = (severity IS NOT NULL)",
    "reason": "reason IN ('ambiguous', 'guideline', 'careless', 'subjective')",
    "adjudicator": "length(adjudicator) > 0",
}


Spans = Iterator[tuple[int, int]]
_HELD = """
    SELECT j.item_id, j.score_id, j.rater_id, j.number, j.start AS first, j."end" AS last, s.text
    FROM sentence_judgements j JOIN item_sentences s
    ON s.item_id = j.item_id AND s.score_id = j.score_id AND s.number = j.number WHERE j.start IS NOT NULL
"""
_SET = """
    UPDATE sentence_judgements SET start = :first, "end" = :last
    WHERE item_id = :item_id AND score_id = :score_id AND rater_id = :rater_id AND number = :number
"""


def _convert(words: Callable[[str], Spans], converted: Callable[[str, int], int]) -> None:
    """Count anew the spans of sentences with characters of two UTF-16 units. words: by the old count."""
    for row in op.get_bind().execute(sa.text(_HELD)).mappings().all():
        text = row["text"]
        if _units(text, len(text)) == len(text) or (row["first"], row["last"]) == (0, len(text)):
            continue  # nothing to convert, or a whole sentence
        starts, ends = zip(*found, strict=True) if (found := list(words(text))) else ((), ())
        if row["first"] in starts and row["last"] in ends:
            new = {"first": converted(text, row["first"]), "last": converted(text, row["last"])}
            op.get_bind().execute(sa.text(_SET), {**row, **new})


def _words_in_characters(text: str) -> Spans:
    """Yield where the words of a text begin and end: letters and digits, then also apostrophes and hyphens."""
    start = None
    for at, letter in enumerate(f"{text} "):
        is_letter = unicodedata.category(letter)[0] in "LN"
        if start is None and is_letter:
            start = at
        elif start is not None and not is_letter and letter not in "'’-":
            yield start, at
            start = None


def _words_in_units(text: str) -> Spans:
    for start, end in _words_in_characters(text):
        yield _units(text, start), _units(text, end)


def _units(text: str, characters: int) -> int:
    """Return how many UTF-16 units the first characters of a text take."""
    return len(text[:characters].encode("utf-16-le", "surrogatepass")) // 2


def _characters(text: str, units: int) -> int:
    """Return how many characters the first UTF-16 units of a text hold."""
    return len(text.encode("utf-16-le", "surrogatepass")[: 2 * units].decode("utf-16-le", "surrogatepass"))

"""Keep how many samples, pictures and scores each data set has, and find samples by index.

Triggers count with every statement that writes, so that no writer has to, and the counts are those of its transaction.
SQLite runs a trigger for each row, PostgreSQL one for each statement: there a transaction that changes one row many
times becomes slow. On SQLite triggers also keep the letters of captions, keys and pictures' names for searches.
"""

from collections.abc import Iterator
from dataclasses import dataclass

import sqlalchemy as sa
from alembic import op

revision = "0030"
down_revision = "0028"
branch_labels = None
depends_on = None

SQLITE_UNANIMOUS = """json_array_length({row}.judgements) > 1
    AND (SELECT count(DISTINCT value) FROM json_each({row}.judgements)) = 1"""
POSTGRESQL_UNANIMOUS = """json_array_length({row}.judgements) > 1
    AND (SELECT count(DISTINCT value::float8) FROM json_array_elements_text({row}.judgements)) = 1"""
ADD = """INSERT INTO dataset_counts (dataset_id, counted, metric, number) {rows}
ON CONFLICT (dataset_id, counted, metric) DO UPDATE SET number = dataset_counts.number + excluded.number"""


@dataclass(frozen=True, slots=True)
class Rule:
    """Rows of a table that count."""

    table: str
    counted: str
    where: str  # of a row that counts; {row} is its name
    dataset: str = "{row}.dataset_id"
    metric: str = "''"
    columns: str = ""  # a change of them can change whether a row counts


OF_SAMPLE = "(SELECT dataset_id FROM samples WHERE id = {row}.sample_id)"
OF_IMAGE = "(SELECT dataset_id FROM images WHERE id = {row}.image_id)"


def rules(is_sqlite: bool) -> tuple[Rule, ...]:
    unanimous = SQLITE_UNANIMOUS if is_sqlite else POSTGRESQL_UNANIMOUS
    of_score = (OF_SAMPLE, "{row}.metric", "value, explained, metric")
    return (
        Rule("images", "found", "{row}.path IS NOT NULL", columns="path"),
        Rule("images", "missing", "{row}.path IS NULL", columns="path"),
        Rule("samples", "samples", "0 = 0"),
        Rule("samples", "unanimous", unanimous, columns="judgements"),
        Rule("scores", "scores", "{row}.value IS NOT NULL", *of_score),
        Rule("scores", "errors", "{row}.value IS NULL", *of_score),
        Rule("scores", "explained", "{row}.explained", *of_score),
    )


def upgrade() -> None:
    op.create_table(
        "dataset_counts",
        sa.Column("dataset_id", sa.Integer(), nullable=False),
        sa.Column("counted", sa.String(), nullable=False),
        sa.Column("metric", sa.String(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(
            ["dataset_id"], ["datasets.id"], name="fk_dataset_counts_dataset_id", ondelete="CASCADE"
        ),
        sa.PrimaryKeyConstraint("dataset_id", "counted", "metric", name="pk_dataset_counts"),
        sqlite_with_rowid=False,
    )
    is_sqlite = op.get_bind().dialect.name == "sqlite"
    for rule in rules(is_sqlite):
        op.execute(ADD.format(rows=_rows(rule, rule.table, "1", "GROUP BY 1, 2, 3")))
    op.execute(ADD.format(rows=_ANNOTATED.format(where="", number="count(DISTINCT image_id)")))
    op.execute(ADD.format(rows=_JUDGED.format(source="scores")))
    for statement in _sqlite_triggers() if is_sqlite else _postgresql_triggers():
        op.execute(statement)
    op.create_index("ix_samples_dataset_id_id", "samples", ["dataset_id", "id"])
    op.create_index("ix_scores_metric_value_sample_id", "scores", ["metric", "value", "sample_id"])
    if is_sqlite:
        for statement in _TEXTS:
            op.execute(statement)


def _rows(rule: Rule, source: str, change: str, more: str = "") -> str:
    dataset, metric, where = (part.format(row="one") for part in (rule.dataset, rule.metric, rule.where))
    number = f"sum({change})" if more else change
    having = " HAVING count(*) > 0" if more else ""
    return f"SELECT {dataset}, '{rule.counted}', {metric}, {number} FROM {source} AS one WHERE {where} {more}{having}"


_ANNOTATED = """SELECT dataset_id, 'annotated', '', {number} FROM images JOIN annotations ON image_id = images.id
WHERE 0 = 0 {where} GROUP BY dataset_id"""


# samples with an outcome of a metric: its rows may have several signatures
_JUDGED = """SELECT dataset_id, 'judged', metric, count(DISTINCT sample_id) FROM {source} AS one
JOIN samples ON samples.id = one.sample_id GROUP BY dataset_id, metric"""
_OLD, _NEW = (
    f"{row}.id, {row}.candidate, {row}.key, (SELECT name FROM images WHERE id = {row}.image_id)"
    for row in ("OLD", "NEW")
)
_OF_IMAGE = "samples.id, candidate, key, {row}.name FROM samples WHERE image_id = {row}.id"
_INTO = "INSERT INTO sample_texts (rowid, candidate, key, image)"
_OUT_OF = "INSERT INTO sample_texts (sample_texts, rowid, candidate, key, image)"
_TEXTS = (
    # three letters at a time, in any case; the texts themselves stay where they are
    "CREATE VIRTUAL TABLE sample_texts USING fts5 (candidate, key, image, content = '', tokenize = 'trigram')",
    f"{_INTO} SELECT samples.id, candidate, key, name FROM samples JOIN images ON images.id = image_id",
    f"CREATE TRIGGER text_insert AFTER INSERT ON samples BEGIN {_INTO} VALUES ({_NEW}); END",
    f"CREATE TRIGGER text_delete AFTER DELETE ON samples BEGIN {_OUT_OF} VALUES ('delete', {_OLD}); END",
    f"""CREATE TRIGGER text_update AFTER UPDATE OF candidate, key, image_id ON samples
BEGIN {_OUT_OF} VALUES ('delete', {_OLD}); {_INTO} VALUES ({_NEW}); END""",
    f"""CREATE TRIGGER text_rename AFTER UPDATE OF name ON images
BEGIN {_OUT_OF} SELECT 'delete', {_OF_IMAGE.format(row="OLD")}; {_INTO} SELECT {_OF_IMAGE.format(row="NEW")}; END""",
)


def _sqlite_triggers() -> Iterator[str]:
    for rule in rules(True):
        for event, row, number in (("INSERT", "NEW", 1), ("DELETE", "OLD", -1)):
            yield _sqlite_trigger(rule, event, row, number, rule.where.format(row=row))
        if rule.columns:
            changed = " OR ".join(f"OLD.{name} IS NOT NEW.{name}" for name in rule.columns.split(", "))
            for row, number in (("OLD", -1), ("NEW", 1)):
                condition = f"({changed}) AND {rule.where.format(row=row)}"
                yield _sqlite_trigger(rule, f"UPDATE OF {rule.columns}", row, number, condition)
    of_score = "FROM scores WHERE metric = {row}.metric AND sample_id = {row}.sample_id"
    for rule, others in (
        (Rule("annotations", "annotated", "", OF_IMAGE), "FROM annotations WHERE image_id = {row}.image_id"),
        (Rule("scores", "judged", "", OF_SAMPLE, "{row}.metric"), of_score),
    ):  # only the first row and the last one count
        for event, row, number, condition in (
            ("INSERT", "NEW", 1, f"(SELECT count(*) FROM (SELECT 1 {others} LIMIT 2)) = 1"),
            ("DELETE", "OLD", -1, f"NOT EXISTS (SELECT 1 {others})"),
        ):
            yield _sqlite_trigger(rule, event, row, number, condition.format(row=row))


def _sqlite_trigger(rule: Rule, event: str, row: str, number: int, condition: str) -> str:
    dataset, metric = rule.dataset.format(row=row), rule.metric.format(row=row)
    name = f"count_{rule.counted}_{event.partition(' ')[0].lower()}_{row.lower()}"
    values = f"VALUES ({dataset}, '{rule.counted}', {metric}, {number})"
    return f"CREATE TRIGGER {name} AFTER {event} ON {rule.table} WHEN {condition} BEGIN {ADD.format(rows=values)}; END"


def _postgresql_triggers() -> Iterator[str]:
    for table in ("images", "samples", "scores"):
        of_table = [rule for rule in rules(False) if rule.table == table]
        sources = {"added": 1, "removed": -1}
        for event, named in (("INSERT", ["added"]), ("DELETE", ["removed"]), ("UPDATE", ["added", "removed"])):
            changes = " UNION ALL ".join(
                _rows(rule, source, str(sources[source])) for rule in of_table for source in named
            )
            rows = f"SELECT dataset_id, counted, metric, sum(number) FROM ({changes}) "
            rows += "AS changes (dataset_id, counted, metric, number) GROUP BY 1, 2, 3 HAVING sum(number) <> 0"
            yield from _postgresql_trigger(table, event, named, rows)
    for table, rows_of in (("annotations", _annotated_rows), ("scores", _judged_rows)):
        for event, source, sign in (("INSERT", "added", ""), ("DELETE", "removed", "-")):
            yield from _postgresql_trigger(table, event, [source], rows_of(source, sign), "first_")


def _annotated_rows(source: str, sign: str) -> str:
    there = "(SELECT count(*) FROM annotations WHERE image_id = changed.image_id)"
    return f"""SELECT dataset_id, 'annotated', '', {sign}count(*)
FROM (SELECT image_id, count(*) AS number FROM {source} GROUP BY image_id) AS changed
JOIN images ON images.id = changed.image_id WHERE {there} = {"0" if sign else "changed.number"} GROUP BY dataset_id"""


def _judged_rows(source: str, sign: str) -> str:
    there = "(SELECT count(*) FROM scores WHERE metric = changed.metric AND sample_id = changed.sample_id)"
    return f"""SELECT dataset_id, 'judged', metric, {sign}count(*)
FROM (SELECT sample_id, metric, count(*) AS number FROM {source} GROUP BY sample_id, metric) AS changed
JOIN samples ON samples.id = changed.sample_id WHERE {there} = {"0" if sign else "changed.number"}
GROUP BY dataset_id, metric"""


def _postgresql_trigger(table: str, event: str, named: list[str], rows: str, what: str = "") -> Iterator[str]:
    name = f"count_{what}{table}_{event.lower()}"
    referencing = " ".join(f"{'NEW' if one == 'added' else 'OLD'} TABLE AS {one}" for one in named)
    body = f"BEGIN {ADD.format(rows=rows)}; RETURN NULL; END"
    yield f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$"
    yield (
        f"CREATE TRIGGER {name} AFTER {event} ON {table} REFERENCING {referencing} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {name}()"
    )


def downgrade() -> None:
    op.drop_index("ix_scores_metric_value_sample_id", "scores")
    op.drop_index("ix_samples_dataset_id_id", "samples")
    if op.get_bind().dialect.name == "sqlite":
        for statement in _sqlite_triggers():
            op.execute(f"DROP TRIGGER {statement.split()[2]}")
        for name in ("insert", "delete", "update", "rename"):
            op.execute(f"DROP TRIGGER text_{name}")
        op.execute("DROP TABLE sample_texts")
    else:
        for statement in _postgresql_triggers():
            if statement.startswith("CREATE FUNCTION"):
                op.execute(f"DROP FUNCTION {statement.split()[2]} CASCADE")
    op.drop_table("dataset_counts")

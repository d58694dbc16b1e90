"""Keep how many samples, pictures and scores each data set has.

Triggers count with every statement that writes, so that no writer has to, and the counts are those of its transaction.
SQLite runs a trigger for each row, PostgreSQL one for each statement: there a transaction that changes one row many
times becomes slow.
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
    for statement in _sqlite_triggers() if is_sqlite else _postgresql_triggers():
        op.execute(statement)


def _rows(rule: Rule, source: str, change: str, more: str = "") -> str:
    dataset, metric, where = (part.format(row="one") for part in (rule.dataset, rule.metric, rule.where))
    number = f"sum({change})" if more else change
    having = " HAVING count(*) > 0" if more else ""
    return f"SELECT {dataset}, '{rule.counted}', {metric}, {number} FROM {source} AS one WHERE {where} {more}{having}"


_ANNOTATED = """SELECT dataset_id, 'annotated', '', {number} FROM images JOIN annotations ON image_id = images.id
WHERE 0 = 0 {where} GROUP BY dataset_id"""


def _sqlite_triggers() -> Iterator[str]:
    for rule in rules(True):
        for event, row, number in (("INSERT", "NEW", 1), ("DELETE", "OLD", -1)):
            yield _sqlite_trigger(rule, event, row, number, rule.where.format(row=row))
        if rule.columns:
            changed = " OR ".join(f"OLD.{name} IS NOT NEW.{name}" for name in rule.columns.split(", "))
            for row, number in (("OLD", -1), ("NEW", 1)):
                condition = f"({changed}) AND {rule.where.format(row=row)}"
                yield _sqlite_trigger(rule, f"UPDATE OF {rule.columns}", row, number, condition)
    others = "FROM annotations WHERE image_id = {row}.image_id"
    for event, row, number, condition in (
        ("INSERT", "NEW", 1, f"(SELECT count(*) FROM (SELECT 1 {others} LIMIT 2)) = 1"),
        ("DELETE", "OLD", -1, f"NOT EXISTS (SELECT 1 {others})"),
    ):
        rule = Rule("annotations", "annotated", "", OF_IMAGE)
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
    by_image = "SELECT image_id, count(*) AS number FROM {source} GROUP BY image_id"
    there = "(SELECT count(*) FROM annotations WHERE image_id = changed.image_id)"
    for event, source, change, same in (
        ("INSERT", "added", "count(*)", f"{there} = changed.number"),
        ("DELETE", "removed", "-count(*)", f"{there} = 0"),
    ):
        rows = f"SELECT dataset_id, 'annotated', '', {change} FROM ({by_image.format(source=source)}) AS changed "
        rows += f"JOIN images ON images.id = changed.image_id WHERE {same} GROUP BY dataset_id"
        yield from _postgresql_trigger("annotations", event, [source], rows)


def _postgresql_trigger(table: str, event: str, named: list[str], rows: str) -> Iterator[str]:
    name = f"count_{table}_{event.lower()}"
    referencing = " ".join(f"{'NEW' if one == 'added' else 'OLD'} TABLE AS {one}" for one in named)
    body = f"BEGIN {ADD.format(rows=rows)}; RETURN NULL; END"
    yield f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$"
    yield (
        f"CREATE TRIGGER {name} AFTER {event} ON {table} REFERENCING {referencing} "
        f"FOR EACH STATEMENT EXECUTE FUNCTION {name}()"
    )


def downgrade() -> None:
    if op.get_bind().dialect.name == "sqlite":
        for statement in _sqlite_triggers():
            op.execute(f"DROP TRIGGER {statement.split()[2]}")
    else:
        for statement in _postgresql_triggers():
            if statement.startswith("CREATE FUNCTION"):
                op.execute(f"DROP FUNCTION {statement.split()[2]} CASCADE")
    op.drop_table("dataset_counts")

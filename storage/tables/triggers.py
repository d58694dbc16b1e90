"""Define the database's triggers, which SQLite and PostgreSQL get together with the tables.

The triggers protect rows that can only be added, and keep counts that are slow to compute: of a data set's rows, and of
the raters who have an item.
"""

from collections.abc import Iterator

from sqlalchemy import Connection, event

from storage.tables.base import Table

_ERASING = (  # an erasure of the event's rater or study runs
    "EXISTS (SELECT 1 FROM erasures WHERE open AND (rater_id = OLD.rater_id OR study = "
    "(SELECT study_id FROM assignments WHERE assignments.id = OLD.assignment_id)))"
)
_ADDED_ONLY = {
    "events": "events can only be added",
    "audit": "the log can only be added to",
    "erasures": "an erasure stays in the log",
}
_PERMITTED = {  # condition under which rows of a table can be changed or deleted
    ("events", "DELETE"): _ERASING,
    ("erasures", "UPDATE"): "OLD.open",
}
_ADD = """INSERT INTO dataset_counts (dataset_id, counted, metric, number)
VALUES ({dataset}, '{counted}', {metric}, {by})
ON CONFLICT (dataset_id, counted, metric) DO UPDATE SET number = dataset_counts.number + excluded.number"""
_OF_SAMPLE = "(SELECT dataset_id FROM samples WHERE id = {row}.sample_id)"
# Rows that count: (table, name of the count, condition, data set, metric, columns whose change can change the count).
_COUNTED = (
    ("images", "found", "{row}.path IS NOT NULL", "{row}.dataset_id", "''", "path"),
    ("images", "missing", "{row}.path IS NULL", "{row}.dataset_id", "''", "path"),
    ("images", "annotated", "{row}.regions > 0", "{row}.dataset_id", "''", "regions"),
    ("samples", "samples", "0 = 0", "{row}.dataset_id", "''", ""),
    ("scores", "scores", "{row}.value IS NOT NULL", _OF_SAMPLE, "{row}.metric", "value, metric"),
    ("scores", "errors", "{row}.value IS NULL", _OF_SAMPLE, "{row}.metric", "value, metric"),
    ("scores", "explained", "{row}.explained", _OF_SAMPLE, "{row}.metric", "explained, metric"),
)
# An item's raters are counted again after every change, so that no order of changes can make the count wrong. The count
# excludes released assignments and excluded raters. A count below 0 belongs to a bulk copy, which counts later.
_RECOUNT = """UPDATE items SET takers = f.takers
FROM (SELECT i.id, (SELECT count(*) FROM assignments a
    LEFT JOIN exclusions e ON e.study_id = a.study_id AND e.rater_id = a.rater_id
    WHERE a.item_id = i.id AND a.released_at IS NULL AND e.at IS NULL) AS takers
  FROM items i JOIN studies s ON s.id = i.study_id
  WHERE s.raters_per_item IS NOT NULL AND i.place >= 0 AND i.takers >= 0 AND i.id IN ({items})) AS f
WHERE items.id = f.id AND items.takers <> f.takers"""
_IS_COUNTED = "(SELECT takers FROM items WHERE id = {row}.item_id) >= 0"
_ITEMS_OF_RATER = "SELECT item_id FROM assignments WHERE study_id = {row}.study_id AND rater_id = {row}.rater_id"
_TAKEN = (
    ("assignments", "INSERT", "NEW", _IS_COUNTED, "{row}.item_id"),
    (
        "assignments",
        "UPDATE OF released_at",
        "NEW",
        "(OLD.released_at IS NULL) <> (NEW.released_at IS NULL)",
        "{row}.item_id",
    ),
    ("assignments", "DELETE", "OLD", _IS_COUNTED, "{row}.item_id"),
    ("exclusions", "INSERT", "NEW", "0 = 0", _ITEMS_OF_RATER),
    ("exclusions", "DELETE", "OLD", "0 = 0", _ITEMS_OF_RATER),
)


def triggers(dialect: str) -> Iterator[str]:
    """Yield the statements that make all triggers of a dialect."""
    for table, message in _ADDED_ONLY.items():
        for verb in ("UPDATE", "DELETE"):
            permitted = _PERMITTED.get((table, verb), "false")
            yield from _trigger(dialect, table, f"BEFORE {verb}", f"NOT ({permitted})", _refuse(dialect, message))
    if dialect == "sqlite":  # here INSERT OR REPLACE removes rows without a DELETE
        for table, message in _ADDED_ONLY.items():
            same = "id = NEW.id"
            if table == "events":
                same = "id = NEW.id OR (rater_id = NEW.rater_id AND request_key = NEW.request_key)"
            exists = f"EXISTS (SELECT 1 FROM {table} WHERE {same})"
            yield from _trigger(dialect, table, "BEFORE INSERT", exists, _refuse(dialect, message))
    for table, counted, where, dataset, metric, columns in _COUNTED:
        changed = " OR ".join(f"{_differs(dialect, name)}" for name in columns.split(", ") if name)
        for verb, row, by in (("INSERT", "NEW", 1), ("DELETE", "OLD", -1), ("UPDATE", "OLD", -1), ("UPDATE", "NEW", 1)):
            if verb != "UPDATE" or columns:
                event_ = f"AFTER UPDATE OF {columns}" if verb == "UPDATE" else f"AFTER {verb}"
                condition = f"({changed}) AND {where}" if verb == "UPDATE" else where
                add = _ADD.format(dataset=dataset, counted=counted, metric=metric, by=by)
                yield from _trigger(dialect, table, event_, condition, add, row, f"{counted}_{row.lower()}")
    for verb, row, change in (("INSERT", "NEW", "+ 1"), ("DELETE", "OLD", "- 1")):
        add = f"UPDATE images SET regions = regions {change} WHERE id = {row}.image_id"
        yield from _trigger(dialect, "annotations", f"AFTER {verb}", "0 = 0", add, row)
    for table, verb, row, condition, items in _TAKEN:
        yield from _trigger(dialect, table, f"AFTER {verb}", condition, _RECOUNT.format(items=items), row, "takers")
    if dialect == "postgresql":  # its sequences do not notice rows that imports number themselves
        for table in ("images", "samples", "scores", "items"):
            count_on = f"PERFORM setval('{table}_id_seq', max(id)) FROM {table}"
            yield from _trigger(dialect, table, "AFTER INSERT", "0 = 0", count_on, "", "number", each="STATEMENT")


def _trigger(
    dialect: str, table: str, when: str, condition: str, action: str, row: str = "", what: str = "", each: str = "ROW"
) -> Iterator[str]:
    name = "_".join(part for part in (table, what, *when.lower().split()[:2]) if part)
    condition, action = condition.replace("{row}", row), action.replace("{row}", row)
    if dialect == "sqlite":
        yield f"CREATE TRIGGER {name} {when} ON {table} WHEN {condition} BEGIN {action}; END"
        return
    body = f"BEGIN IF {condition} THEN {action}; END IF; RETURN coalesce(NEW, OLD); END"
    yield f"CREATE FUNCTION {name}() RETURNS trigger LANGUAGE plpgsql AS $$ {body} $$"
    yield f"CREATE TRIGGER {name} {when} ON {table} FOR EACH {each} EXECUTE FUNCTION {name}()"


def _refuse(dialect: str, message: str) -> str:
    if dialect == "sqlite":
        return f"SELECT RAISE(ABORT, '{message}')"
    return f"RAISE EXCEPTION '{message}' USING ERRCODE = 'integrity_constraint_violation'"


def _differs(dialect: str, column: str) -> str:
    return f"OLD.{column} IS {'NOT' if dialect == 'sqlite' else 'DISTINCT FROM'} NEW.{column}"


def _make(_table: object, connection: Connection, **_: object) -> None:
    for statement in triggers(connection.dialect.name):
        connection.exec_driver_sql(statement)


event.listen(Table.metadata, "after_create", _make)

"""Check the rows of a bundle beyond the constraints of the tables.

Bundles may come from unknown people, but pages trust stored rows. So rows that would break a page are refused here,
with a message.
"""

from collections import defaultdict
from datetime import datetime
from pathlib import Path

from sqlalchemy import Connection, Engine, func, select
from sqlalchemy import Table as SqlTable

from core.analysis.codebooks import CODEBOOKS, codebook_of
from core.captions.shared_words_json import lies_within
from core.errors import BadFile, CapscopeError
from core.regions.masks import run_lengths
from core.studies.asking.form import Form
from core.studies.asking.form_file import read_form
from core.studies.asking.shipped_forms import form_named
from storage import tables
from storage.rating.assignment.assignment_rules import SCHEDULE_COLUMNS, schedule_of
from storage.transfer.bundle_columns import MOST_PANELS, check_value

_PAGES_NEED = "the study's pages cannot show this content"


def check_bundle(engine: Engine, wanted: list[SqlTable], source: Path, now: datetime) -> None:
    """Check every row of a bundle that was read into a database.

    wanted: the tables that a bundle contains. source: the bundle's file. Raises BadFile, whose message names the wrong
    row.
    """
    with engine.connect() as connection:
        for table in wanted:
            names = [str(column) for column in table.columns]
            for number, row in enumerate(connection.execute(select(table)), 1):
                for name, value in zip(names, row, strict=True):
                    try:
                        check_value(value, name, now)
                    except ValueError as error:
                        raise BadFile(source, f"{name}, row {number}: {error}") from error
        for check in (_masks, _spans, _form, _course, _places, _shown, _panels, _codes, _expected):
            try:
                check(connection)
            except (CapscopeError, LookupError, TypeError, ValueError, AttributeError, RecursionError) as error:
                raise BadFile(source, f"{str(error)[:200]}; {_PAGES_NEED}") from error


def _masks(connection: Connection) -> None:
    """Check that every mask has the size of its picture."""
    columns = (tables.AnnotationRow.rle, tables.AnnotationRow.height, tables.AnnotationRow.width)
    for rle, height, width in connection.execute(select(*columns)):
        run_lengths(rle, (height, width))
    for regions in connection.scalars(select(tables.ScoreRow.regions)):
        for rle, height, width, *_ in regions:
            run_lengths(rle, (height, width))


def _spans(connection: Connection) -> None:
    """Check the phrases, matches and regions of each score.

    Phrases must lie within the caption, and matches within the caption and its reference captions. The regions that
    phrases name must exist, and so must the phrases that regions name.
    """
    score, sample = tables.ScoreRow, tables.SampleRow
    columns = (score.id, score.phrases, score.regions, sample.candidate, sample.references)
    query = select(*columns).join(sample, sample.id == score.sample_id)
    for number, said, regions, caption, references in connection.execute(query):
        phrases = [one for one in said if isinstance(one, list)]
        if not all(lies_within(one, caption, references) for one in said if isinstance(one, dict)):
            raise ValueError(f"score {number} has a match whose position is outside the caption or the references")
        for _, start, end, _, region, *later in phrases:
            spans = [(start, end), *((a, b) for _, a, b, _ in (later[1] if len(later) > 1 else ()))]
            if not all(a <= b <= len(caption) for a, b in spans) or (region is not None and region >= len(regions)):
                raise ValueError(f"score {number} has a phrase outside its caption, or with a missing region")
        if any(region[6] is not None and region[6] >= len(phrases) for region in regions):
            raise ValueError(f"score {number} has a region whose phrase does not exist")


def _form(connection: Connection) -> None:
    """Check that the study's form (its questions) fits its rows.

    The rows must name this form. The form must have all criteria that raters of the study were asked about, with the
    same points.
    """
    form = _form_of(connection)
    study = connection.execute(select(tables.StudyRow.form)).one()
    stored = connection.execute(select(tables.StudyFormRow.key, tables.StudyFormRow.sha256)).first()
    if form.layout != study.form or (stored is not None and tuple(stored) != (form.key, form.sha256)):
        raise ValueError("the form in the bundle is not the form that the study uses")
    bounds = {criterion.key: criterion.bounds for criterion in form.criteria}
    of = tables.StudyCriterionRow
    asked = {key: (low, high) for key, low, high in connection.execute(select(of.criterion, of.lowest, of.highest))}
    if any(bounds.get(key) != points for key, points in asked.items()):
        raise ValueError("the study uses a criterion, or points of a criterion, that its form does not have")
    if not asked:
        raise ValueError("the study has no criterion")


def _form_of(connection: Connection) -> Form:
    text = connection.scalar(select(tables.StudyFormRow.text))
    return (
        form_named(connection.scalars(select(tables.StudyRow.form)).one())
        if text is None
        else read_form(text, is_new=False)
    )


def _course(connection: Connection) -> None:
    schedule_of(connection.execute(select(*SCHEDULE_COLUMNS)).one())  # raises BadSetting


def _places(connection: Connection) -> None:
    """Check that the study's items have consecutive places from 0.

    Control items are not checked here, because their places are negative. The number of items is computed from the last
    place.
    """
    own = tables.ItemRow.place >= 0
    last = connection.scalar(select(func.max(tables.ItemRow.place)).where(own))
    number = connection.scalar(select(func.count()).where(own)) or 0
    if last is not None and last != number - 1:
        raise ValueError(
            f"the study has {number} items, so the last item must have the position {number - 1}, found {last}"
        )


def _shown(connection: Connection) -> None:
    """Check that every item shows what the form asks raters to rate.

    An item shows either explained scores of its sample, or captions.
    """
    form, rated = _form_of(connection), tables.ItemScoreRow
    query = (
        select(tables.ItemRow.id, tables.ItemRow.place, rated.place.label("nth"), rated.score, rated.caption)
        .add_columns(tables.ScoreRow.value, tables.ScoreRow.explained, tables.ScoreRow.rationales)
        .add_columns(tables.ScoreRow.sample_id, tables.ItemRow.sample_id.label("sample"))
        .outerjoin(rated, rated.item_id == tables.ItemRow.id)
        .outerjoin(tables.ScoreRow, tables.ScoreRow.id == rated.score)
    )
    counts: dict[int, list[int]] = defaultdict(list)
    for row in connection.execute(query):
        counts[row.id].append(row.nth)
        own = row.sample_id == row.sample or row.place < 0  # control items may show an explanation of another sample
        is_explained = own and row.score is not None and row.value is not None and row.explained and row.rationales
        if not (row.caption is not None if form.rates == "caption" else is_explained):
            raise ValueError(f"item {row.id} shows neither an explained score of its sample nor a caption")
    controls = set(connection.scalars(select(tables.ControlRow.item_id)))
    below = set(connection.scalars(select(tables.ItemRow.id).where(tables.ItemRow.place < 0)))
    if controls != below:
        raise ValueError("control items must have negative positions, and other items must not")
    if not counts.keys() - below:
        raise ValueError("the study has no item")
    for item, places in counts.items():
        most = 2 if form.compares else 1 if form.layout == "single" else MOST_PANELS
        if sorted(places) != list(range(len(places))) or len(places) > most or (form.compares and len(places) != 2):
            raise ValueError(
                f"item {item} shows {len(places)} explanations or captions, but its form does not allow this number"
            )


def _panels(connection: Connection) -> None:
    """Check that each assignment shows each explanation of its item once."""
    shown: dict[int, set[int]] = defaultdict(set)
    for item, score in connection.execute(select(tables.ItemScoreRow.item_id, tables.ItemScoreRow.score_id)):
        shown[item].add(score)
    columns = (tables.AssignmentRow.item_id, tables.AssignmentRow.panels, tables.AssignmentRow.slot)
    for item, panels, slot in connection.execute(select(*columns)):
        if len(panels) != len(shown[item]) or set(panels) != shown[item] or slot < 0:
            raise ValueError(f"a rater's order of explanations of item {item} must contain each explanation once")


def _codes(connection: Connection) -> None:
    """Check the codebooks, and the error codes that coders gave.

    Each error code must be in the codebook that its row names.
    """
    keys_by_codebook: dict[str, set[str]] = {book.name: {code.key for code in book.codes} for book in CODEBOOKS}
    for name, source, codes in connection.execute(select(*tables.CodebookRow.__table__.columns)):
        if name in keys_by_codebook:
            raise ValueError(f"the codebook {name!r} has the same name as a codebook of a paper")
        codebook = {"name": name, "codes": [{"key": key, "label": label} for key, label in codes]}
        book = codebook_of(codebook | ({"source": source} if source else {}), Path("codebooks.jsonl"))
        keys_by_codebook[name] = {code.key for code in book.codes}
    for name, code, coder in connection.execute(
        select(tables.CodingRow.codebook, tables.CodingRow.code, tables.CodingRow.coder).distinct()
    ):
        if code not in keys_by_codebook.get(name, ()) or coder != " ".join(coder.split()):
            raise ValueError(
                f"the code {code[:40]!r} is not in the codebook {name[:40]!r}, or the name of the person who "
                "assigned this code is empty or has superfluous spaces"
            )


def _expected(connection: Connection) -> None:
    """Check the stored correct answers to control items.

    Each such answer must consist of points that the study's criteria allow.
    """
    of = tables.StudyCriterionRow
    bounds = {key: (low, high) for key, low, high in connection.execute(select(of.criterion, of.lowest, of.highest))}
    for item, expected in connection.execute(select(tables.ControlRow.item_id, tables.ControlRow.expected)):
        for key, (low, high) in expected.items():
            if key not in bounds or not bounds[key][0] <= low <= high <= bounds[key][1]:
                raise ValueError(f"control item {item} expects an answer to {key[:40]!r} that the study does not allow")

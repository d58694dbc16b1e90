"""Read a study's explanations of annotated pictures, with their sentences, captions and regions."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlalchemy import Connection, select

from core.types import ImageRegion
from storage.rating.content.overlays import places
from storage.tables import AnnotationRow, ImageRow, ItemRow, ItemSentenceRow, SampleRow, ScoreRow


@dataclass(frozen=True, slots=True)
class ExplainedSentence:
    """A sentence of an explanation in a study."""

    item: int  # number of the item, from 1
    metric: str
    signature: str
    number: int  # number of the sentence in the explanation, from 1
    text: str
    caption: str
    vocabulary: tuple[str, ...]  # labels that the picture's annotators looked for; empty: unknown


@dataclass(frozen=True, slots=True)
class Explained:
    """A study's explanations and the regions of their pictures."""

    sentences: tuple[ExplainedSentence, ...]  # only sentences of explanations of annotated pictures
    regions: Mapping[int, tuple[ImageRegion, ...]]  # key: item's number from 1; value: regions that raters could mark


def explained_sentences(connection: Connection, study_id: int) -> Iterator[ExplainedSentence]:
    """Yield sentences of explanations of annotated pictures.

    They are sorted by item, score and sentence.
    """
    sentence = ItemSentenceRow
    query = select((ItemRow.place + 1).label("item"), ScoreRow.metric, ScoreRow.signature)
    query = query.add_columns(sentence.number, sentence.text, SampleRow.candidate, ImageRow.vocabulary)
    query = query.join_from(sentence, ItemRow, ItemRow.id == sentence.item_id)
    query = query.join(ScoreRow, ScoreRow.id == sentence.score_id)
    query = query.join(SampleRow, SampleRow.id == ItemRow.sample_id).join(ImageRow, ImageRow.id == SampleRow.image_id)
    annotated = ImageRow.id.in_(select(AnnotationRow.image_id))
    query = query.where(ItemRow.study_id == study_id, ItemRow.place >= 0, annotated)
    for row in connection.execute(query.order_by(ItemRow.place, sentence.score_id, sentence.number)):
        values = (row.item, row.metric, row.signature, row.number, row.text, row.candidate)
        yield ExplainedSentence(*values, tuple(row.vocabulary))


def regions_of_items(connection: Connection, study_id: int) -> dict[int, tuple[ImageRegion, ...]]:
    """Return the regions that raters could mark in each item's picture.

    key: the item's number, counted from 1.
    """
    query = select(ItemRow.id, ItemRow.place).where(ItemRow.study_id == study_id, ItemRow.place >= 0)
    numbers = {row.id: row.place + 1 for row in connection.execute(query)}
    return {numbers[item]: regions for item, regions in places(connection, numbers.keys()).items()}

"""Store error codes: codebooks, and coders' codes of samples."""

from collections import defaultdict

from sqlalchemy import Connection, delete, insert, or_, select

from core.analysis.error_coding import CODEBOOKS, Code, Codebook, CodedSet, Coding
from core.errors import AlreadyExists, BadSetting, NotFound
from storage.data.datasets import find_dataset
from storage.engine.database import Operations, utc_now
from storage.tables import CodebookRow, CodingRow, SampleRow, ScoreRow

LONGEST_CODER = 100  # maximum characters of a coder's name, as for an account's name


class Codings(Operations):
    """Operations on error codes."""

    def codebooks(self) -> tuple[Codebook, ...]:
        """Return the codebooks of published papers, then the added codebooks, sorted by name."""
        with self._database.read() as connection:
            return _codebooks(connection)

    def add_codebook(self, book: Codebook) -> Codebook:
        """Store a codebook. Raises AlreadyExists if a different codebook has its name; an equal one is accepted."""
        with self._database.write() as connection:
            return _add_codebook(connection, book)

    def set(self, sample_id: int, metric: str, codebook: str, coder: str, code: str | None) -> str | None:
        """Set or remove a sample's code. Return the coder's previous code. Raises NotFound, BadSetting."""
        key = {"sample_id": sample_id, "metric": metric, "codebook": codebook, "coder": clean_coder(coder)}
        this = [getattr(CodingRow, name) == value for name, value in key.items()]
        with self._database.write() as connection:
            if code is not None:
                _codebook(connection, codebook).label(code)
            _check_scored(connection, sample_id, metric)
            before = connection.scalar(select(CodingRow.code).where(*this))
            connection.execute(delete(CodingRow).where(*this))
            if code is not None:
                connection.execute(insert(CodingRow).values(**key, code=code, coded_at=utc_now()))
            return before

    def coded(self, dataset: str, metric: str, codebook: str) -> CodedSet:
        """Return the error codes of a data set's samples for one metric and one codebook. Raises NotFound."""
        query = select(SampleRow.key, CodingRow.coder, CodingRow.code).join(SampleRow).order_by(CodingRow.coded_at)
        query = query.where(CodingRow.metric == metric, CodingRow.codebook == codebook)
        with self._database.read() as connection:
            rows = connection.execute(query.where(SampleRow.dataset_id == find_dataset(connection, dataset)))
            return CodedSet(_codebook(connection, codebook), tuple(Coding(*row) for row in rows))

    def used(self, dataset: str) -> tuple[str, ...]:
        """Return all codes that coders gave to samples of a data set, as "codebook/code". Raises NotFound."""
        return tuple(sorted({code for codes in self.by_sample(dataset).values() for code in codes}))

    def by_sample(self, dataset: str) -> dict[int, tuple[str, ...]]:
        """Return all codes that coders gave to each sample, for all metrics, as "codebook/code". Raises NotFound."""
        codes_of: dict[int, set[str]] = defaultdict(set)
        query = select(CodingRow.sample_id, CodingRow.codebook, CodingRow.code).join(SampleRow)
        with self._database.read() as connection:
            chosen = query.where(SampleRow.dataset_id == find_dataset(connection, dataset))
            for sample, book, code in connection.execute(chosen):
                codes_of[sample].add(f"{book}/{code}")
        return {sample: tuple(sorted(codes)) for sample, codes in codes_of.items()}


def clean_coder(name: str) -> str:
    """Return a coder's name in its stored form. Raises BadSetting."""
    bare = " ".join(name.split())
    if not 1 <= len(bare) <= LONGEST_CODER or not bare.isprintable():
        raise BadSetting(f"A coder's name must have 1 to {LONGEST_CODER} printable characters, found {name!r}.")
    return bare


def _codebooks(connection: Connection) -> tuple[Codebook, ...]:
    rows = connection.execute(select(*CodebookRow.__table__.columns).order_by(CodebookRow.name))
    own = (Codebook(row.name, row.source, tuple(Code(key, label) for key, label in row.codes)) for row in rows)
    return (*CODEBOOKS, *own)


def _codebook(connection: Connection, name: str) -> Codebook:
    books = {book.name: book for book in _codebooks(connection)}
    if name not in books:
        raise NotFound(f"There is no codebook {name!r}. Codebooks: {', '.join(books)}.")
    return books[name]


def _add_codebook(connection: Connection, book: Codebook) -> Codebook:
    codes = [[code.key, code.label] for code in book.codes]
    for stored in _codebooks(connection):
        if stored.name == book.name:
            if [[code.key, code.label] for code in stored.codes] != codes:
                raise AlreadyExists(f"Another codebook is already named {book.name!r}. Choose another name.")
            return stored
    connection.execute(insert(CodebookRow).values(name=book.name, source=book.source, codes=codes))
    return book


def _check_scored(connection: Connection, sample_id: int, metric: str) -> None:
    named = or_(ScoreRow.metric == metric, ScoreRow.signature == metric)
    if connection.scalar(select(ScoreRow.id).where(ScoreRow.sample_id == sample_id, named).limit(1)) is None:
        raise NotFound(f"Sample {sample_id} has no score of {metric}, so it has no error to code.")

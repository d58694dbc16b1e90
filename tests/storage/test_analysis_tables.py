from pathlib import Path

import pytest

from core.analysis.error_coding import Code, Codebook, CodedSet, Coding
from core.datasets.base import Record
from core.errors import AlreadyExists, BadData, BadSetting, NotFound
from core.types import ImageRef, Score
from storage import Repository, open_repository


@pytest.fixture
def repository(tmp_path: Path):  # type: ignore[no-untyped-def]
    opened = open_repository(tmp_path / "capscope.db")
    records = [
        Record(Path("f"), n, f"{n}.jpg", f"caption {n}", key=f"s{n}", human=0.0, scores=(Score("M", 0.5, "M"),))
        for n in range(3)
    ]
    opened.add_records("d", records, {r.image: ImageRef(r.image) for r in records}, pytest.fail)
    yield opened
    opened.close()


@pytest.mark.parametrize(
    ("sample", "metric", "codebook", "coder", "code", "error", "words"),
    [
        (9, "M", "expert", "Ann", "others", NotFound, "Sample 9 has no score of M"),
        (1, "N", "expert", "Ann", "others", NotFound, "no score of N"),
        (1, "M", "none", "Ann", "others", NotFound, "no codebook 'none'. Codebooks: expert, polos"),
        (1, "M", "expert", "Ann", "OCLD", NotFound, "has no code 'OCLD'"),
        (1, "M", "expert", " ", "others", BadSetting, "coder's name"),
    ],
)
def test_a_wrong_code_is_refused_in_words(  # type: ignore[no-untyped-def]
    repository: Repository, sample: int, metric: str, codebook: str, coder: str, code: str, error, words: str
) -> None:
    with pytest.raises(error, match=words):
        repository.codings.set(sample, metric, codebook, coder, code)


def test_an_own_codebook_is_kept_and_its_name_is_taken(repository: Repository) -> None:
    own = Codebook("mine", "me", (Code("a", "A"), Code("b", "B")))
    repository.codings.add_codebook(own)
    assert repository.codings.add_codebook(own) == own
    assert [book.name for book in repository.codings.codebooks()] == ["expert", "polos", "mine"]
    with pytest.raises(AlreadyExists, match="'mine'"):
        repository.codings.add_codebook(Codebook("mine", "me", (Code("a", "A"),)))


def test_a_coded_set_is_taken_in_whole_or_not_at_all(repository: Repository) -> None:
    book = Codebook("mine", "me", (Code("a", "A"), Code("b", "B")))
    first = CodedSet(book, (Coding("s0", "Ann", "a"), Coding("s1", "Ann", "b")))
    counts = repository.codings.take_in("d", "M", first)
    assert (counts.codings, counts.new, counts.changed) == (2, 2, 0)
    with pytest.raises(BadData, match="1 of the codes .* for example 'x'"):
        repository.codings.take_in("d", "M", CodedSet(book, (Coding("s0", "Ann", "b"), Coding("x", "Ann", "a"))))
    assert repository.codings.coded("d", "M", "mine").codings == first.codings
    again = repository.codings.take_in("d", "M", CodedSet(book, (Coding("s0", "Ann", "b"), Coding("s1", "Ann", "b"))))
    assert (again.codings, again.new, again.changed) == (2, 0, 1)

"""webdataset tar files, which Capscope reads but does not write.

Files in the tar file (its members) that have the same name apart from the extension form one sample. A sample is a
picture with a .json or .txt file. A tar file is untrusted, so members are read one after another and nothing is
unpacked. Names are never used as paths, and links and devices are skipped. A member that is too large is a bad row. The
tar file must not be compressed. Otherwise a few compressed bytes could expand to a file name of any length.
"""

import tarfile
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from core.datasets.base import Format, Record, Source
from core.datasets.files import parsed_json
from core.datasets.huggingface import FIELDS
from core.datasets.own_form import record_of
from core.datasets.parquet import LARGEST_PICTURE
from core.datasets.pictures import PICTURE_SUFFIXES
from core.datasets.rows import Row, records_of
from core.errors import BadFile, BadRow

LARGEST_TEXT = 1_000_000  # maximum bytes of a .json or .txt file
TEXTS = (".json", ".txt")


@dataclass(slots=True)
class Member:
    """One sample: the files of a tar file whose names differ only in their extensions."""

    name: str  # without ending
    number: int  # position of the sample in the tar, from 1
    texts: dict[str, str] = field(default_factory=dict)  # by ending
    image: str | None = None
    problem: BadRow | None = None


def read(source: Source) -> Iterator[Record]:
    """Yield one record per sample.

    The fields in the .json file have Capscope's own names, or other common names that are listed in FIELDS. The .txt
    file contains the caption.
    """
    return records_of(source, _units(source), _record)


def _units(source: Source) -> Iterator[Row | BadRow]:
    for member in _members(source):
        try:
            yield member.problem or _row(source, member)
        except BadRow as bad:
            yield bad


def _members(source: Source) -> Iterator[Member]:
    total, current = source.path.stat().st_size, Member("", 0)
    try:
        with tarfile.open(source.path, "r:") as tar:
            for entry in tar:
                source.on_progress(min(entry.offset, total), total)
                path = PurePosixPath(entry.name)
                base, dot, ending = path.name.partition(".")
                suffix = f".{ending.lower()}" if dot else ""
                if not entry.isreg() or not base or (suffix not in TEXTS and suffix not in PICTURE_SUFFIXES):
                    continue
                name = str(path.parent / base)
                if name != current.name:
                    if current.number:
                        yield current
                    current = Member(name, current.number + 1)
                _take_in(source, current, tar, entry, base, suffix)
    except (tarfile.TarError, EOFError, OSError, UnicodeError) as error:
        problem = f"the file is not an uncompressed tar file ({error}); unpack it, or download it again"
        raise BadFile(source.path, problem) from error
    if not current.number:
        raise BadFile(source.path, "the tar contains no pictures and no texts; there is nothing to import")
    yield current
    source.on_progress(total, total)


def _take_in(
    source: Source, member: Member, tar: tarfile.TarFile, found: tarfile.TarInfo, base: str, suffix: str
) -> None:
    """Read one file of the tar file into its sample.

    Problems with the file are stored in the sample too.
    """
    largest = LARGEST_TEXT if suffix in TEXTS else LARGEST_PICTURE
    row = Row(source.path, member.number, {})
    if not 0 <= found.size <= largest:
        member.problem = row.bad(suffix, f"at most {largest:,} bytes", f"{found.size:,} bytes")
        return
    file = tar.extractfile(found)
    content = file.read() if file else b""
    if suffix in PICTURE_SUFFIXES:
        member.image = source.keep(base + suffix, content)
        return
    try:
        member.texts[suffix] = content.decode("utf-8")
    except UnicodeDecodeError:
        member.problem = row.bad(suffix, "UTF-8", content[:40])


def _row(source: Source, member: Member) -> Row:
    """Return a sample's fields under Capscope's own names. Raises BadRow."""
    row = Row(source.path, member.number, {})
    values: dict[str, object] = {}
    if ".json" in member.texts:
        try:
            content = parsed_json(member.texts[".json"])
        except ValueError as error:
            raise row.bad(".json", "a JSON object", member.texts[".json"]) from error
        if not isinstance(content, dict):
            raise row.bad(".json", "a JSON object", content)
        values = {_own_name(name): value for name, value in content.items() if _own_name(name) in _TAKEN}
    if ".txt" in member.texts:
        values["caption"] = member.texts[".txt"].strip()
    if member.image is None:
        raise row.bad("image", f"a picture named {member.name}", "none")
    return Row(source.path, member.number, {**values, "image": member.image})


_TAKEN = {
    "id",
    "caption",
    "system",
    "references",
    "human",
    "judgements",
    "pair",
    "scores",
}  # the fields that are read; all other fields come from the tool that downloaded the pictures


def _own_name(name: str) -> str:
    return next((own for own, names in FIELDS.items() if name in names), name)


def _record(row: Row) -> Record:
    return record_of(row)


WEBDATASET = Format(
    name="webdataset",
    summary="a webdataset tar: pictures, each with a .json or .txt file of the same name; for import only",
    suffixes=(".tar",),
    reader=read,
    takes_system=True,
)

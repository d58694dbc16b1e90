"""Flickr8k-CF as its authors published it: votes on captions, which are identified by their numbers.

CrowdFlowerAnnotations.txt, Hodosh et al. 2013. Each line has five fields, separated by tabs. The fields are the
picture's file, the caption's number ("x.jpg#2"), the share of yes votes, the number of yes votes and the number of no
votes.

The captions are in another file of the same folder: the corpus's Flickr8k.token.txt, or flickr8k.json. In
flickr8k.json, the references of a picture are its captions #0 to #4.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path, PurePath

from core.datasets.base import Record, Source
from core.datasets.files import as_row, json_object, lines, unpacked
from core.datasets.rows import Row, file_name, parse_number, records_of
from core.errors import BadFile, BadRow

COLUMNS = ("image", "caption", "share of yes", "yes", "no")
TOKEN_FILE, JSON_FILE = "Flickr8k.token.txt", "flickr8k.json"
ROUNDING = 0.01  # the shares of yes answers in the file may be rounded by at most this


@dataclass(frozen=True, slots=True)
class Votes:
    """The content of one line: a picture, a caption, and how many people say that the caption describes the picture."""

    row: Row
    key: str  # "<picture's stem>#<n>" for the n-th line about the picture; same keys as in the benchmark's JSON file
    candidate: str
    references: tuple[str, ...]  # the picture's own captions, without the candidate
    human: float  # share of yes answers, [0, 1]


def is_table(path: Path) -> bool:
    """Return whether a file's first line has five columns separated by tabs.

    Such a file is the authors' table. The other file of this benchmark is JSON.
    """
    with path.open("rb") as stored, unpacked(path, stored) as file:
        return file.readline(1000).count(b"\t") == len(COLUMNS) - 1


def read_table(source: Source) -> Iterator[Record]:
    """Yield one record per line. The row is the line's number.

    Raises BadFile if the file with captions is missing.
    """
    return records_of(source, _votes(source, _captions(source)), _record)


def _votes(source: Source, captions: Mapping[str, Mapping[int, str]]) -> Iterator[Votes | BadRow]:
    seen: Counter[str] = Counter()
    for number, line in enumerate(lines(source), start=1):
        values = line.rstrip("\r\n").split("\t")
        row = Row(source.path, number, dict(zip(COLUMNS, values, strict=False)))
        seen[values[0]] += 1
        try:
            if len(values) != len(COLUMNS):
                raise row.bad("row", f"{len(COLUMNS)} columns separated by tabs", len(values))
            yield _line(row, captions, seen[values[0]])
        except BadRow as bad:
            yield bad


def _line(row: Row, captions: Mapping[str, Mapping[int, str]], nth: int) -> Votes:
    image, number = row.text("image"), row.text("caption")
    candidate = _caption(captions, number)
    if candidate is None:
        raise row.bad("caption", "the number of a caption in the file of captions in this folder", number)
    yes, no, share = (_amount(row, name) for name in ("yes", "no", "share of yes"))
    if not yes + no or abs(yes / (yes + no) - share) > ROUNDING:
        raise row.bad("share of yes", "the share of yes votes among all yes and no votes", row.get("share of yes"))
    normalised = " ".join(candidate.split())
    own = (text for _, text in sorted(captions.get(image, {}).items()))
    references = tuple(text for text in own if " ".join(text.split()) != normalised)
    return Votes(row, f"{PurePath(image).stem}#{nth}", candidate, references, yes / (yes + no))


def _amount(row: Row, name: str) -> float:
    value = parse_number(row.text(name))
    if value is None or value < 0 or (name != "share of yes" and not value.is_integer()):
        raise row.bad(name, "a number of votes" if name != "share of yes" else "a number from 0 to 1", row.get(name))
    return value


def _record(votes: Votes) -> Record:
    return Record(
        file=votes.row.file,
        row=votes.row.number,
        key=votes.key,
        image=votes.row.text("image"),
        candidate=votes.candidate,
        references=votes.references,
        human=votes.human,
    )


def _captions(source: Source) -> dict[str, dict[int, str]]:
    """Return the captions of every picture. Keys: the picture's name, then the caption's number."""
    tokens, judged = (source.path.with_name(name) for name in (TOKEN_FILE, JSON_FILE))
    if tokens.is_file():
        return _of_tokens(Source(tokens, source.on_bad, lambda done, total: None))
    if judged.is_file():
        return _of_json(Source(judged, source.on_bad, lambda done, total: None))
    problem = f"the file refers to captions by number; put {TOKEN_FILE} or {JSON_FILE} into the same folder"
    raise BadFile(source.path, problem)


def _of_tokens(source: Source) -> dict[str, dict[int, str]]:
    captions: dict[str, dict[int, str]] = {}
    for line in lines(source):
        name, _, text = line.rstrip("\r\n").partition("\t")
        image, _, number = name.rpartition("#")
        if image and number.isdecimal() and text.strip():
            captions.setdefault(image, {})[int(number)] = text
    return captions


def _of_json(source: Source) -> dict[str, dict[int, str]]:
    captions: dict[str, dict[int, str]] = {}
    for place, entry in enumerate(json_object(source).values(), start=1):
        row = as_row(source.path, place, entry)
        if isinstance(row, BadRow):
            raise row
        captions[file_name(row.text("image_path"))] = dict(enumerate(row.texts("ground_truth")))
    return captions


def _caption(captions: Mapping[str, Mapping[int, str]], name: str) -> str | None:
    image, _, number = name.rpartition("#")
    return captions.get(image, {}).get(int(number)) if number.isdecimal() else None

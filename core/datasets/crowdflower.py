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
from functools import partial
from pathlib import Path, PurePath

from core.datasets.base import Record, Source
from core.datasets.files import as_row, json_object, lines, unpacked
from core.datasets.rows import Row, parse_number, records_of
from core.errors import BadFile, BadRow
from core.picture_names import file_name

COLUMNS = ("image", "caption", "share of yes", "yes", "no")
EXPERTS = ("expert 1", "expert 2", "expert 3")
TOKEN_FILE, JSON_FILE = "Flickr8k.token.txt", "flickr8k.json"
ROUNDING = 0.01  # the shares of yes answers in the file may be rounded by at most this


@dataclass(frozen=True, slots=True)
class Votes:
    """The content of one line: a picture, a caption, and how many people say that the caption describes the picture."""

    row: Row
    key: str  # "<picture's stem>#<n>" for the n-th line about the picture; same keys as in the benchmark's JSON file
    candidate: str
    references: tuple[str, ...]  # the picture's own captions, without the candidate
    human: float  # share of yes answers, or the experts' mean rating, [0, 1]
    ratings: tuple[float, ...] = ()  # experts' ratings, 1 to 4


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
    return records_of(source, _votes(source, _captions(source), COLUMNS), _record)


def read_experts(source: Source) -> Iterator[Record]:
    """Yield one record per line of ExpertAnnotations.txt, with the ratings of three experts from 1 to 4."""
    return records_of(source, _votes(source, _captions(source), (*COLUMNS[:2], *EXPERTS)), _record)


def _votes(
    source: Source, captions: Mapping[str, Mapping[int, str]], columns: tuple[str, ...]
) -> Iterator[Votes | BadRow]:
    seen, own = Counter[str](), 0
    for number, line in enumerate(lines(source), start=1):
        values = line.rstrip("\r\n").split("\t")
        row = Row(source.path, number, dict(zip(columns, values, strict=False)))
        if EXPERTS[0] in columns and len(values) > 1 and values[1].rpartition("#")[0] == values[0]:
            own += 1
            continue
        seen[values[0]] += 1
        try:
            if len(values) != len(columns):
                raise row.bad("row", f"{len(columns)} columns separated by tabs", len(values))
            yield _line(row, captions, seen[values[0]])
        except BadRow as bad:
            yield bad
    if own:
        source.on_note(f"{own:,} lines judge a caption of the picture itself. As in the benchmark, they were not read.")


def _line(row: Row, captions: Mapping[str, Mapping[int, str]], nth: int) -> Votes:
    image, number = row.text("image"), row.text("caption")
    candidate = _caption(captions, number)
    if candidate is None:
        raise row.bad("caption", "the number of a caption in the file of captions in this folder", number)
    normalised = " ".join(candidate.split())
    own = (text for _, text in sorted(captions.get(image, {}).items()))
    references = tuple(text for text in own if " ".join(text.split()) != normalised)
    made = partial(Votes, row, f"{PurePath(image).stem}#{nth}", candidate, references)
    if EXPERTS[0] in row.values:
        ratings = tuple(_rating(row, name) for name in EXPERTS)
        return made((sum(ratings) / len(ratings) - 1) / 3, ratings)
    yes, no, share = (_amount(row, name) for name in ("yes", "no", "share of yes"))
    if not yes + no or abs(yes / (yes + no) - share) > ROUNDING:
        raise row.bad("share of yes", "the share of yes votes among all yes and no votes", row.get("share of yes"))
    return made(yes / (yes + no))


def _rating(row: Row, name: str) -> float:
    value = parse_number(row.text(name))
    if value is None or not 1 <= value <= 4:
        raise row.bad(name, "a rating from 1 to 4", row.get(name))
    return value


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
        judgements=votes.ratings,
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

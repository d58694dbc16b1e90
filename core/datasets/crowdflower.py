"""Flickr8k's judgements as its authors published them: tables of captions that are identified by their numbers.

Source: Hodosh et al. 2013. Each line of CrowdFlowerAnnotations.txt and ExpertAnnotations.txt has five fields, separated
by tabs: the picture's file, the caption's number ("x.jpg#2"), and then the share of yes votes, the number of yes votes
and the number of no votes, or the ratings of three experts from 1 to 4.

The captions are in another file of the same folder: the corpus's Flickr8k.token.txt, or flickr8k.json. In
flickr8k.json, the references of a picture are its captions #0 to #4.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path, PurePath

from core.datasets.base import Record, Source
from core.datasets.files import as_row, json_object, lines, unpacked
from core.datasets.rows import Row, parse_number, records_of
from core.errors import BadFile, BadRow
from core.picture_names import file_name
from core.types import one_line

VOTES = ("share of yes", "yes", "no")
EXPERTS = ("expert 1", "expert 2", "expert 3")
TOKEN_FILE, JSON_FILE = "Flickr8k.token.txt", "flickr8k.json"
ROUNDING = 0.01  # the shares of yes answers in the file may be rounded by at most this
Captions = Mapping[str, Mapping[int, str]]  # keys: the picture's name, then the caption's number


def is_table(path: Path) -> bool:
    """Return whether a file's first line has five columns separated by tabs, as in the authors' tables."""
    with path.open("rb") as stored, unpacked(path, stored) as file:
        return file.readline(1000).count(b"\t") == 4


def read_votes(source: Source) -> Iterator[Record]:
    """Yield one record per line of CrowdFlowerAnnotations.txt. Raises BadFile if the file with captions is missing."""
    captions = _captions(source)
    return records_of(source, _rows(source, VOTES), lambda row: _record(row, captions, _share, ()))


def read_experts(source: Source) -> Iterator[Record]:
    """Yield one record per line of ExpertAnnotations.txt. As in the benchmark, a picture's own captions are omitted."""
    captions = _captions(source)

    def make(row: Row) -> Record:
        ratings = tuple(_number(row, name, 1, 4, "a rating from 1 to 4") for name in EXPERTS)
        return _record(row, captions, lambda row: (sum(ratings) / 3 - 1) / 3, ratings)

    return records_of(source, _rows(source, EXPERTS, without_own=True), make)


def _rows(source: Source, columns: tuple[str, ...], without_own: bool = False) -> Iterator[Row | BadRow]:
    names = ("image", "caption", *columns)
    seen, own = Counter[str](), 0
    for number, line in enumerate(lines(source), start=1):
        values = line.rstrip("\r\n").split("\t")
        if without_own and len(values) > 1 and values[1].rpartition("#")[0] == values[0]:
            own += 1
            continue
        seen[values[0]] += 1
        row = Row(source.path, number, dict(zip(names, values, strict=False)) | {"nth": seen[values[0]]})
        yield (
            row if len(values) == len(names) else row.bad("row", f"{len(names)} columns separated by tabs", len(values))
        )
    if own:
        source.on_note(f"{own:,} lines judge a caption of the picture itself. As in the benchmark, they were not read.")


def _record(row: Row, captions: Captions, human: Callable[[Row], float], ratings: tuple[float, ...]) -> Record:
    image, number = row.text("image"), row.text("caption")
    candidate = _caption(captions, number)
    if candidate is None:
        raise row.bad("caption", "the number of a caption in the file of captions in this folder", number)
    others = (text for _, text in sorted(captions.get(image, {}).items()) if one_line(text) != one_line(candidate))
    key = f"{PurePath(image).stem}#{row.get('nth')}"  # same keys as in the benchmark's JSON file
    return row.record(key, image, candidate, references=tuple(others), human=human(row), judgements=ratings)


def _share(row: Row) -> float:
    share = _number(row, "share of yes", 0, 1, "a number from 0 to 1")
    yes, no = (_number(row, name, 0, 10**9, "a number of votes") for name in ("yes", "no"))
    if not (yes.is_integer() and no.is_integer()):
        raise row.bad("no" if yes.is_integer() else "yes", "a number of votes", row.get("yes"))
    if not yes + no or abs(yes / (yes + no) - share) > ROUNDING:
        raise row.bad("share of yes", "the share of yes votes among all yes and no votes", row.get("share of yes"))
    return yes / (yes + no)


def _number(row: Row, name: str, low: float, high: float, expected: str) -> float:
    value = parse_number(row.text(name))
    if value is None or not low <= value <= high:
        raise row.bad(name, expected, row.get(name))
    return value


def _captions(source: Source) -> Captions:
    """Return the captions of every picture. Raises BadFile."""
    tokens, judged = (source.path.with_name(name) for name in (TOKEN_FILE, JSON_FILE))
    captions: dict[str, dict[int, str]] = {}
    if tokens.is_file():
        for line in lines(Source(tokens, source.on_bad, lambda done, total: None)):
            name, _, text = line.rstrip("\r\n").partition("\t")
            image, _, number = name.rpartition("#")
            if image and number.isdecimal() and text.strip():
                captions.setdefault(image, {})[int(number)] = text
        return captions
    if not judged.is_file():
        problem = f"the file refers to captions by number; put {TOKEN_FILE} or {JSON_FILE} into the same folder"
        raise BadFile(source.path, problem)
    entries = json_object(Source(judged, source.on_bad, lambda done, total: None)).values()
    for place, entry in enumerate(entries, start=1):
        row = as_row(judged, place, entry)
        if isinstance(row, BadRow):
            raise row
        captions[file_name(row.text("image_path"))] = dict(enumerate(row.texts("ground_truth")))
    return captions


def _caption(captions: Captions, name: str) -> str | None:
    image, _, number = name.rpartition("#")
    return captions.get(image, {}).get(int(number)) if number.isdecimal() else None

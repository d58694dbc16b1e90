"""Flickr8k's judgements as its authors published them: tables of captions that are identified by their numbers.

Source: Hodosh et al. 2013. Each line of CrowdFlowerAnnotations.txt and ExpertAnnotations.txt has five fields, separated
by tabs: the picture's file, the caption's number ("x.jpg#2"), and then the share of yes votes, the number of yes votes
and the number of no votes, or the ratings of three experts from 1 to 4.

The captions are in another file of the same folder: the corpus's Flickr8k.token.txt, or flickr8k.json. In
flickr8k.json, the references of a picture are its captions #0 to #4.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path, PurePath

from core.datasets.base import Record, Source
from core.datasets.files import json_members, lines, unpacked
from core.datasets.rows import Row, records_of
from core.errors import BadFile
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


def read_table(source: Source, experts: bool) -> Iterator[Record]:
    """Yield one record per line of ExpertAnnotations.txt or CrowdFlowerAnnotations.txt.

    As in the benchmark, experts' judgements of a picture's own captions are omitted. Raises BadFile if the file with
    captions is missing.
    """
    captions = _captions(source)

    def record(row: Row) -> Record:
        image, place = row.text("image"), row.text("caption")
        of, _, number = place.rpartition("#")
        candidate = captions.get(of, {}).get(int(number)) if number.isdecimal() else None
        if candidate is None:
            raise row.bad("caption", "the number of a caption in the file of captions in this folder", place)
        others = (text for _, text in sorted(captions.get(image, {}).items()) if one_line(text) != one_line(candidate))
        key = f"{PurePath(image).stem}#{row.get('nth')}"  # same keys as in the benchmark's JSON file
        ratings = tuple(row.text_number(name, 1, 4, "a rating from 1 to 4") for name in EXPERTS) if experts else ()
        human = (sum(ratings) / 3 - 1) / 3 if experts else _share(row)
        return row.record(key, image, candidate, references=tuple(others), human=human, judgements=ratings)

    return records_of(source, _rows(source, experts), record)


def _rows(source: Source, experts: bool) -> Iterator[Row]:
    names = ("image", "caption", *(EXPERTS if experts else VOTES))
    seen, own = Counter[str](), 0
    for number, line in enumerate(lines(source), start=1):
        values = line.rstrip("\r\n").split("\t")
        if experts and len(values) > 1 and values[1].rpartition("#")[0] == values[0]:
            own += 1
            continue
        seen[values[0]] += 1
        row = Row(source.path, number, dict(zip(names, values, strict=False)) | {"nth": seen[values[0]]})
        if len(values) == len(names):
            yield row
        else:
            source.on_bad(row.bad("row", f"{len(names)} columns separated by tabs", len(values)))
    if own:
        source.on_note(f"{own:,} lines judge a caption of the picture itself. As in the benchmark, they were not read.")


def _share(row: Row) -> float:
    share, yes, no = row.text_number("share of yes", 0, 1), _votes(row, "yes"), _votes(row, "no")
    if not yes + no or abs(yes / (yes + no) - share) > ROUNDING:
        raise row.bad("share of yes", "the share of yes votes among all yes and no votes", row.get("share of yes"))
    return yes / (yes + no)


def _votes(row: Row, name: str) -> float:
    votes = row.text_number(name, 0, 10**9, "a number of votes")
    if not votes.is_integer():
        raise row.bad(name, "a number of votes", row.get(name))
    return votes


def _captions(source: Source) -> Captions:
    """Return the captions of every picture. Raises BadFile."""
    tokens, judged = source.beside(TOKEN_FILE), source.beside(JSON_FILE)
    captions: dict[str, dict[int, str]] = {}
    if tokens.path.is_file():
        for line in lines(tokens):
            name, _, text = line.rstrip("\r\n").partition("\t")
            image, _, number = name.rpartition("#")
            if image and number.isdecimal() and text.strip():
                captions.setdefault(image, {})[int(number)] = text
    elif judged.path.is_file():
        for _, row in json_members(judged):
            captions[row.file_name("image_path")] = dict(enumerate(row.texts("ground_truth")))
    else:
        problem = f"the file refers to captions by number; put {TOKEN_FILE} or {JSON_FILE} into the same folder"
        raise BadFile(source.path, problem)
    return captions

"""Flickr8k-Expert and Flickr8k-CF (Hodosh et al. 2013): the benchmarks' JSON files, and the authors' own tables.

The JSON file is an object whose keys are image ids. Each value is {image_path, ground_truth: [references],
human_judgement: [{caption, rating}]}. Flickr8k-Expert has ratings from 1 to 4; the judgements of a caption are
consecutive. Flickr8k-CF has the share of yes answers, one entry per caption.

Each line of the authors' ExpertAnnotations.txt and CrowdFlowerAnnotations.txt has five fields, separated by tabs: the
picture's file, the caption's number ("x.jpg#2"), and then the ratings of three experts from 1 to 4, or the share of yes
votes, the number of yes votes and the number of no votes. The captions are in another file of the same folder: the
corpus's Flickr8k.token.txt, or flickr8k.json. In flickr8k.json, the references of a picture are its captions #0 to #4.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import partial
from itertools import groupby
from pathlib import PurePath

from core.datasets.base import UNIT, Benchmark, Format, Record, Scale, Source, rescaled
from core.datasets.files import json_object, lines, rows_of, unpacked
from core.datasets.rows import Row, as_number, records_of
from core.errors import BadFile, BadRow
from core.types import one_line

EXPERT_SCALE: Scale = (1.0, 4.0)
VOTES = ("share of yes", "yes", "no")
EXPERTS = ("expert 1", "expert 2", "expert 3")
TOKEN_FILE, JSON_FILE = "Flickr8k.token.txt", "flickr8k.json"
ROUNDING = 0.01  # the shares of yes answers in the file may be rounded by at most this
MOST_VOTES = 10**9
Captions = Mapping[str, Mapping[int, str]]  # keys: the picture's name, then the caption's number


def read(source: Source, scale: Scale) -> Iterator[Record]:
    """Yield one record per judged caption of Flickr8k-Expert or Flickr8k-CF.

    As in the benchmark, experts' judgements of a picture's own captions are omitted. Raises BadFile if the authors'
    table is read and the file with captions is missing.
    """
    experts = scale == EXPERT_SCALE
    with source.path.open("rb") as stored, unpacked(source.path, stored) as file:
        is_table = file.readline(1000).count(b"\t") == 4
    if is_table:
        return records_of(source, _table_rows(source, experts), partial(_of_table, _captions(source), experts))
    return records_of(source, _judged(source, experts), partial(_of_json, scale, experts))


def _judged(source: Source, experts: bool) -> Iterator[tuple[Row, str, list[Row]]]:
    """Yield each judged caption: the row of its picture, its key, and its judgements."""
    content = json_object(source)
    names = [*content]
    for image in rows_of(source, [*content.values()]):
        try:
            judgements = image.nested_list("human_judgement")
        except BadRow as bad:
            source.on_bad(bad)
            continue
        groups = groupby(judgements, lambda one: one.get("caption") if experts else id(one))
        for nth, (_, group) in enumerate(groups, start=1):
            yield image, f"{names[image.number - 1]}#{nth}", list(group)


def _of_json(scale: Scale, experts: bool, judged: tuple[Row, str, list[Row]]) -> Record:
    image, key, rows = judged
    # As in the benchmarks' own scripts, ratings that are NaN do not count
    ratings = tuple(row.number_in("rating", *scale) for row in rows if row.get("rating") == row.get("rating"))
    return image.record(
        key,
        image.file_name("image_path"),
        rows[0].text("caption"),
        references=image.texts("ground_truth"),
        human=rescaled(ratings, scale),
        judgements=ratings if experts else (),
    )


def _of_table(captions: Captions, experts: bool, row: Row) -> Record:
    image, place = row.text("image"), row.text("caption")
    of, _, number = place.rpartition("#")
    candidate = captions.get(of, {}).get(int(number)) if number.isdecimal() else None
    if candidate is None:
        raise row.bad("caption", "the number of a caption in the file of captions in this folder", place)
    others = (text for _, text in sorted(captions.get(image, {}).items()) if one_line(text) != one_line(candidate))
    ratings = tuple(row.number_in(name, *EXPERT_SCALE) for name in EXPERTS) if experts else ()
    human = rescaled(ratings, EXPERT_SCALE) if experts else _share(row)
    return row.record(row.part, image, candidate, references=tuple(others), human=human, judgements=ratings)


def _table_rows(source: Source, experts: bool) -> Iterator[Row]:
    """Yield the lines of a table as rows; `part` is the record's key, as in the benchmark's JSON file."""
    names = ("image", "caption", *(EXPERTS if experts else VOTES))
    seen, own = Counter[str](), 0
    for number, line in enumerate(lines(source), start=1):
        values = line.rstrip("\r\n").split("\t")
        if experts and len(values) > 1 and values[1].rpartition("#")[0] == values[0]:
            own += 1
            continue
        seen[values[0]] += 1
        fields = dict(zip(names, (*values[:2], *map(as_number, values[2:])), strict=False))
        row = Row(source.path, number, fields, part=f"{PurePath(values[0]).stem}#{seen[values[0]]}")
        if len(values) == len(names):
            yield row
        else:
            source.on_bad(row.bad("row", f"{len(names)} columns separated by tabs", len(values)))
    if own:
        source.on_note(f"{own:,} lines judge a caption of the picture itself. As in the benchmark, they were not read.")


def _share(row: Row) -> float:
    share = row.number_in("share of yes", 0, 1)
    yes, no = (row.whole(name, 0, MOST_VOTES) for name in ("yes", "no"))
    if not yes + no or abs(yes / (yes + no) - share) > ROUNDING:
        raise row.bad("share of yes", "the share of yes votes among all yes and no votes", row.get("share of yes"))
    return yes / (yes + no)


def _captions(source: Source) -> Captions:
    tokens, judged = source.beside(TOKEN_FILE), source.beside(JSON_FILE)
    captions: dict[str, dict[int, str]] = {}
    if tokens.path.is_file():
        for line in lines(tokens):
            name, _, text = line.rstrip("\r\n").partition("\t")
            image, _, number = name.rpartition("#")
            if image and number.isdecimal() and text.strip():
                captions.setdefault(image, {})[int(number)] = text
    elif judged.path.is_file():
        for row in rows_of(judged, [*json_object(judged).values()]):
            captions[row.file_name("image_path")] = dict(enumerate(row.texts("ground_truth")))
    else:
        problem = f"the file refers to captions by number; put {TOKEN_FILE} or {JSON_FILE} into the same folder"
        raise BadFile(source.path, problem)
    return captions


FLICKR8K = (
    Format(
        name="flickr8k-expert",
        summary="Flickr8k-Expert (flickr8k.json): image-caption pairs with three experts' ratings from 1 to 4",
        suffixes=(".json", ".txt"),
        reader=partial(read, scale=EXPERT_SCALE),
        # CLIPScore, section 4.1: three experts judge each pair, and their judgements are not averaged
        benchmark=Benchmark("flickr8k-expert", "c", True, human_scale=EXPERT_SCALE, files_named="flickr8k"),
    ),
    Format(
        name="flickr8k-cf",
        summary="Flickr8k-CF (crowdflower_flickr8k.json, CrowdFlowerAnnotations.txt): pairs with the share of yes",
        suffixes=(".json", ".txt"),
        reader=partial(read, scale=UNIT),
        benchmark=Benchmark("flickr8k-cf", "b", human_scale=UNIT, files_named="crowdflower_flickr8k"),
    ),
)

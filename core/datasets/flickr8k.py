"""Flickr8k-Expert and Flickr8k-CF in the benchmarks' own JSON.

Source: Hodosh et al. 2013; the files are made by CLIPScore's download script. The file is a JSON object whose keys are
image ids. Each value is {image_id, image_path, ground_truth: [references], human_judgement: [{caption, rating}]}.

Flickr8k-Expert has ratings from 1 to 4. The judgements of one image and caption are consecutive. Flickr8k-CF has the
share of yes answers, one entry per image and caption. The folder in image_path is spelled Flickr8k_Dataset or
Flicker8k_Dataset. Only the file's name is kept. For the authors' own tables see crowdflower.py.
"""

import math
from collections.abc import Callable, Hashable, Iterator, Sequence
from functools import partial
from itertools import groupby

from core.datasets.base import Format, Record, Source
from core.datasets.benchmark import Benchmark
from core.datasets.crowdflower import is_table, read_experts, read_votes
from core.datasets.files import as_row, json_object
from core.datasets.rows import Row, records_of
from core.errors import BadRow
from core.picture_names import file_name

EXPERT_SCALE = (1.0, 4.0)
CF_SCALE = (0.0, 1.0)
Judged = tuple[Row, str, list[Row]]  # (the image's entry, key of the caption, the caption's judgements)


def read_expert(source: Source) -> Iterator[Record]:
    """Yield one record per image-caption pair, with the experts' ratings.

    The row is the image's position in the file, or the line of the authors' table.
    """
    if is_table(source.path):
        return read_experts(source)
    by_caption = _judged(source, lambda judgement: judgement.get("caption"))
    return records_of(source, by_caption, partial(_record, EXPERT_SCALE, True))


def read_cf(source: Source) -> Iterator[Record]:
    """Yield one record per entry. The record's `human` is the entry's share of yes answers.

    The row is the image's position in the file, or the line of the authors' table.
    """
    if is_table(source.path):
        return read_votes(source)
    return records_of(source, _judged(source, id), partial(_record, CF_SCALE, False))


def rescaled(judgements: Sequence[float], scale: tuple[float, float]) -> float | None:
    """Return the judgements' mean, rescaled from `scale` to [0, 1]; None if there are no judgements."""
    low, high = scale
    return (math.fsum(judgements) / len(judgements) - low) / (high - low) if judgements else None


def _judged(source: Source, group: Callable[[Row], Hashable]) -> Iterator[Judged | BadRow]:
    images = json_object(source)
    for number, (image_id, entry) in enumerate(images.items(), start=1):
        image = as_row(source.path, number, entry)
        try:
            if isinstance(image, BadRow):
                raise image
            judgements = image.nested_list("human_judgement")
        except BadRow as bad:
            yield bad
        else:
            for nth, (_, judged) in enumerate(groupby(judgements, group), start=1):
                yield image, f"{image_id}#{nth}", list(judged)
        source.on_progress(number, len(images))


def _record(scale: tuple[float, float], keeps_judgements: bool, judged: Judged) -> Record:
    image, key, judgements = judged
    # As in the benchmarks' own scripts, ratings that are NaN do not count
    ratings = tuple(one.number_in("rating", *scale) for one in judgements if one.get("rating") == one.get("rating"))
    return image.record(
        key,
        file_name(image.text("image_path")),
        judgements[0].text("caption"),
        references=image.texts("ground_truth"),
        human=rescaled(ratings, scale),
        judgements=ratings if keeps_judgements else (),
    )


FLICKR8K_EXPERT = Format(
    name="flickr8k-expert",
    summary="Flickr8k-Expert (flickr8k.json): image-caption pairs with three experts' ratings from 1 to 4",
    suffixes=(".json", ".txt"),
    reader=read_expert,
    # CLIPScore, section 4.1: three experts judge each pair, and their judgements are not averaged
    benchmark=Benchmark("flickr8k-expert", "c", per_judgement=True, human_scale=EXPERT_SCALE, files_named="flickr8k"),
)
FLICKR8K_CF = Format(
    name="flickr8k-cf",
    summary="Flickr8k-CF (crowdflower_flickr8k.json, CrowdFlowerAnnotations.txt): pairs with the share of yes answers",
    suffixes=(".json", ".txt"),
    reader=read_cf,
    # the tau is computed with each caption's share of yes answers
    benchmark=Benchmark("flickr8k-cf", "b", human_scale=CF_SCALE, files_named="crowdflower_flickr8k"),
)

"""Flickr8k-Expert and Flickr8k-CF in the benchmarks' own JSON.

Source: Hodosh et al. 2013; the files are made by CLIPScore's download script. The file is a JSON object whose keys are
image ids. Each value is {image_id, image_path, ground_truth: [references], human_judgement: [{caption, rating}]}.

Flickr8k-Expert has ratings from 1 to 4. The judgements of one image and caption are consecutive. Flickr8k-CF has the
share of yes answers, one entry per image and caption. The folder in image_path is spelled Flickr8k_Dataset or
Flicker8k_Dataset. Only the file's name is kept.
"""

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import groupby

from core.datasets.base import Format, Record, Source
from core.datasets.benchmark import Benchmark
from core.datasets.crowdflower import is_table, read_experts, read_table
from core.datasets.files import as_row, json_object
from core.datasets.rows import Row, records_of
from core.errors import BadRow
from core.picture_names import file_name

EXPERT_SCALE = (1.0, 4.0)
CF_SCALE = (0.0, 1.0)
Grouping = Callable[[list[Row]], Iterator[list[Row]]]  # groups an image's judgements by image-caption pair


@dataclass(frozen=True, slots=True)
class JudgedPair:
    """The judgements of one image-caption pair, as in the file."""

    image: Row  # the image's entry in the file; `image.number` is its position in the file
    key: str  # "<image id>#<n-th pair of the image>"
    judgements: list[Row]  # at least one judgement; all judge the same caption


def read_expert(source: Source) -> Iterator[Record]:
    """Yield one record per image-caption pair, with the experts' ratings.

    The row is the image's position in the file. The authors' own ExpertAnnotations.txt can also be read.
    """
    if is_table(source.path):
        return read_experts(source)
    return records_of(source, _pairs(source, _by_caption), _expert_record)


def read_cf(source: Source) -> Iterator[Record]:
    """Yield one record per entry. The record's `human` is the entry's share of yes answers.

    The row is the image's position in the file. The authors' own table can also be read, see core.datasets.crowdflower.
    """
    if is_table(source.path):
        return read_table(source)
    return records_of(source, _pairs(source, _one_by_one), _cf_record)


def rescaled(judgements: Sequence[float], scale: tuple[float, float]) -> float | None:
    """Return the judgements' mean, rescaled from `scale` to [0, 1]; None if there are no judgements."""
    low, high = scale
    return (math.fsum(judgements) / len(judgements) - low) / (high - low) if judgements else None


def _pairs(source: Source, grouped: Grouping) -> Iterator[JudgedPair | BadRow]:
    images = json_object(source)
    for number, (image_id, entry) in enumerate(images.items(), start=1):
        image = as_row(source.path, number, entry)
        if isinstance(image, BadRow):
            yield image
        else:
            yield from _pairs_of(image, image_id, grouped)
        source.on_progress(number, len(images))


def _pairs_of(image: Row, image_id: str, grouped: Grouping) -> Iterator[JudgedPair | BadRow]:
    try:
        judgements = image.nested_list("human_judgement")
    except BadRow as bad:
        yield bad
        return
    for nth, group in enumerate(grouped(judgements), start=1):
        yield JudgedPair(image, f"{image_id}#{nth}", group)


def _by_caption(judgements: list[Row]) -> Iterator[list[Row]]:
    return (list(group) for _, group in groupby(judgements, key=lambda judgement: judgement.get("caption")))


def _one_by_one(judgements: list[Row]) -> Iterator[list[Row]]:
    return ([judgement] for judgement in judgements)


def _expert_record(pair: JudgedPair) -> Record:
    ratings = _ratings(pair, EXPERT_SCALE)
    return replace(_record(pair), human=rescaled(ratings, EXPERT_SCALE), judgements=ratings)


def _cf_record(pair: JudgedPair) -> Record:
    return replace(_record(pair), human=rescaled(_ratings(pair, CF_SCALE), CF_SCALE))


def _record(pair: JudgedPair) -> Record:
    return Record(
        file=pair.image.file,
        row=pair.image.number,
        key=pair.key,
        image=file_name(pair.image.text("image_path")),
        candidate=pair.judgements[0].text("caption"),
        references=pair.image.texts("ground_truth"),
    )


def _ratings(pair: JudgedPair, scale: tuple[float, float]) -> tuple[float, ...]:
    """Return the ratings of an image-caption pair, without NaN.

    The benchmarks' own scripts also skip NaN. scale: the lowest and highest possible rating.
    """
    return tuple(judgement.number_in("rating", *scale) for judgement in pair.judgements if not _is_nan(judgement))


def _is_nan(judgement: Row) -> bool:
    rating = judgement.get("rating")
    return isinstance(rating, float) and math.isnan(rating)


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

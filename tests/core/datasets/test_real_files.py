"""The published files beside the repository, read whole."""

import gzip
from collections import Counter
from pathlib import Path

from core.datasets.pictures import find_images, picture_of


def test_flickr8k_expert_has_5664_pairs_of_three_judgements_and_fleurs_scores_in_their_order(shared_data, read) -> None:
    judged = read("flickr8k-expert", shared_data / "flickr8k" / "flickr8k.json")
    assert len(judged) == 5664
    assert {(len(record.judgements), len(record.references)) for record in judged} == {(3, 5)}
    unanimous = [record.judgements[0] for record in judged if len(set(record.judgements)) == 1]
    assert [unanimous.count(level) for level in (1.0, 2.0, 3.0, 4.0)] == [2350, 580, 214, 103]
    scored = read("fleur-results", shared_data / "flickr8k" / "fleur_flickr8k_expert.txt")
    assert [(r.image, r.candidate) for r in scored] == [(r.image, " ".join(r.candidate.split())) for r in judged]
    assert len({record.scores[0].value for record in scored}) == 3806
    raw = [record.scores[0].components["raw"] for record in scored]
    assert [raw.count(value) for value in (0.0, 0.85, 0.75, 0.5, 0.65, 0.9)] == [4403, 436, 423, 230, 107, 38]
    folders = [shared_data / "flickr8k" / name for name in ("images", "images_224")]
    found = [picture_of(pair, find_images(folders)) for pair in judged[:40]]
    assert all(found)


def test_the_votes_of_flickr8k_give_every_pair_of_the_benchmark(shared_data, tmp_path: Path, read) -> None:
    folder = shared_data / "flickr8k"
    (tmp_path / "flickr8k.json").symlink_to(folder / "flickr8k.json")
    path = tmp_path / "CrowdFlowerAnnotations.txt"
    path.write_bytes(gzip.decompress((folder / "CrowdFlowerAnnotations.txt.gz").read_bytes()))
    records = read("flickr8k-cf", path)
    assert (len(records), len({r.image for r in records}), len({r.candidate for r in records})) == (47_830, 1000, 1000)
    # 721 captions are also captions of their own picture, once twice; 2 have the words of another picture's caption
    assert Counter(len(r.references) for r in records) == {5: 47_107, 4: 722, 3: 1}


def test_pairs_of_pascal50s_have_the_keys_of_fleurs_scores(shared_data, read) -> None:
    judged = {record.key for record in read("pascal50s", shared_data / "benchmarks" / "pascal_50s.json.gz")}
    scored = [
        record.key
        for category in ("HC", "HI", "HM", "MM")
        for record in read("fleur-results", shared_data / "benchmarks" / f"fleur_pascal_{category}.txt.gz")
    ]
    assert len(scored) == len(judged) == 8000 and set(scored) == judged


def test_the_validation_set_of_polaris_exp_is_read_whole(shared_data, read) -> None:
    records = read("polaris-exp", shared_data / "expert" / "polaris_exp_val.json")
    assert len(records) == len({record.key for record in records}) == 4237
    assert len({record.image for record in records}) == 2738
    assert sum(record.scores[0].components["count"] for record in records) == 21_760
    thirds = [sum(low <= record.human < high for record in records) for low, high in ((0, 0.33), (0.33, 0.66))]
    assert thirds == [1097, 1247]


def test_coco_has_five_captions_a_picture(shared_data, read) -> None:
    records = read("coco-captions", shared_data / "coco" / "captions_subset.json")
    assert (len(records), len({record.image for record in records})) == (230, 46)
    assert {len(record.references) for record in records} == {4}


def test_thumb_has_five_captioners_of_five_hundred_pictures_with_references(shared_data, read) -> None:
    records = read("thumb", shared_data / "ratings/thumb/mscoco_THumB-1.0.jsonl.gz")
    captioners = ("Human", "Up-Down", "Unified-VLP", "VinVL-base", "VinVL-large")
    assert Counter(record.system for record in records) == dict.fromkeys(captioners, 500)
    assert all(record.references for record in records)


def test_the_explanations_of_the_papers_are_read_with_their_pictures(shared_data, read) -> None:
    records = read("jsonl", shared_data / "published" / "explanations.jsonl")
    assert len(records) == 12
    assert sorted(len(record.scores) for record in records) == [1] * 6 + [2] * 5 + [3]
    assert all(score.explanation.rationales for record in records for score in record.scores)
    assert all(picture_of(one, find_images([])) for one in records)

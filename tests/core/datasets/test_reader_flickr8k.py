"""flickr8k-expert and flickr8k-cf."""

from pathlib import Path

import pytest

from core.errors import BadRow


def image(*judgements: tuple[str, object], folder: str = "Flickr8k_Dataset") -> dict[str, object]:
    return {
        "image_id": "1_a",
        "image_path": f"{folder}/1_a.jpg",
        "ground_truth": ["A dog .", "Dogs ."],
        "human_judgement": [{"caption": caption, "rating": rating} for caption, rating in judgements],
    }


def test_consecutive_equal_captions_are_one_pair_with_the_mean_moved_from_1_4_to_0_1(write, read) -> None:
    content = {"1_a": image(("A cat .", 1.0), ("A cat .", 2.0), ("A cat .", 4), ("A dog .", 4.0), ("A cat .", 1.0))}
    first, second, third = read("flickr8k-expert", write("f.json", content))
    assert (first.key, first.candidate, first.judgements) == ("1_a#1", "A cat .", (1.0, 2.0, 4.0))
    assert first.human == pytest.approx((7 / 3 - 1) / 3, abs=1e-15)
    assert (second.key, second.human) == ("1_a#2", 1.0)
    assert (third.key, third.candidate, third.human) == ("1_a#3", "A cat .", 0.0)
    assert first.references == ("A dog .", "Dogs .")


@pytest.mark.parametrize("folder", ["Flickr8k_Dataset", "Flicker8k_Dataset"])
def test_both_spellings_of_the_folder_give_the_same_file_name(folder: str, write, read) -> None:
    (record,) = read("flickr8k-expert", write("f.json", {"1_a": image(("A cat .", 1.0), folder=folder)}))
    assert record.image == "1_a.jpg"


def test_ratings_that_are_nan_are_skipped(write, read) -> None:
    nan = float("nan")
    content = {"1_a": image(("A cat .", 2.0), ("A cat .", nan), ("A dog .", nan))}
    first, second = read("flickr8k-expert", write("f.json", content))
    assert first.judgements == (2.0,)
    assert (second.judgements, second.human) == ((), None)


@pytest.mark.parametrize("rating", [0.5, 4.5, "3", True, None, float("inf")])
def test_a_bad_rating_leaves_only_its_pair_out_and_the_keys_of_the_others_stay(rating: object, write, skim) -> None:
    content = {
        "0_z": image(("A cat .", 1)),
        "1_a": image(("A cat .", 1), ("A dog .", 2), ("A dog .", rating), ("B .", 3)),
    }
    records, problems = skim("flickr8k-expert", write("f.json", content))
    assert [record.key for record in records] == ["0_z#1", "1_a#1", "1_a#3"]
    (problem,) = problems
    assert (problem.row, problem.field) == (2, "human_judgement[2].rating")


@pytest.mark.parametrize("field", ["image_path", "ground_truth", "human_judgement"])
def test_a_bad_image_entry_is_named(field: str, write, skim) -> None:
    records, problems = skim("flickr8k-expert", write("f.json", {"1_a": {**image(("A cat .", 1)), field: 3}, "2": "x"}))
    assert records == []
    assert [(problem.row, problem.field) for problem in problems] == [(1, field), (2, "row")]


def test_cf_takes_every_entry_by_itself_and_the_yes_fraction_as_human(write, read) -> None:
    content = {"1_a": image(("A cat .", 0.0), ("A dog .", 0.6666666666666666), ("A dog .", 1.0))}
    records = read("flickr8k-cf", write("f.json", content))
    assert [record.human for record in records] == [0.0, 0.6666666666666666, 1.0]
    assert [record.key for record in records] == ["1_a#1", "1_a#2", "1_a#3"]
    assert all(record.judgements == () for record in records)


def test_an_expert_file_is_not_taken_for_a_cf_file(write, read) -> None:
    with pytest.raises(BadRow, match="a number from 0 to 1, found 3"):
        read("flickr8k-cf", write("f.json", {"1_a": image(("A cat .", 3.0))}))


def test_the_real_file_holds_5664_pairs_of_three_judgements(shared_data: Path, read) -> None:
    records = read("flickr8k-expert", shared_data / "flickr8k" / "flickr8k.json")
    assert len(records) == 5664
    assert {len(record.judgements) for record in records} == {3}
    unanimous = [record.judgements[0] for record in records if len(set(record.judgements)) == 1]
    assert [unanimous.count(level) for level in (1.0, 2.0, 3.0, 4.0)] == [2350, 580, 214, 103]
    assert {len(record.references) for record in records} == {5}

import gzip
from pathlib import Path
from typing import Any

import pytest

from core.errors import BadRow, BadSetting
from core.types import EvaluationError, Score
from storage.types import DatasetSummary, ImportCounts, Search, StoredSample
from tests.making import import_rows, picture, rows, score, write_rows
from ui.services.importing.importing import import_files
from ui.services.workplace import Workplace

Sample = dict[str, Any]


def summary(workplace: Workplace, name: str = "birds") -> DatasetSummary:
    return next(found for found in workplace.repository.samples.datasets() if found.name == name)


def stored(workplace: Workplace) -> tuple[StoredSample, ...]:
    return workplace.repository.samples.search(Search(None, ""), 0, 100).samples


def bare(sample: Sample, *fields: str) -> Sample:
    """Return a sample with only its image, its caption and the fields named."""
    return {name: sample[name] for name in ("image", "caption", *fields)}


def test_what_was_in_the_file_comes_back_from_the_database(workplace: Workplace, tmp_path: Path) -> None:
    (given,) = rows(1)
    given["scores"][0] |= {"components": {"raw": 0.85, "digits": [0.5, 0.5]}, "scale": [-1, 1], "value": -0.25}
    given["scores"].append({"metric": "Broken", "error": {"kind": "no_score", "message": "The model said nothing."}})
    report = import_rows(workplace, tmp_path, [given])
    (one,) = stored(workplace)
    assert (one.sample.key, one.sample.candidate, one.sample.human) == (given["id"], given["caption"], given["human"])
    assert one.sample.references == tuple(given["references"])
    assert one.sample.judgements == tuple(map(float, given["judgements"]))
    assert (one.sample.image.name, one.sample.image.width, one.sample.image.height) == ("secretpicture-0.png", 64, 48)
    by_metric = {outcome.metric: outcome for outcome in one.outcomes}
    zork, broken = by_metric["ZorkScore"], by_metric["Broken"]
    assert isinstance(zork, Score) and (zork.value, zork.scale) == (-0.25, (-1.0, 1.0))
    assert zork.components == {"raw": 0.85, "digits": (0.5, 0.5)}
    assert zork.explanation.rationales == given["scores"][0]["rationales"]
    assert isinstance(broken, EvaluationError) and broken.message == "The model said nothing."
    assert (report.counts.samples, report.counts.scores, report.counts.scores_added) == (1, 4, 4)


def test_the_same_file_twice_adds_nothing(workplace: Workplace, tmp_path: Path) -> None:
    first = import_rows(workplace, tmp_path, rows(4)).counts
    before = stored(workplace)
    second = import_rows(workplace, tmp_path, rows(4)).counts
    assert (first.samples, first.samples_added, first.scores, first.scores_added) == (4, 4, 12, 12)
    assert (second.samples, second.samples_added, second.scores, second.scores_added) == (4, 0, 12, 0)
    assert stored(workplace) == before


def test_the_same_samples_without_keys_twice_add_nothing(workplace: Workplace, tmp_path: Path) -> None:
    samples = [bare(sample, "scores") for sample in rows(4)]
    import_rows(workplace, tmp_path, samples)
    before = stored(workplace)
    assert import_rows(workplace, tmp_path, samples).counts.samples_added == 0
    assert stored(workplace) == before


def test_a_bad_row_in_the_second_file_takes_the_first_one_back(workplace: Workplace, tmp_path: Path) -> None:
    good, bad = rows(1), rows(1)
    bad[0]["caption"] = ""
    files = [write_rows(tmp_path, good, "a.jsonl"), write_rows(tmp_path, bad, "b.jsonl")]
    with pytest.raises(BadRow, match=r"^b\.jsonl, row 1, field caption"):
        import_files(workplace, "jsonl", files)
    assert workplace.repository.samples.datasets() == ()


def test_gaps_of_a_known_sample_are_filled_and_what_is_there_stays(workplace: Workplace, tmp_path: Path) -> None:
    (full,) = rows(1)
    import_rows(workplace, tmp_path, [bare(full)])
    (one,) = stored(workplace)
    assert one.sample.key.startswith("~")
    import_rows(workplace, tmp_path, [bare(full, "id", "references", "human", "judgements", "scores")])
    (two,) = stored(workplace)
    assert (two.id, two.sample.key, two.sample.human) == (one.id, full["id"], full["human"])
    assert (two.sample.references, len(two.outcomes)) == (tuple(full["references"]), 3)
    for other in ({"human": 1.0}, {"references": ["Another one."]}, {"judgements": [4]}):
        with pytest.raises(BadRow, match="the value already stored"):
            import_rows(workplace, tmp_path, [full | other])
    (three,) = stored(workplace)
    assert three == two


def test_a_human_judgement_of_nought_is_not_a_gap(workplace: Workplace, tmp_path: Path) -> None:
    (sample,) = rows(1)
    import_rows(workplace, tmp_path, [sample | {"human": 0.0}])
    with pytest.raises(BadRow, match="already stored for secretkey-0: 0.0"):
        import_rows(workplace, tmp_path, [sample | {"human": 0.75}])
    assert stored(workplace)[0].sample.human == 0.0


def test_a_row_that_means_two_samples_and_contradicts_one_of_them_is_refused(
    workplace: Workplace, tmp_path: Path
) -> None:
    one = rows(1, ("ZorkScore",))[0] | {"image": "missing.png"}
    first, second = one | {"id": "k1", "scores": [score("ZorkScore", 0.25)]}, one | {"id": "k2"}
    import_rows(workplace, tmp_path, [first, second | {"scores": [score("ZorkScore", 0.5)]}])
    before = stored(workplace)
    with pytest.raises(BadRow, match=r"the same score as before \(0.25\)"):
        import_rows(workplace, tmp_path, [bare(one) | {"scores": [score("ZorkScore", 0.5)]}])
    assert stored(workplace) == before


def test_a_score_under_another_signature_stands_beside_the_first(workplace: Workplace, tmp_path: Path) -> None:
    (sample,) = rows(1)
    import_rows(workplace, tmp_path, [sample])
    again = score("ZorkScore", 0.9, signature="ZorkScore|prompt:b")
    assert import_rows(workplace, tmp_path, [sample | {"scores": [again]}]).counts.scores_added == 1
    values = sorted(o.value for o in stored(workplace)[0].outcomes if o.metric == "ZorkScore")
    assert values == [0.0, 0.9]


def test_a_file_of_scores_only_attaches_to_the_samples_it_means(workplace: Workplace, tmp_path: Path) -> None:
    samples = rows(3)
    import_rows(workplace, tmp_path, samples)
    scores = [bare(s) | {"scores": [score("LateScore", 0.5)], "caption": f"  {s['caption']} "} for s in samples]
    counts = import_rows(workplace, tmp_path / "scores", scores).counts
    assert (counts.samples, counts.samples_added, counts.scores_added) == (3, 0, 3)
    assert [one.sample.candidate for one in stored(workplace)] == [sample["caption"] for sample in samples]
    assert summary(workplace).scores["LateScore"] == 3


def fleur_file(path: Path, *scores: tuple[str, float]) -> Path:
    """FLEUR's result file: caption and score of each sample, all of one picture."""
    blocks = (f"image file : a.jpg\ncaption : {text}\nmodel score : 0.5\nour score : {s}\n\n" for text, s in scores)
    path.write_text("coco dataset\n" + "".join(blocks))
    return path


def imported(workplace: Workplace, *files: Path, dataset: str = "mine", form: str = "fleur-results") -> ImportCounts:
    return import_files(workplace, form, list(files), dataset=dataset).counts


def test_two_pairs_alike_in_a_result_file_stay_two_samples(workplace: Workplace, tmp_path: Path) -> None:
    rows = (("a dog", 0.5), ("a cat", 0.25), ("a dog", 0.5), ("a dog", 0.75))
    file = fleur_file(tmp_path / "fleur_composite.txt", *rows)
    ref = fleur_file(tmp_path / "reffleur_composite.txt", ("a cat", 0.3), ("a dog", 0.6))
    counts = imported(workplace, file)
    assert (counts.samples_added, counts.scores_added) == (4, 4)
    found = [(s.sample.candidate, o.value) for s in stored(workplace) for o in s.outcomes if isinstance(o, Score)]
    assert sorted(found) == sorted(rows)
    again = imported(workplace, file)
    assert (again.samples_added, again.scores_added) == (0, 0)
    other = imported(workplace, ref)
    assert (other.samples_added, other.scores_added) == (0, 4)  # one score of a dog belongs to all three


@pytest.mark.slow
def test_the_published_composite_file_keeps_all_its_pairs(
    workplace: Workplace, shared_dir: Path, tmp_path: Path
) -> None:
    packed = shared_dir / "data/benchmarks/fleur_composite.txt.gz"
    (tmp_path / "fleur_composite.txt").write_bytes(gzip.decompress(packed.read_bytes()))
    counts = imported(workplace, tmp_path / "fleur_composite.txt")
    assert (counts.samples_added, counts.scores_added) == (11_985, 11_985)


def test_an_explanation_that_comes_after_its_score_is_taken_in(workplace: Workplace, tmp_path: Path) -> None:
    (sample,) = rows(1, ["ZorkScore"])
    without = [{"metric": "ZorkScore", "value": sample["scores"][0]["value"]}]
    import_rows(workplace, tmp_path, [sample | {"scores": without}])
    assert summary(workplace).explained == {}
    counts = import_rows(workplace, tmp_path, [sample]).counts
    assert (counts.scores, counts.scores_added) == (1, 0)
    (outcome,) = stored(workplace)[0].outcomes
    assert outcome.explanation.rationales == sample["scores"][0]["rationales"]
    assert summary(workplace).explained == {"ZorkScore": 1}


def test_an_explanation_that_is_there_is_never_replaced(workplace: Workplace, tmp_path: Path) -> None:
    (sample,) = rows(1, ["ZorkScore"])
    import_rows(workplace, tmp_path, [sample])
    before = stored(workplace)
    other = sample["scores"][0] | {"rationales": {"overall": "Other words."}}
    import_rows(workplace, tmp_path, [sample | {"scores": [other]}])
    assert stored(workplace) == before


def test_a_picture_that_is_none_counts_as_missing_and_the_reason_is_told(workplace: Workplace, tmp_path: Path) -> None:
    samples = rows(2)
    path = write_rows(tmp_path, samples)
    picture(tmp_path / samples[0]["image"])
    (tmp_path / samples[1]["image"]).write_text("<svg xmlns='http://www.w3.org/2000/svg' onload='alert(1)'/>")
    report = import_files(workplace, "jsonl", [path])
    assert (report.counts.images_found, report.counts.images_missing) == (1, 1)
    assert report.unreadable[0].startswith(
        "secretpicture-1.png: the file is no picture of a supported format (JPEG, PNG"
    )


@pytest.mark.parametrize("name", ["", "   ", "x" * 81, "two\nlines", "bell\x07"])
def test_a_data_set_needs_a_name_that_can_be_read(workplace: Workplace, tmp_path: Path, name: str) -> None:
    with pytest.raises(BadSetting, match="1 to 80 printable characters"):
        import_files(workplace, "jsonl", [write_rows(tmp_path, rows(1))], name)

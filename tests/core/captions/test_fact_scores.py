from pathlib import Path

import pytest

from core.captions.facts import Fact, read_facts
from core.errors import BadFile, BadRow
from tests.core.captions.fact_scores import (
    GoldGraph,
    evaluate,
    read_gold_graphs,
    set_match,
    singular_words,
    spice_f,
    tuples,
)

GOLD = read_facts("( pigs , is , 2 ) , ( pigs , on , grass )")


def test_tuples_are_things_attributes_and_relations() -> None:
    assert tuples(GOLD) == {("pig",), ("grass",), ("pig", "2"), ("pig", "on", "grass")}


def test_f_is_the_harmonic_mean_of_precision_and_recall_over_tuples() -> None:
    found = read_facts("( pig , is , 2 ) , ( pig , in , grass )")  # 3 of 4 tuples shared, 4 on each side
    assert spice_f(found, GOLD) == pytest.approx(2 * 0.75 * 0.75 / (0.75 + 0.75))


def test_the_same_facts_match_whatever_their_order_and_number() -> None:
    assert set_match(read_facts("( pig , on , grass ) , ( pig , is , 2 )"), GOLD)
    assert not set_match(GOLD[:1], GOLD)


def test_nothing_agrees_with_nothing_only() -> None:
    assert spice_f((), ()) == 1.0
    assert spice_f((), GOLD) == 0.0


def test_agreement_is_the_mean_over_captions_times_a_hundred() -> None:
    golds = [GoldGraph("two pigs on grass", GOLD, main=GOLD[1]), GoldGraph("two pigs on grass", GOLD)]
    result = evaluate([GOLD, ()], golds)
    assert (result.captions, result.set_match, result.spice_f, result.spice_f_synonyms) == (2, 50.0, 50.0, 50.0)
    assert (result.main_facts, result.main_right) == (1, 100.0)
    assert evaluate([GOLD[:1]], golds[:1]).main_right == 0.0


def test_synonyms_match_once_each_and_after_equal_tuples() -> None:
    def synonyms(one: str, other: str) -> bool:
        return {one, other} == {"pig", "hog"}

    found = read_facts("( hog , is , 2 ) , ( hog , on , grass )")
    assert spice_f(found, GOLD) == pytest.approx(1 / 4)  # grass alone
    assert spice_f(found, GOLD, synonyms) == 1.0
    both = read_facts("( hog , is , 2 ) , ( pig , is , 2 )")
    assert spice_f(both, read_facts("( pig , is , 2 )"), synonyms) == pytest.approx(2 * 2 / (4 + 2))


def test_candidates_and_golds_must_pair_up() -> None:
    with pytest.raises(ValueError):
        evaluate([GOLD], [])


@pytest.mark.parametrize(
    ("plural", "one"),
    [("buses", "bus"), ("grass", "grass"), ("benches", "bench"), ("Ponies", "pony"),
     ("tennis rackets", "tennis racket"), ("women", "woman"), ("is", "is"),
     ("cactus", "cactus"), ("skis", "ski"), ("boxes", "box")],
)  # fmt: skip
def test_words_are_compared_in_the_singular(plural: str, one: str) -> None:
    assert singular_words(plural) == one


def written(folder: Path, text: str) -> Path:
    file = folder / "graphs.csv"
    file.write_text(text, encoding="utf-8")
    return file


def test_rows_are_captions_with_their_facts(tmp_path: Path) -> None:
    file = written(tmp_path, 'image_id,caption,scene_graph\n1,"pig, big","( pig , is , big )"\n')
    assert read_gold_graphs(file) == [GoldGraph("pig, big", (Fact("pig", "is", "big"),))]


def test_a_missing_column_is_named(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="found no scene_graph"):
        read_gold_graphs(written(tmp_path, "caption\npig\n"))


def test_a_missing_file_is_said_to_be_so(tmp_path: Path) -> None:
    with pytest.raises(BadFile, match="cannot be read"):
        read_gold_graphs(tmp_path / "none.csv")


def test_a_graph_without_facts_names_its_row(tmp_path: Path) -> None:
    with pytest.raises(BadRow, match="row 3, field scene_graph"):
        read_gold_graphs(written(tmp_path, 'caption,scene_graph\npig,( pig )\npig,""\n'))


def test_bytes_that_are_no_text_are_refused(tmp_path: Path) -> None:
    file = tmp_path / "graphs.csv"
    file.write_bytes(b"caption,scene_graph\n\xff\xfe,( a )\n")
    with pytest.raises(BadFile, match="UTF-8"):
        read_gold_graphs(file)

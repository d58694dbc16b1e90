"""Files of judged captions in, JSONL of conversations out and in again."""

import json
import stat
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadFile, BadRow, BadSetting
from core.training.expert.conversations import Conversation, build
from core.training.expert.files import find_pictures, read_jsonl, read_judged, write_jsonl

EXPLANATION = {"fluency": "Reads well.", "relevance": "A dog, yes.", "descriptiveness": "Bare."}
CONVERSATION = Conversation("p/1", "Polaris/a1.jpg", ("<image>\nScore?", "0.8", "Why?", "Fluency: é\u2028."))


def exp_file(path: Path, *rows: dict[str, Any]) -> Path:
    whole = {"id": "val_1", "imgid": "a1", "mt": "a dog", "score": 0.5, "count": 3, "explanation": EXPLANATION}
    path.write_text(json.dumps([{**whole, **row} for row in rows]))
    return path


def test_polaris_and_nebula_rows_of_one_caption_become_one_conversation(tmp_path: Path) -> None:
    polaris = exp_file(tmp_path / "polaris_exp.json", {"score": 0.2}, {"id": "val_2", "imgid": "b2", "score": 1.0})
    nebula = exp_file(tmp_path / "nebula_exp.json", {"score": 0.3, "count": None})
    built = build(read_judged([polaris, nebula]))
    assert [(each.id, each.image, each.turns[1]) for each in built] == [
        ("polaris_exp/val_1", "Polaris/a1.jpg", "0.3"),  # the mean 1/4, half up
        ("polaris_exp/val_2", "Polaris/b2.jpg", "1.0"),
    ]


def test_nebula_pictures_are_in_their_own_folder(tmp_path: Path) -> None:
    (row,) = read_judged([exp_file(tmp_path / "Nebula_exp.json", {"imgid": "c3.png"})])
    assert (row.id, row.image) == ("Nebula_exp/val_1", "Nebula/c3.png")


def test_two_files_of_one_name_are_refused_as_their_ids_would_clash(tmp_path: Path) -> None:
    (tmp_path / "more").mkdir()
    paths = [exp_file(tmp_path / "polaris.json", {}), exp_file(tmp_path / "more" / "polaris.json", {})]
    with pytest.raises(BadSetting, match="different names"):
        list(read_judged(paths))


def test_a_bad_row_stops_the_reading_and_names_its_place(tmp_path: Path) -> None:
    with pytest.raises(BadRow, match=r"polaris\.json, row 2, field score: expected a number from 0 to 1, found 1.5"):
        list(read_judged([exp_file(tmp_path / "polaris.json", {}, {"id": "val_2", "score": 1.5})]))


@pytest.mark.parametrize("row", [{"mt": "an <image> tag"}, {"explanation": {**EXPLANATION, "fluency": "<image>"}}])
def test_a_text_that_holds_the_placeholder_of_the_picture_is_refused(tmp_path: Path, row: dict[str, Any]) -> None:
    with pytest.raises(BadRow, match="captions and explanations without <image>"):
        list(read_judged([exp_file(tmp_path / "polaris.json", row)]))


def test_the_real_file_gives_its_captions_once_each_in_their_bins(shared_dir: Path) -> None:
    built = build(read_judged([shared_dir / "data" / "expert" / "polaris_exp_val.json"]))
    assert len(built) == 4234  # of 4,237 rows: three captions stand there twice, once with spaces behind them
    assert len({each.id for each in built}) == 4234
    assert len({each.image for each in built}) == 2738
    assert Counter(each.turns[1] for each in built) == {
        "0.0": 1003, "0.1": 14, "0.2": 24, "0.3": 72, "0.4": 138, "0.5": 446, "0.6": 560, "0.7": 682, "0.8": 983,
        "0.9": 291, "1.0": 21,
    }  # fmt: skip
    assert built[0].image == "Polaris/e00d9a3a68f914ca3f52c8f05c08b685.jpg"
    assert built[0].turns[1] == "0.8"  # 0.78125


def test_what_is_written_is_read_again_and_everyone_may_read_it(tmp_path: Path) -> None:
    path = tmp_path / "sft.jsonl"
    write_jsonl(path, [CONVERSATION, CONVERSATION])
    assert read_jsonl(path) == [CONVERSATION, CONVERSATION]
    assert path.read_bytes().count(b"\n") == 2
    assert stat.S_IMODE(path.stat().st_mode) == 0o644


def test_a_failed_write_leaves_the_old_file_and_nothing_else(tmp_path: Path) -> None:
    def broken() -> Iterator[Conversation]:
        yield CONVERSATION
        raise KeyboardInterrupt

    path = tmp_path / "sft.jsonl"
    path.write_text("old")
    with pytest.raises(KeyboardInterrupt):
        write_jsonl(path, broken())
    assert [each.name for each in tmp_path.iterdir()] == ["sft.jsonl"]
    assert path.read_text() == "old"


def test_writing_into_no_folder_says_so(tmp_path: Path) -> None:
    with pytest.raises(BadSetting, match="create it first"):
        write_jsonl(tmp_path / "none" / "sft.jsonl", [CONVERSATION])


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("{", "line"),
        ("[]", "line"),
        ('{"id": "1", "image": "", "conversations": []}', "line"),
        ('{"id": "1", "image": "a.jpg", "conversations": []}', "conversations"),
        (json.dumps({**CONVERSATION.as_json(), "conversations": [{"from": "gpt", "value": "?"}] * 4}), "conversations"),
        (json.dumps(CONVERSATION.as_json()).replace("<image>", ""), "conversations"),
        (json.dumps(CONVERSATION.as_json()).replace("Why?", "<image>"), "conversations"),
    ],
)
def test_a_line_that_is_no_two_stage_conversation_is_named(tmp_path: Path, line: str, field: str) -> None:
    path = tmp_path / "sft.jsonl"
    path.write_text(f"{json.dumps(CONVERSATION.as_json())}\n{line}\n")
    with pytest.raises(BadRow, match=rf"sft\.jsonl, row 2, field {field}"):
        read_jsonl(path)


def test_an_empty_or_absent_file_says_how_to_make_one(tmp_path: Path) -> None:
    (tmp_path / "empty.jsonl").write_text("\n")
    for name in ("empty.jsonl", "absent.jsonl"):
        with pytest.raises(BadFile, match="build-sft"):
            read_jsonl(tmp_path / name)


def conversation_about(image: str) -> Conversation:
    return Conversation(image, image, CONVERSATION.turns)


def test_a_picture_is_found_at_its_path_else_by_its_name_else_by_its_stem(tmp_path: Path) -> None:
    for name in ("Nebula/a1.jpg", "Polaris/a1.jpg", "flat.jpg", "deep/down/other.png"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).touch()
    asked = ["Polaris/a1.jpg", "Polaris/flat.jpg", "Nebula/other.jpg"]
    found = find_pictures([conversation_about(image) for image in asked], tmp_path)
    assert [str(path.relative_to(tmp_path)) for path in found] == ["Polaris/a1.jpg", "flat.jpg", "deep/down/other.png"]


def test_missing_pictures_are_counted_and_the_first_is_named(tmp_path: Path) -> None:
    (tmp_path / "a.jpg").touch()
    with pytest.raises(BadSetting, match=r"2 of 3 pictures are missing .* for example Polaris/b.jpg"):
        find_pictures([conversation_about(image) for image in ("a.jpg", "Polaris/b.jpg", "c.jpg")], tmp_path)


texts = st.text(st.characters(exclude_categories=["Cs"])).filter(lambda text: "<image>" not in text)


@given(st.lists(st.tuples(texts, texts.filter(bool), texts, texts, texts, texts), min_size=1))
def test_any_texts_come_back_from_the_file(tmp_path_factory: pytest.TempPathFactory, parts: list[Any]) -> None:
    path = tmp_path_factory.mktemp("sft") / "sft.jsonl"
    said = [
        Conversation(k, i, (f"<image>{a}", b, c, d)) for k, i, a, b, c, d in parts if "<image>" not in a + b + c + d
    ]
    write_jsonl(path, [*said, CONVERSATION])
    assert read_jsonl(path) == [*said, CONVERSATION]

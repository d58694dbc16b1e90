"""Published formats: what each reader makes of a small file in its own schema, and which rows it refuses."""

import copy
import json
from dataclasses import fields
from pathlib import Path
from typing import Any

import pyarrow
import pytest
from pyarrow import parquet

from core.datasets.base import Record
from core.errors import BadFile, BadRow
from core.types import EvaluationError, Pair

SAID = {"fluency": "Fluent.", "relevance": "Relevant.", "descriptiveness": "Brief."}
EXPLAINED = {"id": "v1", "imgid": "e00d", "mt": " a group ", "score": 0.75, "count": 8, "explanation": SAID}
NEBULA = {"imgid": "x/1.jpg", "mt": "A dog.", "refs": ["Dogs."], "score": 0.5, "system": "vinvl"}
COMPOSITE = {"image": "val2014/a.jpg", "caption": "A dog .", "human": 3, "references": ["Dogs ."], "model": "vinvl"}
PASCAL = {"image": "VOC2012/x.jpg", "captions": ["A cat.", "A dog."], "label": 1, "references": ["Pets."]}
THUMB = {
    **{"SYS": "vinvl", "hyp": "a dog on grass", "image": "val2014/COCO_val2014_000000391895.jpg"},
    **{"P": 5, "R": 3.5, "Fl": -0.0, "Con": -0.1, "Inc": 0, "human_score": 4.15},
}
DEDUCED = (("precision", 5.0), ("recall", 3.5), ("fluency", 0.0), ("conciseness", -0.1), ("inclusive language", 0.0))
BATTLE = {
    **{"img": "test_00123", "source1": "model-a", "source2": "human", "winner": "human", "ref": "Dogs on a lawn."},
    **{"caption1": "A dog runs.", "caption2": "Two dogs run over a lawn."},
}
COCO = {
    "images": [{"id": 1, "file_name": "val2017/dog.jpg"}],
    "annotations": [{"id": 7, "image_id": 1, "caption": " A dog "}, {"id": 8, "image_id": 1, "caption": "A hound."}],
}
FOIL = {
    "images": [{"id": 7, "file_name": "COCO_val2014_000000000007.jpg"}],
    "annotations": [
        {"id": 1, "image_id": 7, "caption": "A cat sits.", "foil": False},
        {"id": 1, "image_id": 7, "caption": "A dog sits.", "foil": True},
        {"id": 2, "image_id": 7, "caption": "A bus sits.", "foil": True},
        {"id": 2, "image_id": 7, "caption": "A cat sits here.", "foil": False},
        {"id": 2, "image_id": 7, "caption": "A car sits here.", "foil": True},
    ],
}
EXPERT = {"image_file": "Flickr8k_Dataset/1_a.jpg", "caption": "A cat .", "expert_score": 0.8, "human_score": 1.0}
EXPERT_PAIR = {
    **{"image_file": "VOC2012/2008_000001.jpg", "caption_1": "A cat .", "expert_score_1": 0.8, "explanation_1": SAID},
    **{"caption_2": "A dog .", "expert_score_2": 0.1, "explanation_2": None, "human_label": 1},
}
BLOCK = (
    'image file : Flickr8k_Dataset/1_a.jpg\ncaption : A sign : "no : dogs" .\nmodel score : 0.85\nour score : 0.78\n'
)
LONG_BLOCK = BLOCK + "explanation : The caption : it fits.\n\nIts second paragraph.\n- a list</s>\n\n"
UNSCORED = "image file : Flicker8k_Dataset/2_b.jpg\ncaption :  A dog .\x20\n"
PASCAL_BLOCK = "image : https://x.edu/PASCAL/2008_005747.jpg\nlabel : 1\n\n" + "\n".join(
    f"caption : {text}\nmodel score : 0.9\nour score : {score}\n"
    for text, score in (("The front : side .", 0.75), ("Close up .", 0.5))
)


def flickr(*judgements: tuple[str, object], folder: str = "Flickr8k_Dataset") -> dict[str, Any]:
    judged = [{"caption": caption, "rating": rating} for caption, rating in judgements]
    return {"image_path": f"{folder}/1_a.jpg", "ground_truth": ["A dog .", "Dogs ."], "human_judgement": judged}


FLICKR = {"image": "1_a.jpg", "references": ("A dog .", "Dogs .")}
OF_PASCAL = {"image": "x.jpg", "references": ("Pets.",)}
OF_BATTLE = {"image": "test_00123", "references": ("Dogs on a lawn.",)}
OF_FOIL = {"image": "COCO_val2014_000000000007.jpg"}


def brief(record: Record) -> dict[str, Any]:
    """Return the fields of a record that have no default, its scores as pairs."""
    values = {one.name: getattr(record, one.name) for one in fields(record) if one.name not in ("file", "row")}
    values["scores"] = [
        (one.metric, one.kind if isinstance(one, EvaluationError) else one.value) for one in record.scores
    ]
    values["human"] = None if record.human is None else pytest.approx(record.human, abs=1e-12)
    return {
        name: value
        for name, value in values.items()
        if value is not None and value is not False and value not in ((), [])
    }


def said(key: str | None, candidate: str, human: float | None = None, **more: Any) -> dict[str, Any]:
    """Return what a record of a caption has."""
    given = {"key": key, "human": human} | more
    return {"candidate": candidate} | {name: value for name, value in given.items() if value is not None}


GROUP = flickr(("A cat .", 1.0), ("A cat .", 2.0), ("A cat .", 4), ("A dog .", 4.0), ("A cat .", float("nan")))
# Format, file, content, records
READ: list[tuple[str, str, object, list[dict[str, Any]]]] = [
    (
        "flickr8k-expert",
        "f.json",
        {"1_a": GROUP},
        [
            said("1_a#1", "A cat .", (7 / 3 - 1) / 3, judgements=(1, 2, 4), **FLICKR),
            said("1_a#2", "A dog .", 1.0, judgements=(4,), **FLICKR),
            said("1_a#3", "A cat .", **FLICKR),
        ],
    ),
    (
        "flickr8k-cf",
        "f.json",
        {"1_a": flickr(("A dog .", 2 / 3), ("A dog .", 1.0), folder="Flicker8k_Dataset")},
        [said("1_a#1", "A dog .", 2 / 3, **FLICKR), said("1_a#2", "A dog .", 1.0, **FLICKR)],
    ),
    (
        "composite",
        "c.json",
        {
            "flickr8k": [COMPOSITE | {"image": "b.jpg", "human": 5, "references": None, "model": None}],
            "coco": [COMPOSITE],
        },
        [
            said("flickr8k#1", "A dog .", 1.0, image="b.jpg", judgements=(5,)),
            said("coco#1", "A dog .", 0.5, image="a.jpg", judgements=(3,), references=("Dogs .",), system="vinvl"),
        ],
    ),
    (
        "nebula",
        "nebula_test.json",
        [NEBULA],
        [said("nebula_test#1", "A dog.", 0.5, image="1.jpg", references=("Dogs.",), system="vinvl")],
    ),
    (
        "polaris",
        "polaris_val.csv",
        "mt,refs,score,imgid,model\n\"A dog, or a\nhound.\",\"['Dogs.', 'It''s one.']\",0.5,x/1.jpg,vinvl\n",
        [
            said("polaris_val#2", "A dog, or a\nhound.", 0.5, image="1.jpg", system="vinvl")
            | {"references": ("Dogs.", "Its one.")}
        ],
    ),
    (
        "thumb",
        "thumb.jsonl",
        json.dumps(THUMB),
        [
            said("thumb#1", "a dog on grass", 0.83, image="COCO_val2014_000000391895.jpg", system="vinvl")
            | {"scores": [(f"THumB {part}", score) for part, score in DEDUCED]}
        ],
    ),
    (
        "pascal50s",
        "p.json",
        {"HI": [PASCAL]},
        [
            said(f"HI#1/{n}", text, pair=Pair("HI#1", n, 1, "HI"), **OF_PASCAL)
            for n, text in enumerate(PASCAL["captions"])  # type: ignore[arg-type]  # it is a list
        ],
    ),
    (
        "foil",
        "foil.json",
        FOIL,
        [
            said(f"{pair}/{n}", text, pair=Pair(pair, n, 0), **OF_FOIL)
            for pair, texts in (
                ("1#1", ("A cat sits.", "A dog sits.")),
                ("2#1", ("A cat sits here.", "A bus sits.")),
                ("2#2", ("A cat sits here.", "A car sits here.")),
            )
            for n, text in enumerate(texts)
        ],
    ),
    (
        "caparena",
        "arena.json",
        [BATTLE, BATTLE | {"winner": "equal", "cluster": "level 2"}, BATTLE | {"winner": "skip", "cluster": "level 2"}],
        [
            said(f"arena#{row}/{n}", BATTLE[f"caption{n + 1}"], system=BATTLE[f"source{n + 1}"], **OF_BATTLE)
            | {"pair": Pair(f"arena#{row}", n, preferred, level)}
            for row, preferred, level in ((1, 1, None), (2, None, "level 2"), (3, None, "skip"))
            for n in (0, 1)
        ],
    ),
    (
        "coco-captions",
        "captions.json",
        COCO,
        [
            said(key, text, image="val2017/dog.jpg", references=(other,), own=(("image_id", "1"),))
            for key, text, other in (("7", " A dog ", "A hound."), ("8", "A hound.", " A dog "))
        ],
    ),
    (
        "coco-results",
        "captions_val2014_up_down_results.json",
        [{"image_id": 391895, "caption": "A man. "}, {"image_id": 1.0, "caption": "A dog.", "system": "other"}],
        [
            said(f"captions_val2014_up_down_results#{n}", text, image=f"{n:012}.jpg", system=system)
            for n, text, system in ((391895, "A man. ", "up_down"), (1, "A dog.", "other"))
        ],
    ),
    (
        "expert-results",
        "EXPERT-llava_flickr8k.json",
        [
            *(EXPERT | {"human_score": judgement} for judgement in (1.0, 2.0, 4.0)),
            {"image_file": "1_a.jpg", "caption": "A dog .", "human_score": 4.0},
        ],
        [
            said(None, text, human, image="1_a.jpg", judgements=judgements, is_sample=True, scores=[("EXPERT", score)])
            for text, human, judgements, score in (
                ("A cat .", (7 / 3 - 1) / 3, (1, 2, 4), 0.8),
                ("A dog .", 1.0, (4,), "no_score"),
            )
        ],
    ),
    (
        "expert-results",
        "EXPERT_exp_pascal_50s_hc.json",
        [EXPERT_PAIR],
        [
            said(f"HC#1/{n}", text, image="2008_000001.jpg", pair=Pair("HC#1", n, 1, "HC"), scores=[("EXPERT", score)])
            for n, text, score in ((0, "A cat .", 0.8), (1, "A dog .", 0.1))
        ],
    ),
    (
        "fleur-results",
        "reffleur_composite.txt",
        "flickr8k dataset\n\n" + LONG_BLOCK + "coco dataset\n\n" + UNSCORED,
        [
            said(None, text, image=image, is_sample=True, scores=[("RefFLEUR", score)])
            for text, image, score in (
                ('A sign : "no : dogs" .', "1_a.jpg", 0.78),
                (" A dog . ", "2_b.jpg", "no_score"),
            )
        ],
    ),
    (
        "fleur-results",
        "fleur_pascal_HC.txt",
        PASCAL_BLOCK + "\ntrue count : 1\ntie count : 0",
        [
            said(f"HC#1/{n}", text, image="2008_005747.jpg", pair=Pair("HC#1", n, 1, "HC"), is_sample=True)
            | {"scores": [("FLEUR", score)]}
            for n, text, score in ((0, "The front : side .", 0.75), (1, "Close up .", 0.5))
        ],
    ),
]


@pytest.mark.parametrize(("name", "file", "content", "expected"), READ)
def test_a_file_is_read_as_its_authors_meant_it(
    name: str, file: str, content: object, expected: list[dict[str, Any]], write, read
) -> None:
    assert [brief(record) for record in read(name, write(file, content))] == expected


def changed(good: dict[str, Any], **changes: object) -> dict[str, Any]:
    return {name: value for name, value in (copy.deepcopy(good) | changes).items() if value is not ...}


# Format, a good entry, changes that make it bad
BAD: list[tuple[str, dict[str, Any], list[dict[str, Any]]]] = [
    ("polaris-exp", EXPLAINED, [{"id": 7}, {"id": " "}, {"imgid": ""}, {"mt": "  \n"}, {"mt": ...}, {"score": True}]),
    ("polaris-exp", EXPLAINED, [{"score": "0.5"}, {"score": 1.01}, {"score": float("nan")}, {"score": 10**400}]),
    (
        "polaris-exp",
        EXPLAINED,
        [{"count": 2.5}, {"count": "8"}, {"explanation": []}, {"explanation": SAID | {"fluency": ""}}],
    ),
    ("nebula", NEBULA, [{"refs": "Dogs."}, {"score": -0.1}, {"imgid": None}, {"system": "two\nlines\0"}]),
    ("caparena", BATTLE, [{"winner": "somebody"}, {"caption2": ""}, {"source1": 3}]),
    ("expert-results", EXPERT, [{"image_file": 3}, {"caption": " "}, {"expert_score": "0.5"}, {"expert_score": None}]),
    ("expert-results", EXPERT, [{"expert_score": 1.5}, {"human_score": "1"}, {"explanation": {"fluency": 3}}]),
    ("expert-results", EXPERT_PAIR, [{"human_label": 2}, {"human_label": True}, {"caption_2": ""}, {"caption_1": 3}]),
    ("coco-results", {"image_id": 2, "caption": "A dog."}, [{"image_id": [1]}, {"image_id": -1}, {"caption": None}]),
    ("thumb", THUMB, [{"P": 6}, {"R": "3"}, {"Con": 0.1}, {"human_score": -1}, {"hyp": " "}, {"image": None}]),
]


@pytest.mark.parametrize(("name", "good", "all_changes"), BAD)
def test_a_bad_field_is_named_with_its_row_and_the_other_rows_are_kept(
    name: str, good: dict[str, Any], all_changes: list[dict[str, Any]], write, skim
) -> None:
    for changes in all_changes:
        id_of = next((field for field in ("id", "image_id", "caption") if field in good), "other")
        rows = [good | {id_of: "1"}, changed(good | {id_of: "2"}, **changes), good | {id_of: "3"}]
        content = "\n".join(map(json.dumps, rows)) if name == "thumb" else rows
        records, problems = skim(name, write("rows.json", content))
        assert {record.row for record in records} <= {1, 3} and records, changes
        assert [bad.row for bad in problems] == [2] and problems[0].field.startswith(next(iter(changes))), changes


RATING = "human_judgement"
AGAIN = {"id": 7, "image_id": 1, "caption": "A."}
# Format, content, (row, field) of its errors, number of records
NESTED = [
    (
        "flickr8k-expert",
        {"a": flickr(("A .", 1), ("B .", 2), ("B .", 4.5), ("C .", 3))},
        [(1, f"{RATING}[2].rating")],
        2,
    ),
    ("flickr8k-expert", {"a": flickr() | {"human_judgement": 3}, "b": "x"}, [(1, RATING), (2, "row")], 0),
    ("flickr8k-cf", {"a": flickr(("A .", 3.0))}, [(1, f"{RATING}[0].rating")], 0),
    ("composite", {"coco": [COMPOSITE, COMPOSITE | {"human": 6}, "x", COMPOSITE]}, [(2, "coco.human"), (3, "row")], 2),
    ("pascal50s", {"HC": [PASCAL | {"captions": ["A cat."]}, PASCAL]}, [(1, "HC.captions")], 2),
    ("pascal50s", {"HC": [PASCAL | {"label": True}, PASCAL]}, [(1, "HC.label")], 2),
    ("coco-captions", COCO | {"annotations": [*COCO["annotations"], AGAIN]}, [(3, "id")], 2),
    ("coco-captions", COCO | {"annotations": [AGAIN | {"image_id": 2}, None]}, [(1, "image_id"), (2, "row")], 0),
    ("coco-results", [{"image_id": n, "caption": "A."} for n in (1, 1, "1")], [(2, "id"), (3, "id")], 1),
    ("expert-results", [EXPERT, EXPERT | {"expert_score": 0.7}], [(2, "expert_score")], 0),
    ("polaris-exp", [EXPLAINED, EXPLAINED, "text"], [(2, "id"), (3, "row")], 1),
    ("fleur-results", PASCAL_BLOCK.replace("label : 1", "label : 3") + "\n" + PASCAL_BLOCK, [(1, "line 1, label")], 2),
]


@pytest.mark.parametrize(("name", "content", "bad", "good"), NESTED)
def test_a_bad_part_of_a_file_leaves_the_other_parts(
    name: str, content: object, bad: object, good: int, write, skim
) -> None:
    records, problems = skim(name, write("m_flickr8k.json", content))
    assert ([(one.row, one.field) for one in problems], len(records)) == (bad, good)


def test_a_bad_foil_leaves_its_pair_out_and_a_foil_needs_its_image(write, skim, read) -> None:
    content = copy.deepcopy(FOIL)
    content["annotations"][1]["foil"] = "True"
    records, problems = skim("foil", write("foil.json", content))
    assert {record.pair.key for record in records} == {"2#1", "2#2"}
    assert [(bad.row, bad.field, bad.found) for bad in problems] == [
        (2, "foil", "True"),
        (1, "id", "1 originals and 0 foils"),
    ]
    with pytest.raises(BadRow, match="image_id: expected the id of one of the file's images, found 7"):
        read("foil", write("foil.json", FOIL | {"images": []}))


@pytest.mark.parametrize(
    ("name", "content", "problem"),
    [
        ("foil", FOIL | {"images": [{"id": "7"}]}, "images, entry 1"),
        ("foil", {"images": []}, "'annotations' is missing"),
        ("coco-captions", COCO | {"images": None}, "'images' is missing"),
        ("composite", {"HC": {}}, "the list of captions 'HC' is missing"),
        ("pascal50s", {"HC": {}}, "the list of items 'HC' is missing"),
        ("spica", "imgid,mt\na,b\n", "'score' is missing"),
        ("spica", 'imgid,mt,score\n"a"b,c,1\n', "the file is not CSV"),
        ("fleur-results", "Dear all,\nhere are the scores.\n", "choose another format"),
        ("nebula-corrected", [NEBULA], "spica_train.csv, spica_val.csv, spica_test.csv"),
        (
            "flickr8k-cf",
            "a.jpg\tc.jpg#2\t1\t3\t0\n",
            r"put Flickr8k\.token\.txt or flickr8k\.json into the same folder",
        ),
    ],
)
def test_a_file_of_another_kind_says_what_is_missing(name: str, content: object, problem: str, write, read) -> None:
    with pytest.raises(BadFile, match=problem):
        read(name, write("file.csv" if name == "spica" else "file.json", content))


def test_corrected_labels_are_spicas_means_and_the_published_ones_are_kept(write, read) -> None:
    write("spica_train.csv", "imgid,mt,score,refs\n1.jpg,A dog.,0.5,\"['Dogs.']\"\n1.jpg,A  dog.,1.0,\n")
    path = write("nebula_test.json", [NEBULA | {"score": 0.1}, NEBULA | {"mt": "A bird.", "score": 0.9}])
    dog, bird = read("nebula-corrected", path)
    assert (dog.human, bird.human) == (0.75, 0.9)
    assert [(one.metric, one.value) for one in dog.scores] == [("Nebula (published)", 0.1)]


def test_references_of_thumb_come_from_the_file_beside_it(write, skim) -> None:
    lines = [{"seg_id": "974", "refs": ["A dog.", "Two dogs."]}, {"seg_id": " ", "refs": ["A cat."]}]
    write("mscoco_references.json", "\n".join(map(json.dumps, lines)))
    records, problems = skim("thumb", write("thumb.jsonl", json.dumps(THUMB | {"seg_id": "974"})))
    assert [record.references for record in records] == [("A dog.", "Two dogs.")]
    assert [(bad.file.name, bad.row, bad.field) for bad in problems] == [("mscoco_references.json", 2, "seg_id")]


LONG = {"file_name": "sa_1.jpg", "refs": ["A mall."], "cand": "An escalator.", "score": 0.625, "model": "vinvl"}


@pytest.mark.parametrize(
    ("name", "split"),
    [("dci_val.desc-00000.parquet", "dci_val.desc"), ("test.flu/0000.parquet", "test.flu"), ("rel.parquet", "rel")],
)
def test_a_longcap_file_is_of_one_criterion_which_its_name_or_folder_says(
    tmp_path: Path, skim, name: str, split: str
) -> None:
    path = tmp_path / name
    path.parent.mkdir(exist_ok=True)
    picture = {"image": {"bytes": b"\xff\xd8", "path": None}}
    parquet.write_table(pyarrow.Table.from_pylist([LONG | picture, LONG | picture | {"score": 62.5}]), path)
    (record,), (bad,) = skim("longcap-arena", path)
    assert (record.key, record.human, record.image) == (f"{split}#{path.stem}#1", 0.625, "sa_1.jpg")
    assert (record.references, record.candidate, record.system) == (("A mall.",), "An escalator.", "vinvl")
    assert (bad.row, bad.field) == (2, "score")
    with pytest.raises(BadFile, match="contains no criterion"):
        skim("longcap-arena", path.rename(tmp_path / "description.parquet"))


@pytest.mark.parametrize(
    ("name", "judgement", "human"),
    [
        ("m_flickr8k.json", 4.0, 1.0),
        ("m_crowdflower_flickr8k.json", 0.25, 0.25),
        ("m_exp_composite.json", 3, 0.5),
        ("m_nebula_test.json", 0.75, 0.75),
        ("mine.json", 3.0, None),
    ],
)
def test_the_scale_of_experts_human_scores_follows_from_the_files_name(name, judgement, human, write, read) -> None:
    (record,) = read("expert-results", write(name, [EXPERT | {"human_score": judgement}]), metric="Mine")
    assert (record.human, record.judgements, record.scores[0].metric) == (human, (judgement,), "Mine")


def test_explanations_belong_to_their_scores(write, read) -> None:
    (record,) = read("expert-results", write("m.json", [EXPERT | {"explanation": SAID}]))
    assert record.scores[0].explanation.rationales == SAID and "source:expert-results" in record.scores[0].signature
    (record,) = read("nebula-exp", write("n.json", [EXPLAINED | {"count": None}]))
    assert record.scores[0].explanation.rationales == SAID and record.scores[0].components == {}
    for ends in ("\n", "\r\n"):
        (record,) = read("fleur-results", write("f.txt", LONG_BLOCK.replace("\n", ends)))
        text = "The caption : it fits.\n\nIts second paragraph.\n- a list"
        assert record.scores[0].explanation.rationales == {"overall": text}
        assert record.scores[0].components == {"raw": 0.85}


BAD_BLOCKS = {
    "score out of range": ("model score : 0.5\nour score : 1.4", "our score"),
    "score no number": ("model score : 0.5\nour score : 0_1", "our score"),
    "score empty": ("model score : 0.5\nour score : ", "our score"),
    "no raw score": ("our score : 0.5", "model score"),
    "explanation without scores": ("explanation : Why.", "our score"),
    "score twice": ("model score : 0.5\nour score : 0.4\nour score : 0.4", "our score"),
    "stray line": ("stray\nmodel score : 0.5\nour score : 0.4", "text"),
    "explanation blank": ("model score : 0.5\nour score : 0.4\nexplanation : ", "explanation"),
    "text after the end": ("model score : 0.5\nour score : 0.4\nexplanation : a</s>\nmore", "explanation"),
    "two captions": ("model score : 0.5\nour score : 0.4\ncaption : b", "caption"),
    "a label and one caption": ("model score : 0.5\nour score : 0.4\nlabel : 1", "label"),
    "no caption": ("", "caption"),
}


@pytest.mark.parametrize("kind", BAD_BLOCKS)
def test_a_bad_block_of_fleur_is_named_with_its_line_and_the_others_are_kept(kind: str, write, skim) -> None:
    rest, field = BAD_BLOCKS[kind]
    caption = "" if kind == "no caption" else "caption : A dog .\n"
    text = f"{BLOCK}\nimage file : 2.jpg\n{caption}{rest}\n\n{BLOCK}"
    records, (problem,) = skim("fleur-results", write("a.txt", text))
    assert [record.row for record in records] == [1, 3]
    assert problem.row == 2 and problem.field.startswith("line ") and problem.field.endswith(f", {field}")


# -- Flickr8k's own tables

VOTES = "a.jpg\ta.jpg#2\t1\t3\t0\na.jpg\tb.jpg#2\t0.333333333333\t1\t2\nb.jpg\tb.jpg#2\t0.5\t2\t2\n"
NUMBERED = {image: [f"caption {image} {n} ." for n in range(5)] for image in ("a.jpg", "b.jpg")}


@pytest.fixture(params=["flickr8k.json", "Flickr8k.token.txt"])
def captions(request: pytest.FixtureRequest, write) -> None:
    """The captions that the authors' tables refer to, beside the tables."""
    if request.param == "flickr8k.json":
        content: object = {n: {"image_path": f"x/{n}", "ground_truth": texts} for n, texts in NUMBERED.items()}
    else:
        content = "".join(f"{image}#{n}\t{text}\n" for image, texts in NUMBERED.items() for n, text in enumerate(texts))
    write(request.param, content)


def test_votes_become_shares_and_numbers_become_captions(captions: None, write, read) -> None:
    first, second, third = read("flickr8k-cf", write("CrowdFlowerAnnotations.txt", VOTES))
    assert [(one.key, one.image, one.row) for one in (first, second, third)] == [
        ("a#1", "a.jpg", 1), ("a#2", "a.jpg", 2), ("b#1", "b.jpg", 3),
    ]  # fmt: skip
    assert [one.human for one in (first, second, third)] == [1.0, pytest.approx(1 / 3), 0.5]
    assert [one.candidate for one in (first, second)] == ["caption a.jpg 2 .", "caption b.jpg 2 ."]
    assert second.references == tuple(NUMBERED["a.jpg"])
    assert first.references == tuple(text for text in NUMBERED["a.jpg"] if text != first.candidate)
    experts = "a.jpg\ta.jpg#2\t4\t4\t4\na.jpg\tb.jpg#2\t1\t2\t4\n"
    (judged,) = read("flickr8k-expert", write("ExpertAnnotations.txt", experts))
    assert (judged.judgements, judged.human) == ((1, 2, 4), pytest.approx((7 / 3 - 1) / 3))


@pytest.mark.parametrize(
    ("line", "field"),
    [
        ("a.jpg\tc.jpg#2\t1\t3\t0\n", "caption"),
        ("a.jpg\ta.jpg\t1\t3\t0\n", "caption"),
        ("a.jpg\ta.jpg#1\t0.5\t3\t0\n", "share of yes"),
        ("a.jpg\ta.jpg#1\t0\t0\t0\n", "share of yes"),
        ("a.jpg\ta.jpg#1\t1\tmany\t0\n", "yes"),
        ("a.jpg\ta.jpg#1\t1\t1\t0.5\n", "no: expected a whole number from 0 to 1000000000, found 0.5"),
        ("a.jpg\ta.jpg#1\t1\t3\n", "row"),
        ("\ta.jpg#1\t1\t3\t0\n", "image"),
    ],
)
def test_a_bad_line_of_votes_is_named_with_its_number_and_field(captions, line: str, field: str, write, read) -> None:
    with pytest.raises(BadRow, match=f"row 4, field {field}"):
        read("flickr8k-cf", write("CrowdFlowerAnnotations.txt", VOTES + line))

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import ModelChanged
from core.models.vlm.identity import ANY, LONGEST_NAME, Identity, Named, check_identity, identity_of, public_name


@pytest.mark.parametrize(
    ("name", "shown"),
    [
        ("llava-hf/llava-1.5-13b-hf", Named("llava-hf/llava-1.5-13b-hf")),
        ("accounts/fireworks/models/llama-v3p2-11b", Named("accounts/fireworks/models/llama-v3p2-11b")),
        ("gpt-4o-2024-08-06", Named("gpt-4o-2024-08-06")),
        ("/home/jana/models/expert-13b/", Named("expert-13b")),
        ("~/models/expert-13b", Named("expert-13b")),
        ("../expert-13b", Named("expert-13b")),
        ("C:\\Users\\jana\\expert-13b", Named("expert-13b")),
        ("s3://janas-bucket/models/expert-13b", Named("expert-13b")),
        ("/", Named("unnamed")),
        (
            "/home/jana/.cache/huggingface/hub/models--llava-hf--llava-1.5-13b-hf/snapshots/5dda2880bda0",
            Named("llava-hf/llava-1.5-13b-hf", "5dda2880bda0"),
        ),
    ],
)
def test_a_models_name_says_no_folder(name: str, shown: Named) -> None:
    assert public_name(name) == shown


@given(st.text())
def test_any_name_becomes_one_short_printable_line(name: str) -> None:
    shown = public_name(name).name
    assert shown.isprintable() and 0 < len(shown) <= LONGEST_NAME


@pytest.mark.parametrize("answer", [None, [], "x", {}, {"model": 3, "system_fingerprint": ["a"]}, {"model": " "}])
def test_an_answer_of_another_shape_says_nothing_of_its_model(answer: object) -> None:
    assert identity_of(answer) == Identity()


def test_another_name_or_fingerprint_is_a_changed_model() -> None:
    expected = Identity("gpt-4o", "fp_1")
    check_identity({"model": "gpt-4o", "system_fingerprint": "fp_1"}, expected, "http://a/v1")
    for answer in ({"model": "gpt-4o", "system_fingerprint": "fp_2"}, {"model": "gpt-5"}):
        with pytest.raises(ModelChanged, match="http://a/v1 answers with another model.*Before: model gpt-4o.*fp_1"):
            check_identity(answer, expected, "http://a/v1")
    with pytest.raises(ModelChanged):
        check_identity({"system_fingerprint": "fp_1"}, Identity("gpt-4o"), "http://a/v1")


@pytest.mark.parametrize("answer", [{}, {"model": None}, {"error": {"message": "busy"}}, "x"])
def test_an_answer_that_says_nothing_of_its_model_is_no_change(answer: object) -> None:
    check_identity(answer, Identity("gpt-4o", "fp_1"), "http://a/v1")


def test_fingerprints_may_change_where_any_is_signed_but_names_may_not() -> None:
    expected = Identity("gpt-4o", ANY)
    check_identity({"model": "gpt-4o", "system_fingerprint": "fp_2"}, expected, "http://a/v1")
    with pytest.raises(ModelChanged):
        check_identity({"model": "gpt-5", "system_fingerprint": "fp_2"}, expected, "http://a/v1")

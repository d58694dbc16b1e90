from hypothesis import given
from hypothesis import strategies as st

from core.analysis.score_table import LONGEST_PART, metric_labels
from core.signature import signature


def test_a_metric_with_one_signature_goes_by_its_name() -> None:
    one = ("FLEUR", signature("FLEUR", model="llava-13b"))
    assert metric_labels([one, one]) == {one: "FLEUR"}


def test_several_signatures_are_told_apart_by_the_settings_in_which_they_differ() -> None:
    small, large = (("F", signature("F", model=model, prompt="p1")) for model in ("7b", "13b"))
    other = ("Polos", signature("Polos", model="x"))
    assert metric_labels([small, large, other]) == {small: "F (model:7b)", large: "F (model:13b)", other: "Polos"}


def test_a_setting_that_only_the_others_have_is_named_as_absent() -> None:
    plain, adapted = ("F", signature("F", model="7b")), ("F", signature("F", adapter="a", model="7b"))
    assert metric_labels([plain, adapted]) == {plain: "F (no adapter)", adapted: "F (adapter:a)"}


def test_signatures_of_another_form_still_have_different_names() -> None:
    assert list(metric_labels([("F", "first run"), ("F", "second run")]).values()) == [
        "F (first run)",
        "F (second run)",
    ]


def test_names_that_would_be_the_same_when_cut_off_are_the_signatures() -> None:
    long = "x" * LONGEST_PART
    versions = [("F", signature("F", model=long + end)) for end in "ab"]
    assert metric_labels(versions) == {version: version[1] for version in versions}


texts = st.text("ab:|", min_size=1, max_size=6)


@given(st.lists(st.tuples(st.sampled_from(["F", "G"]), texts), unique=True, max_size=6))
def test_every_version_has_a_name_that_begins_with_the_metric_or_is_its_signature(
    versions: list[tuple[str, str]],
) -> None:
    labels = metric_labels(versions)
    assert labels.keys() == set(versions)
    for (metric, of), label in labels.items():
        assert label == of or label.startswith(metric)

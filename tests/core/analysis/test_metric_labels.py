from core.analysis.score_table import LONGEST_PART, metric_labels
from core.signature import signature


def test_several_signatures_are_told_apart_by_the_settings_in_which_they_differ() -> None:
    small, large = (("F", signature("F", model=model, prompt="p1")) for model in ("7b", "13b"))
    other = ("Polos", signature("Polos", model="x"))
    assert metric_labels([small, large, other]) == {small: "F (model:7b)", large: "F (model:13b)", other: "Polos"}


def test_a_setting_that_only_the_others_have_is_named_as_absent() -> None:
    plain, adapted = ("F", signature("F", model="7b")), ("F", signature("F", adapter="a", model="7b"))
    assert metric_labels([plain, adapted]) == {plain: "F (no adapter)", adapted: "F (adapter:a)"}


def test_names_that_would_be_the_same_when_cut_off_are_the_signatures() -> None:
    long = "x" * LONGEST_PART
    versions = [("F", signature("F", model=long + end)) for end in "ab"]
    assert metric_labels(versions) == {version: version[1] for version in versions}

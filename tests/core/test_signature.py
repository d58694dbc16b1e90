from hypothesis import given
from hypothesis import strategies as st

from core.signature import VERSION, kind_of, signature


def test_a_signature_names_the_metric_its_settings_in_order_and_the_version() -> None:
    made = signature("FLEUR", smoothing="float64", model="llava-13b")
    assert made == f"FLEUR|model:llava-13b|smoothing:float64|capscope:{VERSION}"


def test_a_setting_of_none_is_left_out_and_booleans_read_yes_and_no() -> None:
    assert signature("M", a=None, b=True, c=False) == f"M|b:yes|c:no|capscope:{VERSION}"


def test_a_float_is_written_so_that_it_reads_back_the_same() -> None:
    assert signature("M", weight=0.1 + 0.2) == f"M|weight:0.30000000000000004|capscope:{VERSION}"


@given(st.text(), st.text())
def test_separators_inside_values_never_break_the_parts(metric: str, value: str) -> None:
    parts = signature(metric, key=value).split("|")
    assert len(parts) == 3
    assert parts[1].startswith("key:") and parts[1].count(":") == 1


@given(st.floats(allow_nan=False), st.floats(allow_nan=False))
def test_two_settings_share_a_signature_only_when_they_are_equal(a: float, b: float) -> None:
    assert (signature("M", w=a) == signature("M", w=b)) == (repr(a) == repr(b))


def test_a_signature_is_replaced_by_one_of_the_same_metric_and_model() -> None:
    older, newer = "FLEUR|model:7b|prompt:a|capscope:0.1.0", "FLEUR|model:7b|smoothing:float64|capscope:0.2.0"
    assert kind_of(older) == kind_of(newer) == "FLEUR|model:7b"
    assert kind_of("FLEUR|model:13b|capscope:0.2.0") != kind_of(newer)
    assert kind_of("HICE-S") == kind_of("HICE-S|cut:0.5") == "HICE-S"

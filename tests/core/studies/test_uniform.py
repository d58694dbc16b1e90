import pytest

from core.studies.design import StudyDesign

UNIFORM = StudyDesign("s", "d", uniform=True)


def rounded_numbers(text: str) -> str:
    return UNIFORM.shown_texts({"overall": text})["overall"]


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Therefore, the score is 0.7706974744796753.", "Therefore, the score is 0.77."),
        ("I say 0.8, or 0.85, not -0.12345", "I say 0.8, or 0.85, not -0.12"),
        (
            "version 1.2.345 of 3.14159.2, abc0.12345 and 0.12345x",
            "version 1.2.345 of 3.14159.2, abc0.12345 and 0.12345x",
        ),
        ("1.000 and 12 and 0.995", "1.00 and 12 and 0.99"),
    ],
)
def test_long_decimals_are_rounded_and_nothing_else_changes(text: str, shown: str) -> None:
    assert rounded_numbers(text) == shown

from core.studies.design import StudyDesign


def test_long_decimals_are_rounded_and_nothing_else_changes() -> None:
    design = StudyDesign("s", "d", uniform=True)
    same = "version 1.2.345 of 3.14159.2, abc0.12345 and 0.12345x"
    for text, shown in (
        ("I say 0.8, or 0.85, not -0.12345, but 0.7706974744796753.", "I say 0.8, or 0.85, not -0.12, but 0.77."),
        ("1.000 and 12 and 0.995", "1.00 and 12 and 0.99"),
        (same, same),
    ):
        assert design.shown_texts({"overall": text})["overall"] == shown

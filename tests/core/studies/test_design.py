"""A study's design is one value: it is stored as it is, and an option is named where it is decided and used."""

from dataclasses import fields
from datetime import datetime

import pytest

from core.errors import BadSetting
from core.studies.asking.questionnaire import questions_of
from core.studies.design import CHANGEABLE, StudyDesign, changed, design_of


def test_a_stored_design_is_the_same_value() -> None:
    design = StudyDesign(
        "s", "birds", 7, before=questions_of("Age? = 18..99"), deadline=datetime(2030, 1, 2, 3, 4, 5, 6)
    )
    assert design_of(design.json()) == design
    decided = design.decided(design.asked())
    assert design_of(decided.json()) == decided and decided.asked() == design.asked()


def test_what_the_items_follow_from_cannot_change_later() -> None:
    design = StudyDesign("s", "birds", 7)
    assert changed(design, contact="a@b.example").contact == "a@b.example"
    for fixed in {one.name for one in fields(StudyDesign)} - CHANGEABLE:
        with pytest.raises(BadSetting, match="cannot change"):
            changed(design, **{fixed: getattr(design, fixed)})

"""A study's design is one value: it is stored as it is, and an option is named where it is decided and used."""

import re
from dataclasses import fields
from datetime import datetime
from pathlib import Path

import pytest

from core.errors import BadSetting
from core.studies.asking.questionnaire import questions_of
from core.studies.design import CHANGEABLE, StudyDesign, changed, design_of

ROOT = Path(__file__).parents[3]
FOLDERS = [ROOT / name for name in ("core/studies", "storage", "ui/services/studies", "ui/commands", "ui/web")]
PRODUCT = [path for folder in FOLDERS for kind in ("py", "html") for path in folder.rglob(f"*.{kind}")]


def test_a_stored_design_is_the_same_value() -> None:
    design = StudyDesign(
        "s", "birds", 7, before=questions_of("Age? = 18..99"), deadline=datetime(2030, 1, 2, 3, 4, 5, 6)
    )
    assert design_of(design.json()) == design
    decided = design.decided(design.asked())
    assert design_of(decided.json()) == decided and decided.asked() == design.asked()


@pytest.mark.parametrize(("option", "files"), [("hold_hours", 4), ("uniform", 6)])
def test_an_option_is_named_where_it_is_decided_offered_and_used(option: str, files: int) -> None:
    named = [path.name for path in PRODUCT if re.search(rf"\b{option}\b", path.read_text(encoding="utf-8"))]
    assert len(named) <= files, named


def test_what_the_items_follow_from_cannot_change_later() -> None:
    design = StudyDesign("s", "birds", 7)
    assert changed(design, contact="a@b.example").contact == "a@b.example"
    for fixed in {one.name for one in fields(StudyDesign)} - CHANGEABLE:
        with pytest.raises(BadSetting, match="cannot change"):
            changed(design, **{fixed: getattr(design, fixed)})

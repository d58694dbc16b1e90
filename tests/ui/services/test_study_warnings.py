"""Warnings to a study's manager: ends of raters for which their platform's link has no code."""

from dataclasses import replace

from core.studies.asking.questionnaire import questions_of
from core.studies.planning.platforms import End, Platform
from storage.study_types import Study
from tests.making import make_study
from ui.services.studies.workload import study_warnings
from ui.services.workplace import Workplace

ONLY_DONE = Platform("Prolific", "PROLIFIC_PID", ends={"done": End("C1")})


def warned(birds: Workplace, study: Study) -> str:
    return " ".join(study_warnings(birds, birds.repository.studies.get(study.id)))


def test_a_link_with_one_code_is_enough_while_raters_can_end_in_one_way(birds: Workplace) -> None:
    study = make_study(birds, "plain", size=2)
    birds.repository.links.make(study.id, panel=ONLY_DONE)
    assert warned(birds, study) == ""
    birds.repository.studies.settle(study.id, consent="We keep your answers.")  # who declines has no code
    assert warned(birds, study) == ""


def test_each_way_to_end_without_a_code_is_named(birds: Workplace) -> None:
    study = make_study(birds, "gates", size=2, raters_per_item=1)
    link, _ = birds.repository.links.make(study.id, panel=ONLY_DONE)
    assert "raters who find the study full." in warned(birds, study)
    birds.repository.studies.settle(study.id, before=questions_of("Native? = yes / no!"))
    assert (
        "The link for Prolific has no completion code or return address for raters who are screened out or "
        "who find the study full."
    ) in warned(birds, study)
    ends = {"done": End("C1"), "screened_out": End("C2"), "full": End(address="https://a.example/full")}
    birds.repository.links.make(study.id, panel=replace(ONLY_DONE, ends=ends))
    assert (
        warned(birds, study).count("The link for Prolific") == 1
    )  # the code for screened-out raters serves both checks
    birds.repository.links.close(study.id, link.id)
    assert "The link for Prolific" not in warned(birds, study)

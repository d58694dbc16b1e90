"""Ready-made texts for a study: a consent, and questions about the task that are made from the form."""

import pytest

from core.errors import BadSetting
from core.storable_text import odd_character
from core.studies.asking.form_file import read_form
from core.studies.asking.questionnaire import Questionnaire
from core.studies.asking.ready_texts import CONSENT, ready_check, with_ready_check
from core.studies.asking.shipped_forms import form_named, shipped_forms
from core.studies.planning.study_request import StudyRequest


@pytest.mark.parametrize("form", [form for form in shipped_forms() if not form.check], ids=lambda form: form.key)
def test_each_shipped_form_without_a_check_has_three_questions_that_its_file_can_hold(form: object) -> None:
    made = with_ready_check(form)  # type: ignore[arg-type]
    questions = ready_check(form)  # type: ignore[arg-type]
    assert made.check == questions and len(questions) == 3
    assert made == read_form(made.text) and made.text.startswith(form.text.rstrip())  # type: ignore[attr-defined]
    assert made.sha256 != form.sha256  # type: ignore[attr-defined]
    assert all(len(set(one.choices)) >= 2 and one.right in one.choices for one in questions)


def test_the_questions_ask_what_the_form_asks() -> None:
    single, captions = form_named("expert-single"), form_named("pairwise-captions")
    what, asks, _ = ready_check(single)
    assert what.right == "How good the explanations of the scores are"
    assert asks.question == "What does the question “Consistency” ask?"
    assert asks.right == single.criteria[0].question and len(asks.choices) == 3
    assert ready_check(captions)[0].right == "How good the captions are"


def test_a_form_with_a_check_of_its_own_keeps_it() -> None:
    guided = form_named("guided-single")
    assert ready_check(guided) == ()
    with pytest.raises(BadSetting, match="has its own comprehension check"):
        with_ready_check(guided)


def test_a_study_asks_the_questions_only_about_its_own_criteria_and_with_its_own_consent() -> None:
    request = StudyRequest("mine", "birds", form="expert-single", seed=1)
    assert request.asked().entry == Questionnaire() and not request.asked().check
    asked = StudyRequest(
        "mine",
        "birds",
        form="expert-single",
        seed=1,
        criteria=("factuality",),
        consent=f" {CONSENT}\n",
        ready_check=True,
    ).asked()
    assert [one.key for one in asked.criteria] == ["factuality"]
    assert asked.entry.consent == CONSENT
    assert asked.check[1].question == "“Factuality”: which answer is the best one?"
    assert asked.check[1].right == "4: entirely factual"


def test_the_consent_is_storable_text_that_names_no_study() -> None:
    assert odd_character(CONSENT) is None and "\n\n" in CONSENT
    assert max(len(line.split()) for line in CONSENT.replace("\n", " ").split(". ")) <= 20

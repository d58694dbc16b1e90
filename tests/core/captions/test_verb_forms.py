from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.captions.verb_forms import VerbForms, present_participle, third_person

FILE = Path(__file__).parents[3] / "assets" / "words" / "verbs.tsv"
FORMS = VerbForms.read(FILE)


@pytest.mark.parametrize(
    ("form", "lemma"),
    [
        ("huddled", "huddle"), ("brushes", "brush"), ("lies", "lie"), ("worn", "wear"), ("ridden", "ride"),
        ("riding", "ride"), ("sitting", "sit"), ("rolling", "roll"), ("flies", "fly"), ("carried", "carry"),
        ("skiing", "ski"), ("skied", "ski"),
        ("staring", "stare"), ("starring", "star"), ("hiking", "hike"), ("goes", "go"), ("skis", "ski"),
        ("parks", "park"), ("held", "hold"), ("is", "be"), ("has", "have"), ("sew", "sew"), ("sewing", "sew"),
    ],
)  # fmt: skip
def test_a_form_leads_to_its_lemma(form: str, lemma: str) -> None:
    assert FORMS.lemma(form) == lemma


@pytest.mark.parametrize(
    ("lemma", "form"),
    [
        ("lie", "lying"),
        ("die", "dying"),
        ("ride", "riding"),
        ("see", "seeing"),
        ("jog", "jogging"),
        ("shop", "shopping"),
        ("lean", "leaning"),
        ("throw", "throwing"),
        ("fix", "fixing"),
        ("play", "playing"),
        ("ski", "skiing"),
        ("jump", "jumping"),
        ("swim", "swimming"),
        ("be", "being"),
        ("do", "doing"),
    ],
)
def test_a_verb_gets_its_form_in_ing(lemma: str, form: str) -> None:
    assert present_participle(lemma) == form


def test_what_is_no_verb_has_no_lemma() -> None:
    assert FORMS.lemma("giraffes") is None


@given(st.sampled_from(sorted(FORMS.lemmas)))
def test_a_verb_is_found_again_from_its_third_person(lemma: str) -> None:
    assert third_person(FORMS.lemma(third_person(lemma)) or "") == third_person(lemma) or lemma in FORMS.irregular


@given(st.text(max_size=20))
def test_any_text_can_be_asked_for(form: str) -> None:
    assert FORMS.lemma(form) is None or isinstance(FORMS.lemma(form), str)

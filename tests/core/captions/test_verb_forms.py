from hypothesis import given
from hypothesis import strategies as st

from core.captions.verb_forms import bundled_verbs, present_participle

FORMS = bundled_verbs()


def test_a_form_leads_to_its_lemma() -> None:
    pairs = (
        "huddled huddle,brushes brush,lies lie,worn wear,riding ride,sitting sit,rolling roll,flies fly,skiing ski,"
        "staring stare,starring star,goes go,parks park,held hold,is be,has have,sewing sew"
    )
    assert [f"{form} {FORMS.lemma(form)}" for form, _ in map(str.split, pairs.split(","))] == pairs.split(",")
    assert FORMS.lemma("giraffes") is None


def test_a_verb_gets_its_form_in_ing() -> None:
    lemmas = "lie ride see jog lean throw fix ski swim be"
    forms = "lying riding seeing jogging leaning throwing fixing skiing swimming being"
    assert [present_participle(lemma) for lemma in lemmas.split()] == forms.split()


@given(st.text(max_size=20))
def test_any_text_can_be_asked_for(form: str) -> None:
    assert FORMS.lemma(form) is None or isinstance(FORMS.lemma(form), str)

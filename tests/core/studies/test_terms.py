"""Pay and contact of a study: typed texts, exact amounts, refusals."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.errors import BadSetting
from core.studies.pay.money import CURRENCIES
from core.studies.pay.terms import LONGEST_CONTACT, Terms, TermsText, typed_terms


def test_typed_amounts_become_exact_minor_units() -> None:
    typed = TermsText(currency=" gbp ", hourly_rate="9.5", reward="2", contact=" Ada, ada@example.org ")
    assert typed.terms() == Terms(currency="GBP", hourly_rate=950, reward=200, contact="Ada, ada@example.org")
    assert (typed.terms().hourly_text, typed.terms().reward_text) == ("£9.50", "£2.00")


def test_a_currency_without_an_amount_states_no_pay() -> None:
    assert TermsText(currency="EUR").terms() == Terms()


@given(
    st.sampled_from(sorted(CURRENCIES)),
    st.none() | st.integers(1, 10**8),
    st.none() | st.integers(1, 10**8),
    st.text("abc @.,-", max_size=40).map(str.strip),
)
def test_terms_that_are_typed_again_stay_the_same(code: str, hourly: int | None, reward: int | None, who: str) -> None:
    currency = None if hourly is None and reward is None else code
    terms = Terms(currency=currency, hourly_rate=hourly, reward=reward, contact=who)
    assert typed_terms(terms).terms() == terms


@pytest.mark.parametrize(
    ("typed", "words"),
    [
        (TermsText(hourly_rate="9"), "needs a currency"),
        (TermsText(currency="XXX", hourly_rate="9"), "currency must be one of"),
        (TermsText(currency="JPY", hourly_rate="9.50"), "Write an amount of JPY"),
        (TermsText(currency="GBP", reward="0"), "from 1 to"),
        (TermsText(contact="a" * (LONGEST_CONTACT + 1)), "at most 200 characters"),
        (TermsText(contact="two\nlines"), "one line"),
        (TermsText(contact="right\u202eleft"), "one line"),
    ],
)
def test_wrong_terms_are_refused_with_the_reason(typed: TermsText, words: str) -> None:
    with pytest.raises(BadSetting, match=words):
        typed.terms()

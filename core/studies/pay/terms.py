"""A study's terms for raters: pay, and a contact for questions."""

from dataclasses import dataclass

from core.errors import BadSetting
from core.studies.pay.money import MOST, check_currency, minor_units, money_text, plain_amount

LONGEST_CONTACT = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Terms:
    """A study's pay and contact, which raters read before they start. Amounts are in minor units."""

    currency: str | None = None  # ISO 4217 code; None: no pay is stated
    hourly_rate: int | None = None  # pay for an hour of work; raters who earn less per hour get a bonus
    reward: int | None = None  # payment by the platform for each approved rater
    contact: str = ""  # one line, such as an e-mail address, or a person and a telephone number; empty: none

    def __post_init__(self) -> None:
        """Check the values. Raises BadSetting."""
        if self.currency is not None:
            check_currency(self.currency)
        amounts = (("The hourly rate", self.hourly_rate), ("The reward", self.reward))
        for what, amount in amounts:
            if amount is not None and not 1 <= amount <= MOST:
                raise BadSetting(
                    f"{what} must be from 1 to {MOST:,} in the currency's smallest unit (such as cents), found "
                    f"{amount}."
                )
        if (self.currency is None) != (self.hourly_rate is None and self.reward is None):
            raise BadSetting(
                "An hourly rate or a reward needs a currency, and a currency needs an hourly rate or a reward. Give "
                "both or neither."
            )
        if len(self.contact) > LONGEST_CONTACT:
            raise BadSetting(f"A contact may have at most {LONGEST_CONTACT} characters, found {len(self.contact)}.")
        if not self.contact.isprintable():
            raise BadSetting("A contact must be one line of text, without invisible or control characters.")

    @property
    def hourly_text(self) -> str | None:
        """Return the hourly rate for display, such as "£9.50"; None if there is no hourly rate."""
        return _text(self.hourly_rate, self.currency)

    @property
    def reward_text(self) -> str | None:
        """Return the reward for display, such as "£2.00"; None if there is no reward."""
        return _text(self.reward, self.currency)


@dataclass(frozen=True, slots=True, kw_only=True)
class TermsText:
    """Terms as texts for an HTML form: a currency's code, and amounts such as "9.50".

    An empty text means that the value is missing.
    """

    currency: str = ""
    hourly_rate: str = ""
    reward: str = ""
    contact: str = ""

    def terms(self) -> Terms:
        """Return these texts as terms. Raises BadSetting."""
        code = self.currency.strip().upper()
        typed = {"hourly_rate": self.hourly_rate.strip(), "reward": self.reward.strip()}
        given = {name: text for name, text in typed.items() if text}
        if given and not code:
            raise BadSetting("An amount needs a currency, such as GBP.")
        amounts = {name: minor_units(text, code) for name, text in given.items()}
        return Terms(currency=code if given else None, **amounts, contact=self.contact.strip())


def typed_terms(terms: Terms) -> TermsText:
    """Return terms as texts for an HTML form."""
    code = terms.currency or ""
    hourly_rate, reward = (
        "" if amount is None else plain_amount(amount, code) for amount in (terms.hourly_rate, terms.reward)
    )
    return TermsText(currency=code, hourly_rate=hourly_rate, reward=reward, contact=terms.contact)


def _text(amount: int | None, currency: str | None) -> str | None:
    return None if amount is None or currency is None else money_text(amount, currency)

"""Accounts, the links with which their passwords are set, and sessions that can be ended."""

from datetime import timedelta

import pytest

from core.errors import BadSetting, LinkOver
from storage import Repository
from storage.accounts import accounts, sessions
from storage.accounts.sessions import hashed
from tests.making import dumped

DAY = timedelta(days=1)


def later(monkeypatch: pytest.MonkeyPatch, by: timedelta) -> None:
    """Let the clock of the door go before or after."""
    now = sessions.utc_now()
    for module in (accounts, sessions):
        monkeypatch.setattr(module, "utc_now", lambda: now + by)


@pytest.mark.parametrize("name", ["", " ", "a b", "a\nb", "a" * 101, "\ud800"])
def test_a_name_that_cannot_be_typed_is_refused(repository: Repository, name: str) -> None:
    with pytest.raises(BadSetting, match="1 to 100 characters"):
        repository.accounts.add(name, "viewer")


def test_a_link_sets_a_password_once_and_ends_the_sessions_of_before(
    repository: Repository, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada = repository.accounts.add("ada", "admin")
    older, token = (repository.accounts.new_link("ada", DAY) for _ in range(2))
    for wrong, why in ((older, "newer one"), (token[:-1], "link does not exist")):
        with pytest.raises(LinkOver, match=why):
            repository.accounts.of_link(wrong)
    old = repository.sessions.start_account(ada)
    assert repository.accounts.of_link(token) == ada
    repository.accounts.set_password(token, "hash")
    found = repository.accounts.password_of("Ada")
    assert found is not None and found[1] == "hash" and found[0].has_password
    assert repository.sessions.account(old) is None
    with pytest.raises(LinkOver, match="was already used"):
        repository.accounts.set_password(token, "another")
    last = repository.accounts.new_link("ada", DAY)
    later(monkeypatch, DAY)
    with pytest.raises(LinkOver, match="expired"):
        repository.accounts.of_link(last)


def test_secrets_are_not_in_the_database(repository: Repository) -> None:
    ada = repository.accounts.add("ada", "admin")
    secrets = [repository.accounts.new_link("ada", DAY), repository.sessions.start_account(ada)]
    dump = dumped(repository)
    assert all(hashed(secret) in dump and secret not in dump for secret in secrets)
    assert len(set(secrets)) == 2 and all(len(secret) == 32 for secret in secrets)


def test_a_changed_role_and_a_closed_account_hold_in_open_sessions(repository: Repository) -> None:
    repository.accounts.add("ada", "admin")
    bob = repository.accounts.add("bob", "viewer")
    repository.accounts.set_password(repository.accounts.new_link("bob", DAY), "hash")
    session, link = repository.sessions.start_account(bob), repository.accounts.new_link("bob", DAY)
    repository.accounts.change("bob", role="researcher")
    assert repository.sessions.account(session).role == "researcher"
    repository.accounts.change("bob", disabled=True)
    assert repository.sessions.account(session) is None and repository.accounts.password_of("bob") is None
    with pytest.raises(LinkOver):
        repository.accounts.of_link(link)
    with pytest.raises(BadSetting, match="closed"):
        repository.accounts.new_link("bob", DAY)
    repository.accounts.change("bob", disabled=False)
    assert repository.accounts.password_of("bob") is not None and repository.sessions.account(session) is None


def test_a_session_lasts_as_long_as_it_is_used(repository: Repository, monkeypatch: pytest.MonkeyPatch) -> None:
    token = repository.sessions.start_account(repository.accounts.add("ada", "admin"))
    later(monkeypatch, sessions.ACCOUNT_LASTS - DAY)
    assert repository.sessions.account(token) is not None
    later(monkeypatch, sessions.ACCOUNT_LASTS - DAY)  # from now on, and so after the first time
    assert repository.sessions.account(token) is not None
    later(monkeypatch, sessions.ACCOUNT_LASTS)
    assert repository.sessions.account(token) is None


def test_a_session_of_one_kind_is_none_of_the_other(repository: Repository) -> None:
    rater = repository.sessions.start_rater(repository.raters.add("K7"))
    account = repository.sessions.start_account(repository.accounts.add("ada", "admin"))
    assert repository.sessions.account(rater) is None and repository.sessions.rater(account) is None
    assert repository.sessions.rater("") is None and repository.sessions.account("\ud800") is None


def test_the_log_tells_who_did_what_and_holds_on_one_line_whatever_people_write(repository: Repository) -> None:
    repository.audit.add("ada", "study made", "study\n1 \ud800 " + "x" * 400)
    repository.audit.add("bob", "sign-in failed", address="203.0.113.5")
    second, first = repository.audit.newest(10)
    assert (second.actor, second.deed, second.object, second.address) == ("bob", "sign-in failed", "", "203.0.113.5")
    assert first.object.startswith("study 1 ? xxx") and len(first.object) == 300
    assert list(repository.audit.all()) == [first, second]

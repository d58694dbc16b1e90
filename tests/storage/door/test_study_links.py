"""Links into a study: who may come in by them, and when no longer."""

import pytest

from core.errors import AlreadyExists, LinkOver, NotFound
from storage.accounts import study_links
from tests.making import make_study
from ui.services.workplace import Workplace


def test_a_personal_link_lets_its_rater_in_and_nobody_else(birds: Workplace) -> None:
    links, study = birds.repository.links, make_study(birds)
    link, token = links.make(study.id, " k7 ")
    assert links.find(token) == link and link.rater == "K7" and links.find(token + "x") is None
    first, one = links.enter(link, "ignored")
    again, two = links.enter(link, "")
    assert first == again == birds.repository.sessions.rater(one) == birds.repository.sessions.rater(two)
    assert (first.code, first.study) == ("K7", study.id)
    assert birds.repository.raters.named("K7").id == first.id
    with pytest.raises(LinkOver, match="another rater"):
        links.come_back(link, birds.repository.raters.add("M3"))


def test_an_open_link_makes_raters_until_it_is_used_up(birds: Workplace) -> None:
    links, study = birds.repository.links, make_study(birds)
    link, token = links.make(study.id, uses=2)
    links.enter(link, "a1")
    with pytest.raises(AlreadyExists, match="A1 is taken"):
        links.enter(link, "A1")
    found = links.find(token)
    assert found is not None and (found.used, found.state) == (1, "open")
    links.enter(link, "A2")
    with pytest.raises(LinkOver, match="used as often as allowed"):
        links.enter(link, "A3")
    with pytest.raises(NotFound):
        birds.repository.raters.named("A3")
    assert links.of_study(study.id)[0].state == "used_up"
    assert links.come_back(link, birds.repository.raters.named("A1"))[0].code == "A1"


def test_an_open_link_has_a_bound_unless_another_is_given_and_a_raters_own_has_none(birds: Workplace) -> None:
    links, study = birds.repository.links, make_study(birds)
    assert links.make(study.id)[0].uses_allowed == study_links.OPEN_USES == 100
    assert links.make(study.id, uses=5000)[0].uses_allowed == 5000
    assert links.make(study.id, "K7")[0].uses_allowed is None


def test_a_closed_link_lets_nobody_in_and_ends_sessions_only_where_that_is_asked_for(birds: Workplace) -> None:
    links, study, other = birds.repository.links, make_study(birds), make_study(birds, "other")
    link, _ = links.make(study.id)
    rater, session = links.enter(link, "A1")
    with pytest.raises(NotFound):
        links.close(other.id, link.id)
    assert links.close(study.id, link.id).state == "closed"
    for attempt in (lambda: links.enter(link, "A2"), lambda: links.come_back(link, rater)):
        with pytest.raises(LinkOver, match="closed"):
            attempt()
    assert birds.repository.sessions.rater(session) == rater
    links.close(study.id, link.id, end_sessions=True)
    assert birds.repository.sessions.rater(session) is None

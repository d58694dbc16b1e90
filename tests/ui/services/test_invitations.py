import pytest

from core.errors import AlreadyExists
from tests.making import make_study
from ui.services.accounts.invitations import check_codes
from ui.services.workplace import Workplace


def test_a_code_of_another_studys_rater_gets_no_link_unless_it_is_the_same_person(birds: Workplace) -> None:
    links = birds.repository.links
    first, second = make_study(birds, "first"), make_study(birds, "second")
    links.make(first.id, "R1")
    check_codes(birds, first, ["R1", "R2"], same_people=False)  # their own study
    with pytest.raises(AlreadyExists, match=r"R1 \(first\)\..*choose other codes, for example R1-2\."):
        check_codes(birds, second, ["R1", "R2"], same_people=False)
    check_codes(birds, second, ["R1", "R2"], same_people=True)
    links.make(second.id, "R1")
    check_codes(birds, second, ["R1"], same_people=False)  # known here by now


def test_a_rater_by_an_open_link_is_told_that_a_code_is_taken_in_another_study(birds: Workplace) -> None:
    first, second = make_study(birds, "first"), make_study(birds, "second")
    links = birds.repository.links
    links.enter(links.make(first.id)[0], "R1", "Firefox")
    with pytest.raises(AlreadyExists, match="R1 is taken, here or in another study"):
        links.enter(links.make(second.id)[0], "R1", "Firefox")

import pytest

from core.errors import AlreadyExists, LinkOver
from tests.making import make_study
from ui.services.accounts.invitations import check_codes
from ui.services.workplace import Workplace


def test_a_code_and_its_key_belong_to_one_study_and_no_message_names_it(birds: Workplace) -> None:
    links = birds.repository.links
    first, second = make_study(birds, "first"), make_study(birds, "second")
    rater, _ = links.enter(links.make(first.id, "R1")[0], "")
    check_codes(birds, first, ["R1", "R2"])  # their own study
    with pytest.raises(AlreadyExists, match="taken: R1. Choose other codes, for example R1-2") as refused:
        check_codes(birds, second, ["R1", "R2"])
    assert "first" not in str(refused.value)
    with pytest.raises(AlreadyExists, match="R1 is taken"):
        links.make(second.id, "R1")
    with pytest.raises(AlreadyExists, match="R1 is taken"):
        links.enter(links.make(second.id)[0], "R1")
    with pytest.raises(LinkOver, match="does not belong to this study"):
        links.come_back(links.make(second.id)[0], rater)

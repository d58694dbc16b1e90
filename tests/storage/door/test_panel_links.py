"""People whom a panel sends: who they become, how often they may come, and what is known of them."""

from typing import Any

import pytest
from sqlalchemy import text

from core.errors import BadSetting, LinkOver, NotYours
from core.foreign_values import reader
from core.studies.asking.questionnaire import (
    Question,
    Questionnaire,
    check_answers,
    questions_of,
    questions_text,
)
from core.studies.planning.platforms import PRESETS, End, Platform
from storage.study_types import Rater, Study
from tests.making import CRITERIA, answer_all, make_study, rating
from ui.services.workplace import Workplace

PROLIFIC = PRESETS[0]
PID = "5b6f1c2d3e4f5a6b7c8d9e0f"


def panel(**ends: Any) -> Platform:
    return Platform("Prolific", "PROLIFIC_PID", ends)


def arrive(workplace: Workplace, study: Study, person: str = PID, uses: int | None = None) -> Rater:
    link, _ = workplace.repository.links.make(study.id, None, uses, panel=PROLIFIC)
    return workplace.repository.links.arrive(link, person)[0]


def test_each_panel_gets_the_address_that_it_fills_in_and_an_unfilled_one_says_nobody() -> None:
    prolific, cloud, sona = PRESETS
    assert prolific.address("https://x.org/r/t") == "https://x.org/r/t?PROLIFIC_PID={{%PROLIFIC_PID%}}"
    assert cloud.address("https://x.org/r/t") == "https://x.org/r/t"  # it puts its parameters there itself
    assert sona.address("https://x.org/r/t") == "https://x.org/r/t?survey_code=%SURVEY_CODE%"
    assert Platform("Ours", "who").address("https://x.org/r/t") == "https://x.org/r/t?who={who}"
    for one in (prolific, sona, Platform("Ours", "who")):
        assert one.arrival(one.address("").lstrip("?")) is None
        assert one.arrival(f"{one.person}={one.person}") is None
    assert sona.arrival("survey_code=1234") == "1234"
    for odd in ("%00", "x" * 201, "a&" * 60 + "b=1"):
        assert sona.arrival(f"survey_code={odd}") is None


def test_the_way_back_has_the_code_and_nothing_can_break_out_of_it() -> None:
    done = End("C1ABC", "https://app.prolific.com/submissions/complete?cc={code}&p={person}")
    back = panel(done=done).way_back("done", "a&b=1#<")
    assert back == End("C1ABC", "https://app.prolific.com/submissions/complete?cc=C1ABC&p=a%26b%3D1%23%3C")
    assert PROLIFIC.way_back("full", "a") == End()  # no code was given for it: no way without one
    for wrong in ({"address": "http://x.org"}, {"address": "javascript:alert(1)"}, {"address": "https://x/{pid}"}):
        with pytest.raises(BadSetting):
            End(**wrong)
    for no_host in ("https://{person}/back", "https://", "https:///back", "https://user:word@x.org/back"):
        with pytest.raises(BadSetting, match="must name a host"):
            End("x", no_host)
    for broken in ("https://x.org/a b", "https://x.org/\nback"):
        with pytest.raises(BadSetting, match="no spaces or line breaks"):
            End("x", broken)
    with pytest.raises(BadSetting, match="parameter's name"):
        Platform("x", "a b")
    assert reader(Platform).validate_json(reader(Platform).dump_json(panel(done=done))) == panel(done=done)


LINES = """Are you a native speaker of English? = yes / no!
How old are you? = 18..99
Anything else? (optional)"""


def test_questions_are_read_as_people_write_them() -> None:
    questions = questions_of(LINES)
    assert questions == (
        Question("Are you a native speaker of English?", "choice", ("yes", "no"), screens_out=("no",)),
        Question("How old are you?", "number", lowest=18, highest=99),
        Question("Anything else?", required=False),
    )
    assert questions_text(questions) == LINES
    entry = Questionnaire("Please agree.", questions, questions[2:])
    assert reader(Questionnaire).validate_json(reader(Questionnaire).dump_json(entry)) == entry
    assert check_answers(questions, [" yes ", "18", ""]) == ("yes", "18", "")
    for wrong, why in (
        (["maybe", "18", ""], "Expected one of yes, no"),
        (["yes", "17", ""], "from 18 to 99"),
        (["yes", "34.5", ""], "a whole number from 18 to 99, found '34.5'"),
        (["yes", "", ""], "Please answer: How old"),
        (["yes", "18"], "Expected 3 answers"),
    ):
        with pytest.raises(BadSetting, match=why):
            check_answers(questions, wrong)
    for wrong in ("A? = one", "A? = 9..1", "A? = b / b", " = yes / no", "A?\nA?"):
        with pytest.raises(BadSetting):
            Questionnaire(before=questions_of(wrong))


def test_whoever_is_sent_twice_is_the_same_rater_and_goes_on(birds: Workplace) -> None:
    repository, study = birds.repository, make_study(birds, size=3)
    link, _ = repository.links.make(study.id, None, 1, panel=PROLIFIC)
    first, _ = repository.links.arrive(link, PID)
    (item, *_) = repository.desk.queue(study.id, first).items
    repository.save(first, [rating(item, c) for c in CRITERIA])
    again, token = repository.links.arrive(link, PID)  # used up, and let in
    assert again == first
    assert repository.sessions.rater(token) == first
    assert repository.desk.queue(study.id, again).done == 1
    with pytest.raises(LinkOver, match="used as often as allowed"):
        repository.links.arrive(link, "another")
    way_in = repository.links.way_in(study.id, first)
    assert way_in == (PROLIFIC, PID)
    repository.links.close(study.id, link.id)
    with pytest.raises(LinkOver, match="closed"):
        repository.links.arrive(link, PID)


def test_one_person_in_two_studies_is_two_raters_whom_nothing_connects(birds: Workplace) -> None:
    raters = [arrive(birds, make_study(birds, name)) for name in ("a", "b")]
    assert raters[0].id != raters[1].id
    assert all(rater.code.startswith("P-") and PID not in rater.code for rater in raters)


def test_what_the_panel_calls_somebody_is_in_no_export_and_goes_with_the_rater(birds: Workplace) -> None:
    repository, study = birds.repository, make_study(birds, size=1)
    rater = arrive(birds, study)
    answer_all(repository, study, rater)
    assert PID not in repr(list(repository.studies.records(study.id)))
    repository.managing.erase_rater(rater.code, keep_ratings=True)
    with repository.database.read() as connection:
        assert connection.scalar(text("SELECT count(*) FROM platform_people")) == 0
        assert connection.scalar(text("SELECT count(*) FROM visits")) == 0


def test_no_item_before_consent_and_questions_and_none_for_who_is_screened_out(birds: Workplace) -> None:
    repository, study = birds.repository, make_study(birds, raters_per_item=1)
    asked = {"before": questions_of("Native? = yes / no!"), "after": questions_of("Q?")}
    repository.studies.settle(study.id, consent="Do you agree?", **asked)
    ours, theirs = arrive(birds, study, "a"), arrive(birds, study, "b")
    visits, look = repository.visits, repository.desk.look
    assert visits.stage(study.id, ours, look(study.id, ours)) == "consent"
    with pytest.raises(NotYours, match="Agree"):
        visits.check_may_rate(study.id, ours)
    with pytest.raises(BadSetting, match="There are no questions now"):
        visits.answer(study.id, ours, None, ["yes"])
    for rater, answer in ((ours, "yes"), (theirs, "no")):
        visits.agree(study.id, rater)
        assert visits.stage(study.id, rater) == "before"
        visits.answer(study.id, rater, look(study.id, rater), [answer])
    assert visits.stage(study.id, theirs) == "screened_out"
    with pytest.raises(NotYours):
        visits.check_may_rate(study.id, theirs)
    visits.check_may_rate(study.id, ours)
    answer_all(repository, study, ours)
    assert visits.stage(study.id, ours, look(study.id, ours)) == "after"
    visits.answer(study.id, ours, look(study.id, ours), ["fine"])
    assert visits.stage(study.id, ours, look(study.id, ours)) == "done"
    assert [one.ending for one in repository.studies.raters(study.id)] == ["done", "screened_out"]
    late = arrive(birds, study, "c")
    assert look(study.id, late).stopped == "full"
    given = {"before": {"Native?": "yes"}, "after": {"Q?": "fine"}}
    assert repository.visits.answers(study.id)[ours.code] == given


def test_a_rater_who_leaves_a_study_gives_the_items_back_and_gets_none_when_sent_again(birds: Workplace) -> None:
    repository, study = birds.repository, make_study(birds, size=4, raters_per_item=1)
    repository.studies.settle(study.id, items_per_rater=4)
    link, _ = repository.links.make(study.id, panel=PROLIFIC)
    rater, _ = repository.links.arrive(link, "a")
    (item, *_) = repository.desk.queue(study.id, rater).items
    repository.save(rater, [rating(item, c) for c in CRITERIA])
    assert repository.visits.leave(study.id, rater) == 3
    assert repository.visits.stage(study.id, rater) == "returned"
    with pytest.raises(NotYours, match="left"):
        repository.visits.check_may_rate(study.id, rater)
    other, _ = repository.links.arrive(link, "b")
    assert repository.desk.queue(study.id, other).total == 3
    repository.managing.release(study.id, other.code)  # items are free again
    assert repository.links.arrive(link, "a")[0] == rater
    assert repository.visits.stage(study.id, rater, repository.desk.look(study.id, rater)) == "returned"
    with pytest.raises(NotYours, match="left"):
        repository.visits.check_may_rate(study.id, rater)


def test_who_opens_the_link_of_a_draft_has_not_arrived_before_coming_again(birds: Workplace) -> None:
    repository = birds.repository
    draft = repository.studies.duplicate(make_study(birds, size=3).id, "a draft")
    link, _ = repository.links.make(draft, panel=PROLIFIC)
    previewer, early = (repository.links.arrive(link, person)[0] for person in ("me", PID))
    assert repository.studies.raters(draft) == ()
    repository.studies.step(draft, "running")
    assert repository.links.arrive(link, PID)[0] == early
    assert [one.code for one in repository.studies.raters(draft)] == [early.code] != [previewer.code]


def test_a_rater_who_has_finished_stays_finished_when_leaving(birds: Workplace) -> None:
    repository, study = birds.repository, make_study(birds, size=2)
    rater = arrive(birds, study)
    answer_all(repository, study, rater)
    look = repository.desk.look
    assert repository.visits.leave(study.id, rater, look(study.id, rater)) == 0
    assert repository.visits.stage(study.id, rater, look(study.id, rater)) == "done"
    assert [one.ending for one in repository.studies.raters(study.id)] == ["done"]

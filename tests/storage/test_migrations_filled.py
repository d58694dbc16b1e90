"""The newer migrations with rows in all that they made: down one after another, and up again, on both databases."""

from sqlalchemy import func, select, text

from core.studies.asking.questionnaire import Questionnaire, questions_of
from core.studies.planning.recruitment import PRESETS, Arrival
from core.studies.rater_quality.flags import Thresholds
from core.studies.results.evidence import Judgement
from storage.engine.migration import downgrade, migrate, revisions
from storage.rating.rater_quality.quality_settings import RaterQualitySettings
from storage.study_types import Save
from storage.tables import Table
from tests.making import answer_all, make_study, note, rating
from ui.services.studies import controls
from ui.services.workplace import Workplace

FIRST = "0011"  # before studies had a life, panels, gold, adjudication, forms and evidence
NEWER = {"study_courses", "exclusions", "releases", "erasures", "link_panels", "study_entries", "visits"}
NEWER |= {"entry_answers", "platform_people", "controls", "study_quality", "adjudications", "study_forms"}
NEWER |= {"sentence_adjudications"}
NEWER |= {"item_sentences", "sentence_judgements", "explanation_remarks", "study_changes", "account_changes"}


def filled(birds: Workplace) -> None:
    """Put rows into every table of NEWER."""
    repository = birds.repository
    study = make_study(birds, "paid", metrics=("ZorkScore",), raters_per_item=2)
    repository.quality.set_watch(study.id, RaterQualitySettings(Thresholds(), 2, 2))
    for role, count in (("gold", 2), ("training", 1)):
        controls.approve(birds, study, role, controls.proposed(birds, study, "swapped", count, 1), "ada")  # type: ignore[arg-type]
    repository.visits.set_entry(study.id, Questionnaire("Agree?", questions_of("How old?"), ()))
    link, _ = repository.panel_links.make(study.id, PRESETS[0], None)
    hired = repository.panel_links.arrive(link, Arrival("5f01", "s", "1"), "Firefox")[0]
    repository.visits.agree(study.id, hired)
    repository.visits.answer(study.id, hired, None, ["41"])
    left, cheat, gone = (repository.raters.add(code) for code in ("LEFT", "CHEAT", "GONE"))
    first = repository.desk.queue(study.id, left, None, 3).items[0]
    repository.save(left, [rating(first)])
    repository.life.release(study.id, "LEFT")
    for rater, point in ((hired, 4), (cheat, 1)):
        answer_all(repository, study, rater, point)
    captions = make_study(birds, "captions", form="hice-human-evaluation")
    for rater, point in ((cheat, 1), (gone, 3)):
        items = repository.desk.queue(captions.id, rater, None, 20).items
        for item in items:
            repository.save(rater, [rating(item, key, point) for key in ("correctness", "completeness")])
    for one in (study, captions):
        for dispute in repository.adjudications.disputes(one.id)[:2]:
            question = (dispute.item, dispute.score, dispute.criterion)
            repository.adjudications.decide(one.id, question, 2, "careless", "", "ada")
    repository.life.exclude(study.id, "CHEAT", "hasty")
    repository.erasures.erase_rater("GONE", keep_ratings=True)
    repository.accounts.add("ada", "admin")
    repository.accounts.change("ada", role="admin")
    evidence = make_study(birds, "evidence", form="evidence")
    (item, *_) = repository.desk.queue(evidence.id, left, 1, 1).items
    for number, said in ((1, {"verdict": "right"}), (None, {"overlooked": [], "no_fault": True})):
        kind = "whole" if number is None else "sentence"
        key = note(item, "").key
        told = Save(key=key, assignment=item.id, age_ms=0, kind=kind, panel=1, sentence=number, said=said)  # type: ignore[arg-type]
        assert repository.save(left, [told]) == (None,)
    said = Judgement("wrong", kind="object", severity="minor")
    with repository.database.read() as connection:
        judged = connection.execute(text("SELECT item_id, score_id, number FROM sentence_judgements")).one()
    repository.sentence_adjudications.decide(evidence.id, tuple(judged), said, "careless", "", "ada")  # type: ignore[arg-type]


def counts(birds: Workplace) -> dict[str, int]:
    with birds.repository.database.read() as connection:
        there = {name for name in Table.metadata.tables if connection.dialect.has_table(connection, name)}
        return {name: connection.scalar(select(func.count()).select_from(text(name))) or 0 for name in there if name}


def test_every_newer_revision_is_left_and_entered_again_with_rows_in_all_its_tables(birds: Workplace) -> None:
    filled(birds)
    before = counts(birds)
    assert {name for name in NEWER if not before[name]} == set()
    with birds.repository.database.read() as connection:
        assert connection.scalar(text("SELECT count(*) FROM adjudications WHERE score_id < 0"))  # about captions
    engine = birds.repository.database.engine
    for revision in reversed(revisions()[revisions().index(FIRST) : -1]):
        downgrade(engine, revision)
    assert not NEWER & counts(birds).keys()
    migrate(engine)
    after = counts(birds)
    assert after.keys() == before.keys()
    kept = {"datasets", "images", "samples", "scores", "raters", "studies", "participations"}
    assert {name: after[name] for name in kept} == {name: before[name] for name in kept}
    with birds.repository.database.read() as connection:
        answers = text("SELECT count(*) FROM ratings r JOIN assignments a USING (item_id, rater_id) WHERE a.place > 0")
        assert connection.scalar(answers)  # what was answered to the studies' own items
        if connection.dialect.name == "sqlite":
            assert connection.exec_driver_sql("PRAGMA foreign_key_check").all() == []
    study = make_study(birds, "afterwards")
    answer_all(birds.repository, study, birds.repository.raters.add("NEW1"))
    assert birds.repository.studies.progress(study.id)[0].done == study.items


def test_a_study_from_before_counts_practice_and_gold_in_a_raters_number_and_a_new_one_does_not(
    birds: Workplace,
) -> None:
    repository = birds.repository
    old, open_ended = (make_study(birds, name, raters_per_item=2) for name in ("old", "open-ended"))
    repository.life.settle(old.id, items_per_rater=3)
    engine = repository.database.engine
    downgrade(engine, "0020")
    migrate(engine)
    new = make_study(birds, "new", raters_per_item=2)
    included = [repository.studies.get(one.id).course.controls_included for one in (old, open_ended, new)]
    assert included == [True, False, False]

"""The report's table of ratings that do not count: one row for each rater."""

from tests.making import CRITERIA, import_rows, make_study, rating, rows
from ui.services.studies import gold as services
from ui.services.studies.study_tables import left_out_table
from ui.services.workplace import Workplace


def test_a_rater_with_several_reasons_has_one_row_that_counts_each(workplace: Workplace, tmp_path: object) -> None:
    import_rows(workplace, tmp_path / "files", rows(20, ("ZorkScore",)))  # type: ignore[operator]
    study = make_study(workplace, size=5, practice=1, gold_every=4)
    services.approve(workplace, study, services.proposed(workplace, study, "swapped", 1, 1), "ada")
    for code in ("A1", "B2"):
        rater = workplace.repository.raters.add(code)
        for item in workplace.repository.desk.queue(study.id, rater, 1, 20).items:
            if code == "A1" or item.practice:
                workplace.repository.save(rater, [rating(item, key, 4) for key in CRITERIA])
    table = left_out_table(workplace.repository.studies.ratings(study.id))
    assert [tuple(row.values()) for row in table.rows] == [
        ("A1", "gold: 3, practice: 3", 6),
        ("B2", "practice", 3),
    ]

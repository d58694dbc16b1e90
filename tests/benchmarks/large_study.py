"""A study of many items, rated by 20 raters, written by SQL: what the growth of its costs is measured on."""

import json
import sqlite3
from pathlib import Path

from core.studies.planning.plan import rater_order
from core.studies.planning.study_request import StudyRequest
from storage.rating.assignment.item_holders import COUNT
from storage.study_types import Rater, Study
from tests.benchmarks.growth import DATASET, METRICS, large_data
from tests.benchmarks.studies import workplace
from ui.services.studies.study_actions import create_study

RATERS, AN_ITEM = 20, 3
_EXPLAINED = """UPDATE scores SET explained = 1, rationales = '{"overall": "The caption names the main subject."}'
  WHERE value IS NOT NULL"""
_ITEMS = "SELECT i.place, json_array(i.id, s.score_id) FROM items i JOIN item_scores s ON s.item_id = i.id"
_ASSIGNMENTS = """INSERT INTO assignments (id, study_id, rater_id, place, slot, item_id, panels, finished_at, given_at,
    note)
  VALUES (?, ?, ?, ?, ?, ?, '[' || ? || ']', '2026-02-01 12:00:00.000000', '2026-02-01 11:00:00.000000', '')"""
_ANSWERS = """INSERT INTO ratings (item_id, score_id, rater_id, criterion, study_id, lowest, highest, point, started_at,
    submitted_at, duration_ms, picture_shown)
  SELECT a.item_id, s.score_id, a.rater_id, c.criterion, a.study_id, c.lowest, c.highest,
    1 + (a.item_id * 7919 + a.rater_id * (31 + c.place) + s.score_id * 13) % 10007 * c.highest / 10007,
    datetime('2026-02-01', '+' || a.place || ' minutes') || '.000000',
    datetime('2026-02-01', '+' || a.place || ' minutes', '+20 seconds') || '.000000', 20000 + a.item_id % 977 * 10, 1
  FROM assignments a JOIN item_scores s ON s.item_id = a.item_id JOIN study_criteria c ON c.study_id = a.study_id
  WHERE a.finished_at IS NOT NULL"""
_EVENTS = """INSERT INTO events (request_key, at, received_at, rater_id, assignment_id, kind, score_id, criterion,
    new_point)
  SELECT r.item_id || '-' || r.score_id || '-' || r.criterion, r.submitted_at, r.submitted_at, r.rater_id, a.id,
    'rating', r.score_id, r.criterion, r.point
  FROM ratings r JOIN assignments a ON a.item_id = r.item_id AND a.rater_id = r.rater_id"""


def large_study(data_dir: Path, items: int, share: float = 1, form: str = "single", answers: bool = True) -> Study:
    """Make a data folder with a study in which 20 raters share the items, three raters an item; returns the study.

    share: of the ratings of whole items that are finished, each rater's in the rater's own order.
    """
    database = large_data(data_dir, items)
    with sqlite3.connect(database) as connection:
        connection.execute(_EXPLAINED)
    with workplace(data_dir) as place:
        request = StudyRequest(
            "large", DATASET, seed=3, form=form, metrics=METRICS[:1], raters_per_item=AN_ITEM, veil=False
        )
        study = create_study(place, request)
        raters = [place.repository.raters.add(f"R{number}") for number in range(RATERS)]
        for rater in raters:
            place.repository.desk.queue(study.id, rater, None, 1)
        assignments, reached = _assignments(study, raters, share)
        with sqlite3.connect(database) as connection:
            connection.execute("DELETE FROM assignments")
            connection.execute("UPDATE items SET takers = -1")  # as storage.rating.assignment.item_holders does
            of_place = dict(connection.execute(_ITEMS).fetchall())
            connection.executemany(_ASSIGNMENTS, ((*row, *json.loads(of_place[place])) for *row, place in assignments))
            connection.execute(COUNT)
            connection.executemany(
                "UPDATE participations SET reached = ?, seen_at = '2999-01-01 00:00:00.000000' WHERE rater_id = ?",
                [(place, rater.id) for place, rater in reached],
            )
            if answers:
                connection.execute(_ANSWERS)
                connection.execute(_EVENTS)
        connection.close()
    return study


def _assignments(
    study: Study, raters: list[Rater], share: float
) -> tuple[list[tuple[object, ...]], list[tuple[int, Rater]]]:
    """Return rows of assignments, and how far each rater's order has been searched."""
    taken, made = [0] * study.items, []
    orders = [iter(enumerate(rater_order(study.seed, number, study.items), 1)) for number in range(RATERS)]
    places, reached = [0] * RATERS, [0] * RATERS
    for number in range(int(share * AN_ITEM * study.items)):
        who = number % RATERS
        for reached[who], item in orders[who]:  # noqa: B020 - where the search ended
            if taken[item] < AN_ITEM:
                break
        else:
            continue
        places[who] += 1
        made.append((f"a{number}", study.id, raters[who].id, places[who], taken[item], item))
        taken[item] += 1
    return made, list(zip(reached, raters, strict=True))

"""What raters of a platform get who come to a closed study, or whose study is closed before their last item."""

import itertools
from typing import Any

from fastapi.testclient import TestClient

from core.studies.design import StudyDesign
from core.studies.planning.platforms import End, Platform
from storage.study_types import Study
from tests.making import METRICS
from tests.ui.conftest import WRITE, Site, client_of
from ui.services.studies import study_actions as services
from ui.web.access.cookies import LINK_HEADER

PLATFORM = Platform("Prolific", "PID", ends={"done": End("DONE"), "full": End("FULL")})
_numbers = itertools.count()


def shared(site: Site) -> Study:
    asked = {"metrics": METRICS[:1], "size": 4, "raters_per_item": 2, "items_per_rater": 3}
    request = StudyDesign(f"cut off {next(_numbers)}", "birds", 7, **asked)
    planned = services.plan(site.workplace, request)
    return site.workplace.repository.studies.add(planned)


def sent(site: Site, study: Study, platform: Platform = PLATFORM) -> TestClient:
    """Return the browser of a new person whom the platform sends."""
    token = site.workplace.repository.links.make(study.id, panel=platform)[1]
    browser = client_of(site.app)
    browser.headers[LINK_HEADER] = token
    reply = browser.post("/api/rate/arrival", json={"query": f"PID=person{next(_numbers)}"}, headers=WRITE)
    browser.code = reply.raise_for_status().json()["rater"]["code"]  # type: ignore[attr-defined]
    return browser


def rate(site: Site, study: Study, browser: TestClient, most: int) -> None:
    """Answer the first items."""
    items = browser.get(f"/api/rate/studies/{study.id}/items?count=20").json()["items"]
    for number, item in enumerate(items[:most]):
        saves = [
            {"key": f"cut-{next(_numbers)}-{number:06}", "assignment": item["id"], "kind": "rating", "age_ms": 0}
            | {"panel": place, "criterion": criterion, "point": 3}
            for place, _ in enumerate(item["panels"], 1)
            for criterion in study.design.criteria
        ]
        browser.post("/api/rate/saves", json={"saves": saves}, headers=WRITE).raise_for_status()


def visit(browser: TestClient, study: Study) -> dict[str, Any]:
    found: dict[str, Any] = browser.get(f"/api/rate/studies/{study.id}/visit").raise_for_status().json()
    return found


def test_a_closed_study_sends_the_unfinished_away_with_the_code_of_a_full_study(site: Site) -> None:
    study, repository = shared(site), site.workplace.repository
    finished, cut_off, left = (sent(site, study) for _ in range(3))
    rate(site, study, finished, 3)
    rate(site, study, cut_off, 1)
    rate(site, study, left, 1)
    repository.managing.release(study.id, left.code)  # type: ignore[attr-defined]
    assert visit(cut_off, study)["end"] is None
    repository.studies.step(study.id, "closed")
    late = sent(site, study)
    codes = [visit(one, study)["end"]["code"] for one in (finished, cut_off, left, late)]
    assert codes == ["DONE", "FULL", "FULL", "FULL"]
    nameless = sent(site, study, Platform("Prolific", "PID", ends={"done": End("DONE")}))
    assert visit(nameless, study)["end"] == {"panel": "Prolific", "code": "", "address": ""}


def test_raters_at_work_finish_while_new_raters_read_that_the_study_is_full(site: Site, client: TestClient) -> None:
    study = shared(site)
    at_work = sent(site, study)
    rate(site, study, at_work, 1)
    site.workplace.repository.studies.settle(study.id, items_per_rater=3, new_raters=False)
    late = sent(site, study)
    assert (visit(late, study)["stage"], visit(late, study)["end"]["code"]) == ("full", "FULL")
    queue = late.get(f"/api/rate/studies/{study.id}/items?count=3").json()
    assert (queue["items"], queue["stopped"]) == ([], "full")
    repository = site.workplace.repository
    rated = [one.code for one in repository.studies.raters(study.id) if one.number is not None]
    assert rated == [at_work.code]  # type: ignore[attr-defined]
    rate(site, study, at_work, 3)
    assert (visit(at_work, study)["stage"], visit(at_work, study)["end"]["code"]) == ("done", "DONE")
    repository.studies.step(study.id, "closed")
    repository.studies.step(study.id, "running")
    assert visit(late, study)["stage"] == "rate"

"""Drawing regions on a picture of one's own, and the things that its caption names."""

from typing import Any

import httpx
from fastapi.testclient import TestClient

from core.types import Explanation, ImageRegion, Region, Score
from storage.types import StoredSample
from tests.making import make_study
from tests.ui.services.test_uploads import drawn, taken, visitor  # noqa: F401  (a fixture)
from ui.services.workplace import Workplace

BOX = [[4, 4], [36, 4], [36, 30], [4, 30]]


def draw(visitor: TestClient, sample: int, label: str = "boat", outline: Any = BOX) -> httpx.Response:  # noqa: F811
    return visitor.post(f"/api/samples/{sample}/regions", json={"label": label, "outline": outline})


def of(birds: Workplace, stored: StoredSample) -> tuple[ImageRegion, ...]:
    return birds.repository.samples.get(stored.id).sample.image.regions


def test_a_region_is_drawn_named_and_taken_away(visitor: TestClient, birds: Workplace) -> None:  # noqa: F811
    own = taken(visitor, birds, drawn())
    assert visitor.get(f"/api/samples/{own.id}").json()["may_draw"] is True
    assert draw(visitor, own.id, " a  red\tboat ").json() == {"regions": 1}
    assert draw(visitor, own.id, "sky", [[-20, -20], [90, 0], [64, 10]]).json() == {"regions": 2}  # cut off at the edge
    assert [(region.label, region.size) for region in of(birds, own)] == [("a red boat", (48, 64)), ("sky", (48, 64))]
    shown = visitor.get(f"/api/samples/{own.id}").json()["outlines"]
    assert [(one["label"], one["area"]) for one in shown][0] == ("a red boat", 32 * 26)
    assert visitor.delete(f"/api/samples/{own.id}/regions/0").json() == {"regions": 1}
    assert draw(visitor, own.id).json() == {"regions": 2}
    assert [region.label for region in of(birds, own)] == ["sky", "boat"]
    assert visitor.delete(f"/api/samples/{own.id}/regions/2").status_code == 404


def test_what_cannot_be_a_region_is_refused(visitor: TestClient, birds: Workplace) -> None:  # noqa: F811
    own = taken(visitor, birds, drawn())
    for label, outline, status in (
        ("", BOX, 400),
        ("x" * 61, BOX, 400),
        ("boat", [[1, 1], [1, 1], [1, 1]], 400),
        ("boat", [[70, 50], [90, 60], [80, 70]], 400),
        ("boat", BOX[:2], 422),
        ("boat", [["NaN", 1], [2, 2], [3, 3]], 422),
        ("boat", BOX * 251, 422),
    ):
        assert draw(visitor, own.id, label, outline).status_code == status, (label, len(outline))
    assert draw(visitor, 1).json()["detail"].startswith("You can draw regions only on your own pictures")
    assert visitor.get("/api/samples/1").json()["may_draw"] is False
    assert of(birds, own) == ()


def test_scores_of_other_regions_go_unless_raters_judge_them(visitor: TestClient, birds: Workplace) -> None:  # noqa: F811
    own = taken(visitor, birds, drawn())
    draw(visitor, own.id)
    (region,) = of(birds, own)
    seen = Region(region.rle, region.size, region.label, False, 0.5, None, False)
    for metric, explanation in (("HICE-S", Explanation(regions=(seen,), cut=0.5)), ("FLEUR", Explanation())):
        birds.repository.scores.save(own.id, Score(metric, 0.5, metric, explanation=explanation))
    draw(visitor, own.id, "mast")
    assert [one.metric for one in birds.repository.samples.get(own.id).outcomes] == ["FLEUR"]
    rated = Explanation({"overall": "It is a boat."}, regions=(seen,), cut=0.5)
    birds.repository.scores.save(own.id, Score("HICE-S", 0.5, "HICE-S", explanation=rated))
    make_study(birds, "own", dataset="own pictures")
    answer = draw(visitor, own.id, "oar")
    assert (answer.status_code, answer.json()["kind"]) == (409, "taken")
    assert len(of(birds, own)) == 2


def test_the_things_of_a_caption_are_named_without_anything_else(visitor: TestClient) -> None:  # noqa: F811
    def things(caption: str) -> Any:
        return visitor.post("/api/things", json={"text": caption}).json()

    assert things("A man in a red hat rides a horse.") == ["man", "hat", "horse"]
    assert [things(caption) for caption in ("", " ", "12", "?!")] == [[]] * 4

"""A server that was put back to an earlier time: pages recognise it and send again what it lacks."""

import itertools
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from fastapi import FastAPI
from fastapi.testclient import TestClient

from storage.study_types import Study
from tests.conftest import copied
from tests.making import make_study
from tests.ui.conftest import client_of, save
from ui.services.scoring.judging import Judge
from ui.services.transfer.backup import back_up, restore
from ui.services.workplace import DATABASE, Workplace, open_workplace
from ui.settings import Settings

CRITERIA = ("consistency", "factuality", "informativeness")


class House:
    """A data folder with a server on it that can be stopped, put back to an earlier time and started again."""

    def __init__(self, workplace: Workplace, api_of: Callable[[Workplace, Judge], FastAPI]) -> None:
        self.workplace, self._api_of = workplace, api_of
        self.study: Study = make_study(workplace, size=6)
        self._start()

    def _start(self) -> None:
        self.app = self._api_of(self.workplace, Judge(self.workplace))

    def again(self, between: Callable[[Path], object]) -> None:
        """Stop the server, do something to its folder, and start it again."""
        self.workplace.repository.close()
        between(self.workplace.data_dir)
        self.workplace = open_workplace(Settings(data_dir=self.workplace.data_dir))
        self._start()

    def stored(self) -> list[tuple[str, str, int]]:
        records = self.workplace.repository.studies.records(self.study.id)
        return sorted((record.rater, record.criterion, record.rating) for record in records)


class Browser:
    """A rater's browser, which keeps its cookie whatever becomes of the server."""

    def __init__(self, house: House, code: str) -> None:
        self.house, self.code = house, code
        self.client: TestClient = client_of(house.app)
        entered = self.client.post("/api/rate/session", json={"code": code}).json()
        self.return_key = entered["rater"]["return_key"]

    def reach(self) -> None:
        """Ask the server that runs now."""
        cookies = self.client.cookies
        self.client = client_of(self.house.app)
        self.client.cookies.update(cookies)

    def items(self, count: int = 6) -> dict[str, Any]:
        found: dict[str, Any] = self.client.get(
            f"/api/rate/studies/{self.house.study.id}/items", params={"start": 1, "count": count}
        ).json()
        return found

    def send(self, saves: list[dict[str, Any]], epoch: str | None = None) -> Any:
        return self.client.post("/api/rate/saves", json={"saves": saves, "epoch": epoch})

    def missing(self, saves: list[dict[str, Any]]) -> list[str]:
        keys = [one["key"] for one in saves]
        missing: list[str] = self.client.post("/api/rate/kept", json={"keys": keys}).json()["missing"]
        return missing


def answered(item: dict[str, Any], point: int) -> list[dict[str, Any]]:
    return [save(item, criterion, point) for criterion in CRITERIA]


@pytest.fixture
def house(birds_folder: Path, tmp_path: Path, api_of: Callable[[Workplace, Judge], FastAPI]) -> Iterator[House]:
    with copied(birds_folder, tmp_path / "data") as workplace:
        made = House(workplace, api_of)
        yield made
        made.workplace.repository.close()


def put_back_by_hand(backup: Path) -> Callable[[Path], object]:
    def copy(data_dir: Path) -> None:
        for file in data_dir.glob(f"{DATABASE}*"):
            file.unlink()
        shutil.copyfile(backup / DATABASE, data_dir / DATABASE)

    return copy


@pytest.mark.parametrize("how", ["restored", "copied by hand"])
def test_a_page_is_told_of_the_step_back_and_sends_again_what_the_server_lacks(
    house: House, tmp_path: Path, how: str
) -> None:
    browser = Browser(house, "K7")
    first = browser.items(2)
    before = [one for item in first["items"][:2] for one in answered(item, 1)]
    assert browser.send(before, first["epoch"]).status_code == 200
    backup = back_up(house.workplace.data_dir, tmp_path / "backups")
    later = browser.items(6)["items"][2:]  # these were given out after the backup
    after = [one for item in later for one in answered(item, 2)]
    changed = save(first["items"][0], "factuality", 4)
    assert browser.send([*after, changed], first["epoch"]).status_code == 200
    stored = house.stored()
    assert len(stored) == 18

    if how == "restored":
        house.again(lambda folder: restore(backup.folder, folder))
    else:
        house.again(put_back_by_hand(backup.folder))
    browser.reach()
    assert len(house.stored()) == 6
    refused = browser.send([save(first["items"][0], "factuality", 3)], first["epoch"])
    assert (refused.status_code, refused.json()["kind"]) == (409, "went_back")
    assert browser.client.get("/api/rate/epoch").json()["epoch"] != first["epoch"]
    lacks = browser.missing([*before, *after, changed])
    assert lacks == [one["key"] for one in [*after, changed]]

    again = [one for one in [*before, *after, changed] if one["key"] in lacks]
    results = browser.send(again).json()["results"]
    assert [one["saved"] for one in results] == [True] * len(again)
    assert house.stored() == stored
    assert browser.missing([*before, *after, changed]) == []
    queue = browser.items()
    assert (queue["done"], [item["id"] for item in queue["items"][2:]]) == (6, [item["id"] for item in later])


def test_without_a_step_back_nothing_is_missing_and_nothing_is_sent_twice(house: House) -> None:
    browser = Browser(house, "K7")
    queue = browser.items(2)
    saves = answered(queue["items"][0], 3)
    browser.send(saves, queue["epoch"])
    house.again(lambda _: None)
    browser.reach()
    assert browser.send(saves, queue["epoch"]).json()["kind"] == "went_back"  # the page cannot know: it compares
    assert browser.missing(saves) == []
    assert browser.items(2)["epoch"] != queue["epoch"]


def test_a_rater_who_joined_after_the_backup_starts_again_under_the_same_code_and_loses_nothing(
    house: House, tmp_path: Path
) -> None:
    backup = back_up(house.workplace.data_dir, tmp_path / "backups")
    browser = Browser(house, "NEW1")
    queue = browser.items(2)
    saves = answered(queue["items"][0], 2)
    browser.send(saves, queue["epoch"])
    house.again(lambda folder: restore(backup.folder, folder))
    browser.reach()
    assert browser.send(saves, queue["epoch"]).json()["kind"] == "signed_out"
    known = browser.client.post("/api/rate/session", json={"code": "NEW1", "return_key": browser.return_key})
    assert known.json()["kind"] == "taken"  # by this refusal the page learns that the server does not know the rater
    assert browser.client.get("/api/rate/epoch").json()["epoch"] != queue["epoch"]

    assert browser.client.post("/api/rate/session", json={"code": "NEW1"}).status_code == 200
    assert browser.missing(saves) == [one["key"] for one in saves]
    results = browser.send(saves).json()["results"]
    assert [one["saved"] for one in results] == [True] * 3
    assert house.stored() == [("NEW1", criterion, 2) for criterion in sorted(CRITERIA)]


def test_a_lost_item_is_given_back_to_its_own_rater_only(house: House, tmp_path: Path) -> None:
    backup = back_up(house.workplace.data_dir, tmp_path / "backups")
    thief, owner = Browser(house, "THIEF"), Browser(house, "OWNER")
    (item,) = owner.items(1)["items"]
    thief.items(1)
    house.again(lambda folder: restore(backup.folder, folder))
    for browser, name in itertools.product((owner, thief), (item["id"][:-1] + "!", "1-0-", "a-b-c", "1-0", "x" * 5000)):
        browser.reach()
        browser.client.post("/api/rate/session", json={"code": browser.code})
        assert '"saved":true' not in browser.send([save(item | {"id": name})]).text, name
    assert thief.send([save(item)]).json()["kind"] == "not_yours"
    assert owner.send([save(item)]).json()["results"][0]["saved"] is True

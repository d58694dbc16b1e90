"""The page on licences names every installed package whose licence asks for more than to be named."""

from pathlib import Path

from ui.services.scoring.licences import installed_licences

PAGE = (Path(__file__).resolve().parents[1] / "docs" / "reference" / "licences.md").read_text()


def test_the_page_on_licences_names_every_package_that_asks_for_more_than_to_be_named() -> None:
    asking = [one for one in installed_licences() if one.asks]
    assert {"ultralytics", "ultralytics-thop", "ultralytics-platform"} <= {one.package for one in asking}
    assert [one.package for one in asking if one.package not in PAGE] == []
    agpl = next(line for line in PAGE.splitlines() if "AGPL-3.0:" in line)
    assert all(one.package in agpl for one in asking if one.licence.startswith("AGPL"))


def test_every_package_states_a_licence_and_is_listed_once() -> None:
    found = installed_licences()
    assert len(found) == len({one.package.lower() for one in found}) > 100
    assert len([one for one in found if one.licence == "not stated"]) < 5

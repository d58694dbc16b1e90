"""`models`: what is known of weights, and what happens without a network."""

from time import monotonic

import pytest

from core.metrics import METRICS
from tests.command_line import Run


def test_every_entry_has_address_revision_size_and_licence(run: Run) -> None:
    entries = run("models", "--json").json
    assert {entry["metric"] for entry in entries} == {metric.name for metric in METRICS if metric.checkpoints}
    for entry in entries:
        assert entry["address"].startswith("https://"), entry
        assert all(entry[name] for name in ("revision", "size_gb", "licence")), entry
        assert (entry["how"] is None) == entry["present"]
    shown = run("models").out
    assert all(entry["address"] in shown for entry in entries)


def test_without_a_network_fetch_fails_soon_with_the_addresses(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "https://hub.invalid")
    begun = monotonic()
    ran = run("models", "fetch", "EXPERT")
    assert ran.code == 2 and monotonic() - begun < 10  # a second here; the tests' machine may be busy
    assert "13b-hf (26.7 GB) could not be downloaded" in ran.err and "hub.invalid/llava-hf/llava-1.5-13b" in ran.err

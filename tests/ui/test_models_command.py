"""`models`: what is known of weights, and what happens without a network."""

import hashlib
from dataclasses import replace
from pathlib import Path
from time import monotonic

import pytest

from core.metrics import METRICS
from core.models.checkpoints import MOBILE_SAM
from tests.command_line import Run, command_line
from ui.commands.models import state_of


@pytest.fixture
def run(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Run:
    return command_line(tmp_path / "data", capsys)


def test_every_entry_has_address_revision_size_checksum_licence_and_state(run: Run) -> None:
    entries = run("models", "--json").json
    assert {entry["metric"] for entry in entries} == {metric.name for metric in METRICS if metric.checkpoints}
    for entry in entries:
        assert entry["address"].startswith("https://"), entry
        assert entry["state"] in ("whole", "wrong", "missing")
        assert all(entry[name] for name in ("revision", "size_gb", "sha256", "licence")), entry
    shown = run("models").out
    assert all(entry["address"] in shown for entry in entries)


def test_another_file_than_the_published_one_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("core.models.checkpoints.WEIGHTS_FOLDER", tmp_path)
    (tmp_path / "mobile_sam.pt").write_bytes(b"weights")
    right = replace(MOBILE_SAM, sha256=hashlib.sha256(b"weights").hexdigest())
    assert state_of(right) == "whole"
    assert state_of(replace(right, sha256="0" * 64)) == "wrong"


@pytest.mark.parametrize("proxy", ["", "http://127.0.0.1:9"])
def test_without_a_network_fetch_fails_soon_with_the_addresses(
    run: Run, proxy: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", "https://hub.invalid")
    begun = monotonic()
    ran = run("models", "fetch", "EXPERT", **({"CAPSCOPE_PROXY": proxy} if proxy else {}))
    assert ran.code == 2 and monotonic() - begun < 10  # a second here; the tests' machine may be busy
    assert "https://hub.invalid/llava-hf/llava-1.5-13b-hf/tree/" in ran.err

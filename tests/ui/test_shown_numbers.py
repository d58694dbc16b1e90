"""Every number that Inspect shows of HICE-S, computed again from the matrix of similarities by plain numpy."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from core.captions.judging.caption import LabelledCaption
from core.metrics.evaluator import Evaluator
from core.metrics.hice import HICE, compared_phrases, labelled_scene
from core.models import ModelSettings
from core.models.hice import load_parts
from core.models.minilm import load_label_encoder
from core.types import Score
from tests.command_line import command_line
from ui.services.demo import demo_samples, ensure_demo
from ui.services.workplace import open_workplace
from ui.settings import Settings
from ui.web.json.outcomes import full_outcome_json, printed_outcome

KEYS = ("bus-c", "lion-a", "flower-b")
REGIONS = Path(__file__).parents[2] / "assets" / "demo" / "regions.json"


@pytest.mark.parametrize("key", KEYS)
def test_precisions_and_recalls_are_the_maxima_of_the_matrix_and_their_means_the_score(
    key: str, tmp_path: Path
) -> None:
    workplace = open_workplace(Settings(data_dir=tmp_path))
    ensure_demo(workplace)
    (sample,) = (one for one in demo_samples(workplace) if one.key == key)
    workplace.repository.close()
    options = ModelSettings(options={"regions": "sample"})
    (score,) = Evaluator((HICE,)).evaluate(HICE.name, [sample], options)
    assert isinstance(score, Score)

    parts, encoder = load_parts(options), load_label_encoder()
    regions = parts.regions.regions(sample.image)
    (found,) = parts.phrases.phrases([sample.candidate])
    scene = labelled_scene(sample.image, regions, parts)
    assert scene is not None
    compared = compared_phrases(found, sample.candidate)
    columns = encoder.encode_texts([phrase.text for phrase in compared])
    wordings = LabelledCaption(scene, found, sample.candidate).in_words()
    whole = encoder.encode_regions(sample.image, regions)[-1:]
    rows = [np.vstack([encoder.encode_regions(sample.image, one)[:-1], whole]) for one in wordings]
    matrix = 1.25 * np.clip(np.max([one @ columns.T for one in rows], axis=0), 0, 1)
    precisions, recalls = matrix.max(axis=0), matrix.max(axis=1)
    caption = encoder.encode_texts([sample.candidate])
    g = float(1.25 * np.clip((whole @ caption.T)[0, 0], 0, 1))
    p, r = precisions.mean(), recalls.mean()
    local = 2 / (1 / p + 1 / r)
    expected = {"gITC": g, "lITC": local, "precision": p, "recall": r}

    page = full_outcome_json(score, (HICE,))
    assert page.links is not None
    printed: dict[str, Any] = json.loads(json.dumps(printed_outcome(score)))["explanation"]
    for phrases, parts_of in (
        (page.links.phrases, page.links.regions),
        (score.explanation.phrases, score.explanation.regions),
    ):
        shown = [phrase.precision for phrase in phrases if phrase.precision is not None]
        assert np.allclose(shown, precisions, atol=1e-9)
        assert np.allclose([region.recall for region in parts_of], recalls, atol=1e-9)
    assert [one["precision"] for one in printed["phrases"]] == [one.precision for one in page.links.phrases]
    assert [one["recall"] for one in printed["regions"]] == [one.recall for one in page.links.regions]
    for name, number in expected.items():
        assert score.components[name] == pytest.approx(number, abs=1e-9)
    assert score.value == pytest.approx(2 / (1 / g + 1 / local), abs=1e-9)


def test_a_phrase_that_the_score_does_not_compare_has_no_precision(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    picture = tmp_path / "bus.jpg"
    Image.new("RGB", (810, 1080)).save(picture)
    run = command_line(tmp_path / "data", capsys)
    arguments = ("--caption", "A man stands beside a bus. There is no dog.", "--option", f"regions={REGIONS}", "--json")
    code, out, message = run("score", "HICE-S", "--image", picture, *arguments)
    assert code == 0, message
    phrases = json.loads(out)["explanation"]["phrases"]
    counted = [one["precision"] for one in phrases if one["precision"] is not None]
    assert json.loads(out)["components"]["precision"] == pytest.approx(np.mean(counted), abs=1e-12)
    assert [one["precision"] for one in phrases if one["kind"] == "denied"] == [None]

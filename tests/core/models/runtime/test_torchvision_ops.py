from __future__ import annotations

import pytest

from core.models.runtime import torchvision_ops


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global torch, nms, prepare_torchvision
    import torch

    from core.models.runtime.torchvision_ops import nms, prepare_torchvision


def naive_nms(boxes: list[list[float]], scores: list[float], threshold: float) -> list[int]:
    kept: list[int] = []
    for i in sorted(range(len(boxes)), key=lambda i: -scores[i]):
        if all(iou(boxes[i], boxes[j]) <= threshold for j in kept):
            kept.append(i)
    return kept


def iou(a: list[float], b: list[float]) -> float:
    width = max(0.0, min(a[2], b[2]) - max(a[0], b[0]))
    height = max(0.0, min(a[3], b[3]) - max(a[1], b[1]))
    area_a, area_b = (a[2] - a[0]) * (a[3] - a[1]), (b[2] - b[0]) * (b[3] - b[1])
    return width * height / (area_a + area_b - width * height)


def test_torchvision_its_nms_and_what_imports_it_load_after_preparing() -> None:
    """ultralytics loads in a process of its own: tests/ui/test_json_output.py."""
    prepare_torchvision()
    import peft  # noqa: F401
    import torchvision
    from transformers import CLIPModel, LlavaForConditionalGeneration  # noqa: F401

    boxes = torch.tensor([[0.0, 0, 10, 10], [1, 0, 11, 10], [20, 20, 30, 30]])
    assert torchvision.ops.nms(boxes, torch.tensor([0.8, 0.9, 0.1]), 0.5).tolist() == [1, 2]


def test_preparing_twice_declares_only_once() -> None:
    prepare_torchvision()
    assert prepare_torchvision() is False


def test_preparing_leaves_operators_that_another_has_declared_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    prepare_torchvision()
    monkeypatch.setattr(torchvision_ops, "_libraries", [])  # as if another library had declared them
    assert hasattr(torch.ops.torchvision, "nms")
    assert prepare_torchvision() is False
    assert torchvision_ops._libraries == []


def test_nms_keeps_the_better_of_two_overlapping_boxes() -> None:
    boxes = torch.tensor([[0.0, 0, 10, 10], [1, 0, 11, 10], [20, 20, 30, 30]])
    assert nms(boxes, torch.tensor([0.8, 0.9, 0.1]), 0.5).tolist() == [1, 2]


def test_nms_of_no_boxes_is_empty() -> None:
    assert nms(torch.zeros(0, 4), torch.zeros(0), 0.5).tolist() == []


@pytest.mark.parametrize("seed", range(5))
def test_nms_agrees_with_a_naive_version(seed: int) -> None:
    generator = torch.Generator().manual_seed(seed)
    corners = torch.rand(40, 2, generator=generator) * 50
    boxes = torch.cat([corners, corners + 5 + torch.rand(40, 2, generator=generator) * 30], dim=1)
    scores = torch.rand(40, generator=generator)
    assert nms(boxes, scores, 0.4).tolist() == naive_nms(boxes.tolist(), scores.tolist(), 0.4)

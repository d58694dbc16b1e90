"""Make torchvision importable with a CPU-only torch.

PyPI's torchvision is built for the CUDA torch of the same release. With a CPU torch its compiled operators do not load.
While torchvision is imported, it registers fake versions of ``nms`` and ``qnms``. Without the operators this
registration fails with "operator torchvision::nms does not exist", and the imports of transformers and ultralytics fail
too. To avoid this, this module first declares both operators, with a CPU ``nms`` in plain torch.
"""

import importlib
import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING, Any

from core.models.runtime.telemetry import disable_telemetry

if TYPE_CHECKING:
    import torch

_SCHEMAS = (
    "nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
    "qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor",
)
_libraries: list[Any] = []  # keeps libraries in memory, because a deleted library's operators are no longer registered


def prepare_torchvision() -> bool:
    """Declare torchvision's operators if needed; returns True if they were declared.

    Call this before the first import of torchvision or transformers. Declares nothing if torchvision's own operators
    load, if they are already declared, or if torchvision is not installed.
    """
    import torch

    disable_telemetry()
    if _libraries or hasattr(torch.ops.torchvision, "nms") or _own_operators_load():
        return False
    library: Any = torch.library.Library("torchvision", "DEF")  # type: ignore[no-untyped-call]
    for schema in _SCHEMAS:
        library.define(schema)
    library.impl("nms", nms, "CPU")
    _libraries.append(library)
    _let_nms_through()
    return True


def _let_nms_through() -> None:
    """Make torchvision.ops.nms skip its check for compiled operators.

    The function then calls the operator that this module declares.
    """
    if importlib.util.find_spec("torchvision") is not None:
        extension = importlib.import_module("torchvision.extension")
        extension._has_ops = lambda: True  # type: ignore[attr-defined]


def nms(boxes: "torch.Tensor", scores: "torch.Tensor", iou_threshold: float) -> "torch.Tensor":
    """Remove boxes that overlap better boxes, like torchvision.ops.nms.

    This is greedy non-maximum suppression. boxes: float [N, 4] as x1, y1, x2, y2. scores: float [N]. A box is dropped
    if its IoU (overlap) with a better box exceeds iou_threshold. Returns int64 indices of the kept boxes, best score
    first.
    """
    import torch

    areas = (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    order = scores.argsort(descending=True, stable=True)
    kept: list[torch.Tensor] = []
    while order.numel():
        best, rest = order[0], order[1:]
        kept.append(best)
        corner_low = torch.maximum(boxes[best, :2], boxes[rest, :2])
        corner_high = torch.minimum(boxes[best, 2:], boxes[rest, 2:])
        overlap = (corner_high - corner_low).clamp(min=0).prod(dim=1)
        order = rest[overlap <= iou_threshold * (areas[best] + areas[rest] - overlap)]
    return torch.stack(kept) if kept else torch.zeros(0, dtype=torch.int64, device=boxes.device)


def _own_operators_load() -> bool:
    import torch

    spec = importlib.util.find_spec("torchvision")
    if spec is None or spec.origin is None:
        return True
    compiled = [path for path in Path(spec.origin).parent.glob("_C*.so")]
    for path in compiled:
        try:
            torch.ops.load_library(str(path))  # type: ignore[no-untyped-call]
        except OSError:
            return False
    return bool(compiled) and hasattr(torch.ops.torchvision, "nms")

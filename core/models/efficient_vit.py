"""EfficientViT-L2 as SAM's image encoder, as in MobileSAMv2.

Cai et al., "EfficientViT: Multi-Scale Linear Attention for High-Resolution Dense Prediction", ICCV 2023. Structure
and module names follow the published l2.pt (ChaoningZhang/MobileSAM@34bbbfd MobileSAMv2/efficientvit), so that its
keys load unchanged. GELU is the tanh approximation; all norms have an epsilon of 1e-6.
"""

from collections import OrderedDict
from functools import partial
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn.functional import interpolate, pad, relu

INPUT_SIDE, GRID = 512, 64  # side of the encoder's input in px; side of the embedding in cells
WIDTHS, DEPTHS = (32, 64, 128, 256, 512), (1, 2, 2, 8, 8)
HEAD = 32  # channels of each query, key and value in one attention head
EMBEDDING, NECK_DEPTH = 256, 12
EPSILON = 1e-6


def steps(**modules: nn.Module | None) -> nn.Sequential:
    """Return modules that are applied in their order. Each keyword is a module's name in the published weights."""
    return nn.Sequential(OrderedDict({name: module for name, module in modules.items() if module is not None}))


def chain(*modules: nn.Module) -> nn.Sequential:
    """Return modules that are applied one after the other, numbered as in the published model."""
    return steps(op_list=nn.Sequential(*modules))


def conv(
    inner: int, outer: int, size: int = 1, stride: int = 1, groups: int = 1, norm: bool = True, act: bool = True,
    bias: bool = False,
) -> nn.Sequential:  # fmt: skip
    """Return a convolution with optional batch norm and optional GELU. Maps [B, inner, H, W] to [B, outer, …]."""
    return steps(
        conv=nn.Conv2d(inner, outer, size, stride, size // 2, groups=groups, bias=bias),
        norm=nn.BatchNorm2d(outer, eps=EPSILON) if norm else None,
        act=nn.GELU(approximate="tanh") if act else None,
    )


def res_block(width: int) -> nn.Sequential:
    """Return two 3×3 convolutions."""
    return steps(conv1=conv(width, width, 3), conv2=conv(width, width, 3, act=False))


def fused_mb_conv(inner: int, outer: int, stride: int, expand: int) -> nn.Sequential:
    """Return a 3×3 convolution to more channels, then a 1×1 convolution to fewer channels."""
    middle = inner * expand
    return steps(spatial_conv=conv(inner, middle, 3, stride), point_conv=conv(middle, outer, act=False))


def mb_conv(inner: int, outer: int, stride: int, expand: int) -> nn.Sequential:
    """Return convolutions: 1×1 to more channels, 3×3 per channel, 1×1 to fewer channels. Only the last has a norm."""
    middle = inner * expand
    return steps(
        inverted_conv=conv(inner, middle, norm=False, bias=True),
        depth_conv=conv(middle, middle, 3, stride, groups=middle, norm=False, bias=True),
        point_conv=conv(middle, outer, act=False),
    )


class LiteMLA(nn.Module):
    """Linear attention with ReLU, over single tokens and over 5×5 neighbourhoods."""

    def __init__(self, width: int) -> None:
        super().__init__()
        total = 3 * width
        self.qkv = conv(width, total, norm=False, act=False)
        near = nn.Conv2d(total, total, 5, padding=2, groups=total, bias=False)
        self.aggreg = nn.ModuleList([nn.Sequential(near, nn.Conv2d(total, total, 1, groups=total // HEAD, bias=False))])
        self.proj = conv(2 * width, width, act=False)

    def forward(self, x: Tensor) -> Tensor:
        """Map [B, width, H, W] to the same shape."""
        qkv = self.qkv(x)
        heads = torch.cat([qkv, self.aggreg[0](qkv)], dim=1).reshape(len(x), -1, 3 * HEAD, x.shape[2] * x.shape[3])
        query, key, value = heads.chunk(3, dim=2)
        value = pad(value, (0, 0, 0, 1), value=1.0)  # row of ones: so the last row of `mixed` becomes the divisor
        mixed = value @ relu(key).transpose(-1, -2) @ relu(query)
        mixed = mixed[:, :, :-1] / (mixed[:, :, -1:] + 1e-15)
        return self.proj(mixed.reshape(len(x), -1, *x.shape[2:]))  # type: ignore[no-any-return]


class Residual(nn.Module):
    """A block with a residual connection: main(x) + x."""

    def __init__(self, main: nn.Module) -> None:
        super().__init__()
        self.main = main

    def forward(self, x: Tensor) -> Tensor:
        """Map [B, C, H, W] to the same shape."""
        return self.main(x) + x  # type: ignore[no-any-return]


def attention_block(width: int) -> nn.Sequential:
    """Return linear attention, then three convolutions, each with a residual connection."""
    return steps(context_module=Residual(LiteMLA(width)), local_module=Residual(mb_conv(width, width, 1, 6)))


class Backbone(nn.Module):
    """Five stages. Each stage halves the height and width."""

    def __init__(self) -> None:
        super().__init__()

        def stage(first: nn.Module, block: Any, depth: int) -> nn.Sequential:
            return chain(first, *(block() for _ in range(depth)))

        w, d = WIDTHS, DEPTHS
        stages = [stage(conv(3, w[0], 3, 2), lambda: Residual(res_block(w[0])), d[0])]
        for i, kind, expand in ((1, fused_mb_conv, 16), (2, fused_mb_conv, 16), (3, mb_conv, 16)):
            narrow = steps(main=kind(w[i - 1], w[i], 2, expand))
            stages.append(stage(narrow, lambda width=w[i], kind=kind: Residual(kind(width, width, 1, 4)), d[i]))
        stages.append(stage(steps(main=mb_conv(w[3], w[4], 2, 24)), partial(attention_block, w[4]), d[4]))
        self.stages = nn.ModuleList(stages)

    def forward(self, x: Tensor) -> list[Tensor]:
        """Map [B, 3, S, S] to the outputs of all five stages."""
        outputs = []
        for stage in self.stages:
            x = stage(x)
            outputs.append(x)
        return outputs


class Neck(nn.Module):
    """Joins the outputs of the last three stages at the embedding's resolution."""

    def __init__(self) -> None:
        super().__init__()
        self.input_ops = nn.ModuleList([chain(conv(width, EMBEDDING, act=False)) for width in WIDTHS[:1:-1]])
        self.middle = chain(*(Residual(fused_mb_conv(EMBEDDING, EMBEDDING, 1, 1)) for _ in range(NECK_DEPTH)))
        self.output_ops = nn.ModuleList([chain(conv(EMBEDDING, EMBEDDING, norm=False, act=False, bias=True))])

    def forward(self, stages: list[Tensor]) -> Tensor:
        """Map the backbone's outputs to [B, EMBEDDING, GRID, GRID]."""
        narrowed = [narrow(stage) for narrow, stage in zip(self.input_ops, stages[:1:-1], strict=True)]
        large = [
            x if x.shape[-1] == GRID else interpolate(x, (GRID, GRID), mode="bicubic", align_corners=False)
            for x in narrowed
        ]
        return self.output_ops[0](self.middle(torch.stack(large).sum(dim=0)))  # type: ignore[no-any-return]


class EfficientVitL2(nn.Module):
    """EfficientViT-L2 with the inputs and outputs that MobileSAMv2's decoder expects."""

    def __init__(self) -> None:
        super().__init__()
        self.backbone, self.neck, self.norm = Backbone(), Neck(), nn.LayerNorm(EMBEDDING, eps=EPSILON)

    def forward(self, pixels: Tensor) -> Tensor:
        """Map standardised pixels [B, 3, 1024, 1024] to an embedding [B, 256, 64, 64]."""
        small = interpolate(pixels, (INPUT_SIDE, INPUT_SIDE), mode="bilinear", align_corners=False)
        embedding = self.neck(self.backbone(small))
        return self.norm(embedding.permute(0, 2, 3, 1)).permute(0, 3, 1, 2)  # type: ignore[no-any-return]

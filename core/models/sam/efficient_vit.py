"""EfficientViT-L2 as SAM's image encoder, as in MobileSAMv2.

Cai et al., "EfficientViT: Multi-Scale Linear Attention for High-Resolution Dense Prediction", ICCV 2023. Structure
and module names follow the published l2.pt (ChaoningZhang/MobileSAM@34bbbfd MobileSAMv2/efficientvit), so that its
keys load unchanged. GELU is the tanh approximation; all norms have an epsilon of 1e-6.
"""

from collections.abc import Mapping

import torch
from torch import Tensor, nn
from torch.nn.functional import interpolate, layer_norm, pad, relu

from core.models.sam.files import load_needed

INPUT_SIDE, GRID = 512, 64  # side of the encoder's input in px; side of the embedding in cells
WIDTHS, DEPTHS = (32, 64, 128, 256, 512), (1, 2, 2, 8, 8)
HEAD = 32  # channels of each query, key and value in one attention head
EMBEDDING, NECK_DEPTH = 256, 12
EPSILON = 1e-6


class Conv(nn.Module):
    """Convolution with optional batch norm and optional GELU. Without a norm it has a bias."""

    def __init__(
        self, inner: int, outer: int, size: int = 1, stride: int = 1, groups: int = 1, norm: bool = True,
        act: bool = True, bias: bool = False,
    ) -> None:  # fmt: skip
        super().__init__()
        self.conv = nn.Conv2d(inner, outer, size, stride, size // 2, groups=groups, bias=bias)
        self.norm = nn.BatchNorm2d(outer, eps=EPSILON) if norm else None
        self.act = nn.GELU(approximate="tanh") if act else None

    def forward(self, x: Tensor) -> Tensor:
        """Map [B, inner, H, W] to [B, outer, H / stride, W / stride]."""
        x = self.conv(x)
        x = self.norm(x) if self.norm else x
        return self.act(x) if self.act else x


class ResBlock(nn.Module):
    """Two 3×3 convolutions."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.conv1, self.conv2 = Conv(width, width, 3), Conv(width, width, 3, act=False)

    def forward(self, x: Tensor) -> Tensor:
        """Map [B, width, H, W] to the same shape."""
        return self.conv2(self.conv1(x))  # type: ignore[no-any-return]


class FusedMBConv(nn.Module):
    """A 3×3 convolution to more channels, then a 1×1 convolution to fewer channels."""

    def __init__(self, inner: int, outer: int, stride: int, expand: int) -> None:
        super().__init__()
        self.spatial_conv = Conv(inner, inner * expand, 3, stride)
        self.point_conv = Conv(inner * expand, outer, act=False)

    def forward(self, x: Tensor) -> Tensor:
        """Map [B, inner, H, W] to [B, outer, H / stride, W / stride]."""
        return self.point_conv(self.spatial_conv(x))  # type: ignore[no-any-return]


class MBConv(nn.Module):
    """Three convolutions: 1×1 to more channels, 3×3 per channel, and 1×1 to fewer channels.

    Only the last convolution has a norm.
    """

    def __init__(self, inner: int, outer: int, stride: int, expand: int) -> None:
        super().__init__()
        middle = inner * expand
        self.inverted_conv = Conv(inner, middle, norm=False, bias=True)
        self.depth_conv = Conv(middle, middle, 3, stride, groups=middle, norm=False, bias=True)
        self.point_conv = Conv(middle, outer, act=False)

    def forward(self, x: Tensor) -> Tensor:
        """Map [B, inner, H, W] to [B, outer, H / stride, W / stride]."""
        return self.point_conv(self.depth_conv(self.inverted_conv(x)))  # type: ignore[no-any-return]


class LiteMLA(nn.Module):
    """Linear attention with ReLU, over single tokens and over 5×5 neighbourhoods."""

    def __init__(self, width: int) -> None:
        super().__init__()
        total = 3 * width
        self.qkv = Conv(width, total, norm=False, act=False)
        near = nn.Conv2d(total, total, 5, padding=2, groups=total, bias=False)
        self.aggreg = nn.ModuleList([nn.Sequential(near, nn.Conv2d(total, total, 1, groups=total // HEAD, bias=False))])
        self.proj = Conv(2 * width, width, act=False)

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


class Downsample(Residual):
    """A block without a residual connection: main(x).

    There is no residual connection, because the output of main has half the height and width of its input. The keys are
    named as in Residual.
    """

    def forward(self, x: Tensor) -> Tensor:
        """Map [B, C, H, W] to [B, C', H / 2, W / 2]."""
        return self.main(x)  # type: ignore[no-any-return]


class AttentionBlock(nn.Module):
    """Linear attention, then an MBConv block, each with a residual connection."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.context_module, self.local_module = Residual(LiteMLA(width)), Residual(MBConv(width, width, 1, 6))

    def forward(self, x: Tensor) -> Tensor:
        """Map [B, width, H, W] to the same shape."""
        return self.local_module(self.context_module(x))  # type: ignore[no-any-return]


class Chain(nn.Module):
    """Modules that are applied one after the other.

    The attribute op_list is named as in the published model.
    """

    def __init__(self, *modules: nn.Module) -> None:
        super().__init__()
        self.op_list = nn.ModuleList(modules)

    def forward(self, x: Tensor) -> Tensor:
        """Apply every module in turn."""
        for module in self.op_list:
            x = module(x)
        return x


class Backbone(nn.Module):
    """Five stages. Each stage halves the height and width."""

    def __init__(self) -> None:
        super().__init__()
        w, d = WIDTHS, DEPTHS
        self.stages = nn.ModuleList(
            [
                Chain(Conv(3, w[0], 3, 2), *(Residual(ResBlock(w[0])) for _ in range(d[0]))),
                *(
                    Chain(
                        Downsample(FusedMBConv(w[i - 1], w[i], 2, 16)),
                        *(Residual(FusedMBConv(w[i], w[i], 1, 4)) for _ in range(d[i])),
                    )
                    for i in (1, 2)
                ),
                Chain(
                    Downsample(MBConv(w[2], w[3], 2, 16)), *(Residual(MBConv(w[3], w[3], 1, 4)) for _ in range(d[3]))
                ),
                Chain(Downsample(MBConv(w[3], w[4], 2, 24)), *(AttentionBlock(w[4]) for _ in range(d[4]))),
            ]
        )

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
        self.input_ops = nn.ModuleList([Chain(Conv(width, EMBEDDING, act=False)) for width in WIDTHS[:1:-1]])
        self.middle = Chain(*(Residual(FusedMBConv(EMBEDDING, EMBEDDING, 1, 1)) for _ in range(NECK_DEPTH)))
        self.output_ops = nn.ModuleList([Chain(Conv(EMBEDDING, EMBEDDING, norm=False, act=False, bias=True))])

    def forward(self, stages: list[Tensor]) -> Tensor:
        """Map the backbone's outputs to [B, EMBEDDING, GRID, GRID]."""
        narrowed = [narrow(stage) for narrow, stage in zip(self.input_ops, stages[:1:-1], strict=True)]
        joined = torch.stack([_upsampled(stage) for stage in narrowed]).sum(dim=0)
        return self.output_ops[0](self.middle(joined))  # type: ignore[no-any-return]


class EfficientVitL2(nn.Module):
    """EfficientViT-L2 with the inputs and outputs that MobileSAMv2's decoder expects."""

    def __init__(self) -> None:
        super().__init__()
        self.backbone, self.neck, self.norm = Backbone(), Neck(), nn.LayerNorm(EMBEDDING, eps=EPSILON)

    def forward(self, pixels: Tensor) -> Tensor:
        """Map standardised pixels [B, 3, 1024, 1024] to an embedding [B, 256, 64, 64]."""
        small = interpolate(pixels, (INPUT_SIDE, INPUT_SIDE), mode="bilinear", align_corners=False)
        embedding = self.neck(self.backbone(small))
        channels_last = embedding.permute(0, 2, 3, 1)
        normed = layer_norm(channels_last, (EMBEDDING,), self.norm.weight, self.norm.bias, EPSILON)
        return normed.permute(0, 3, 1, 2)


def encoder_from(state: Mapping[str, Tensor]) -> EfficientVitL2:
    """Build the encoder from weights.

    Weights with keys of other modules are ignored. Raises ModelUnavailable.
    """
    encoder = EfficientVitL2()
    load_needed(encoder, state, "EfficientViT-L2")
    return encoder.eval()


def _upsampled(x: Tensor) -> Tensor:
    if x.shape[-1] == GRID:
        return x
    return interpolate(x, (GRID, GRID), mode="bicubic", align_corners=False)

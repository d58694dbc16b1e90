"""Weights by the golden files' formula, so that real-size models are compared without any checkpoint."""

from collections.abc import Mapping

import numpy as np
import torch


def mixed(k: int, count: int, salt: int) -> np.ndarray:
    """The formula's u in [-1, 1), float64 [count], for the k-th key."""
    x = np.arange(count, dtype=np.uint32) * np.uint32(2654435761)
    x += np.uint32(((k + 1) * 40503 + salt) % 2**32)
    x ^= x >> np.uint32(15)
    x *= np.uint32(2246822519)
    x ^= x >> np.uint32(13)
    x *= np.uint32(3266489917)
    x ^= x >> np.uint32(16)
    return x / 2.0**31 - 1


def fill(shapes: Mapping[str, tuple[int, ...]], salt: int) -> dict[str, torch.Tensor]:
    """The formula's state dict for these keys and shapes."""
    state = {}
    for k, name in enumerate(sorted(shapes)):
        shape = tuple(shapes[name])
        if name.endswith("num_batches_tracked"):
            state[name] = torch.zeros(shape, dtype=torch.int64)
        else:
            u = mixed(k, int(np.prod(shape)), salt)
            state[name] = torch.from_numpy(_scaled(name, shape, u).reshape(shape).astype(np.float32))
    return state


def _scaled(name: str, shape: tuple[int, ...], u: np.ndarray) -> np.ndarray:
    if name.endswith("running_var"):
        return 1 + 0.25 * u
    if name.endswith("running_mean"):
        return 0.1 * u
    if name.endswith("positional_encoding_gaussian_matrix"):
        return 1.5 * u
    if len(shape) >= 2:
        return u * np.sqrt(3 / np.prod(shape[1:]))
    return 1 + 0.2 * u if name.endswith("weight") else 0.1 * u

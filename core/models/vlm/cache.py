"""Token sequences that share a key-value cache.

A transformer does not process tokens again if their keys and values are in the cache. Each row of the cache is one
sequence, and sequences have different lengths. Padding is added on the left of new tokens, so that all rows end in the
same column. Padding is always masked out.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

import torch
from transformers import Cache
from transformers.cache_utils import DynamicLayer

SPARE = 64  # minimum number of further tokens for which a cache allocates memory in advance


def common_prefix(*sequences: Sequence[int]) -> int:
    """Return how many tokens at the beginning all sequences have in common."""
    alike = takewhile(lambda tokens: len(set(tokens)) == 1, zip(*sequences, strict=False))
    return sum(1 for _ in alike)


class RoomyLayer(DynamicLayer):  # type: ignore[misc]  # transformers has no types
    """Keys and values of one layer, [rows, heads, tokens, width], in tensors with spare room.

    The class DynamicLayer of transformers copies all keys and values for every new token. For short answers to long
    prompts, this copying takes most of the time. Here keys and values are the used part of larger tensors, so most new
    tokens need no copy.
    """

    keys: Any
    values: Any

    def __init__(self, **options: Any) -> None:
        super().__init__(**options)
        self._room: tuple[torch.Tensor, ...] = ()

    def update(
        self, key_states: torch.Tensor, value_states: torch.Tensor, *_: Any, **__: Any
    ) -> tuple[torch.Tensor, torch.Tensor]:
        """Append keys and values of new tokens. Return all keys and values."""
        if not self.is_initialized:
            self.lazy_initialization(key_states, value_states)
        start = self.get_seq_length()
        end = start + key_states.shape[-2]
        if not self._room or self._room[0].shape[-2] < end:
            held = (self.keys, self.values) if start else (key_states[..., :0, :], value_states[..., :0, :])
            self._room = tuple(roomy(states, end) for states in held)
        for room, states in zip(self._room, (key_states, value_states), strict=True):
            room[..., start:end, :] = states
        self.keys, self.values = (room[..., :end, :] for room in self._room)
        return self.keys, self.values

    def batch_select_indices(self, indices: torch.Tensor) -> None:
        """Keep only the rows with these indices. An index may occur several times."""
        length = self.get_seq_length()
        held = [  # `expand` copies nothing, so a single row is copied only once, by roomy() below
            states.expand(len(indices), -1, -1, -1) if len(states) == 1 else states[indices]
            for states in (self.keys, self.values)
        ]
        self._room = tuple(roomy(states, length) for states in held)
        self.keys, self.values = (room[..., :length, :] for room in self._room)


def roomy(states: torch.Tensor, length: int) -> torch.Tensor:
    """Return a larger tensor that begins with these states.

    The result has room for `length` tokens and some more.
    """
    rows, heads, held, width = states.shape
    room = states.new_empty(rows, heads, length + max(SPARE, length // 8), width)
    room[..., :held, :] = states
    return room


class TokenRows:
    """Rows of tokens that a model has processed, with the cached keys and values of the tokens."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._cache = Cache(layer_class_to_replicate=RoomyLayer)
        self._mask = torch.zeros(0, 0, dtype=torch.bool, device=model.device)  # [rows, tokens]; False: padding
        self.ids: list[list[int]] = []  # tokens that each row has read

    def feed(
        self, tokens: Sequence[Sequence[int]], image_token: int = -1, images: Sequence[torch.Tensor] = ()
    ) -> torch.Tensor:
        """Read at least one more token in every row, and return the next-token logits [rows, vocabulary].

        tokens: the new tokens of each row. image_token: the token that stands for a picture. images: for each row, the
        features [tokens, hidden] that replace this token.
        """
        if not self.ids:
            self.ids = [[] for _ in tokens]
            self._mask = self._mask.new_zeros(len(tokens), 0)
        width = max(map(len, tokens))
        padded = torch.tensor([[0] * (width - len(row)) + list(row) for row in tokens], device=self._mask.device)
        real = torch.tensor([[False] * (width - len(row)) + [True] * len(row) for row in tokens])
        embedded = self._model.get_input_embeddings()(padded)
        for row, features in enumerate(images):
            embedded[row, padded[row] == image_token] = features.to(embedded.dtype)
        self._mask = torch.cat([self._mask, real.to(self._mask.device)], dim=1)
        self.ids = [before + list(row) for before, row in zip(self.ids, tokens, strict=True)]
        logits: torch.Tensor = self._model(
            inputs_embeds=embedded,
            attention_mask=self._mask.long(),
            position_ids=(self._mask.cumsum(dim=1) - 1).clamp(min=0)[:, -width:],
            past_key_values=self._cache,
            use_cache=True,
            logits_to_keep=1,
        ).logits
        return logits[:, -1]

    def select(self, rows: Sequence[int]) -> None:
        """Keep only the rows with these indices, in this order. An index may occur several times."""
        index = torch.tensor(list(rows), device=self._mask.device)
        self._cache.batch_select_indices(index)
        self._mask = self._mask[index]
        self.ids = [list(self.ids[row]) for row in rows]

    def cut(self, lengths: Sequence[int]) -> None:
        """Keep only the first tokens of every row.

        lengths: number of tokens to keep, by row.
        """
        limits = torch.tensor(list(lengths), device=self._mask.device)[:, None]
        self._mask = self._mask & (self._mask.cumsum(dim=1) <= limits)
        used = int(self._mask.any(dim=0).nonzero().max()) + 1
        self._cache.crop(used - self._mask.shape[1])
        self._mask = self._mask[:, :used]
        self.ids = [ids[:length] for ids, length in zip(self.ids, lengths, strict=True)]

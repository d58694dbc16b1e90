"""Token sequences that share a key-value cache.

A transformer that has read some tokens need not read them again: their keys and values are kept. Rows are sequences of
unequal length; each is padded on the left of every stretch it is fed, so that all rows end in the same column,
and padding is masked out wherever it stands.
"""

from collections.abc import Sequence
from itertools import takewhile
from typing import Any

import torch
from transformers import DynamicCache


def common_prefix(*sequences: Sequence[int]) -> int:
    """Return how many tokens all sequences begin with alike."""
    alike = takewhile(lambda tokens: len(set(tokens)) == 1, zip(*sequences, strict=False))
    return sum(1 for _ in alike)


class TokenRows:
    """Rows of tokens that a model has read, with what it remembers of them."""

    def __init__(self, model: Any) -> None:
        self._model = model
        self._cache = DynamicCache()
        self._mask = torch.zeros(0, 0, dtype=torch.bool, device=model.device)  # [rows, columns]; False: padding
        self.ids: list[list[int]] = []  # tokens read, by row

    def feed(
        self, tokens: Sequence[Sequence[int]], image_token: int = -1, images: Sequence[torch.Tensor] = ()
    ) -> torch.Tensor:
        """Read at least one token more in every row; returns the logits that follow each, [rows, vocabulary].

        images: for each row [tokens, hidden], which stand where the row has image_token.
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
        """Keep these rows, in this order; a row may be taken several times."""
        index = torch.tensor(list(rows), device=self._mask.device)
        self._cache.batch_select_indices(index)
        self._mask = self._mask[index]
        self.ids = [list(self.ids[row]) for row in rows]

    def cut(self, lengths: Sequence[int]) -> None:
        """Forget all but the first tokens of every row."""
        limits = torch.tensor(list(lengths), device=self._mask.device)[:, None]
        self._mask = self._mask & (self._mask.cumsum(dim=1) <= limits)
        used = int(self._mask.any(dim=0).nonzero().max()) + 1
        self._cache.crop(used - self._mask.shape[1])
        self._mask = self._mask[:, :used]
        self.ids = [ids[:length] for ids, length in zip(self.ids, lengths, strict=True)]

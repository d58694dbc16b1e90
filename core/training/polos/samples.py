"""Polos's training samples as rows of feature tables, and the scores that the head gives them."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from core.models.polos.checkpoint import fingerprint
from core.models.polos.encoder import PolosEncoder
from core.models.polos.model import PolosHead, feature_vector
from core.training.polos.features import FeatureTable, picture_table, text_table
from core.training.polos.plan import FloatArray, IntArray, OnProgress
from core.types import Sample


@dataclass(frozen=True, slots=True, eq=False)
class Tables:
    """Features of all texts and pictures of a run, on disk.

    In shapes, L is the number of hidden states, D their width, and E the width of CLIP's features.
    """

    texts: FeatureTable  # one row per text, of length L * D + E: L hidden states of width D, then E CLIP features
    pictures: FeatureTable  # rows [E]
    layers: int  # L
    width: int  # D
    device: torch.device  # device to which features from the disk are moved

    def text(self, places: IntArray) -> tuple[torch.Tensor, torch.Tensor]:
        """Return hidden states [N, L, D] and CLIP features [N, E]."""
        rows = torch.from_numpy(self.texts.rows(places)).to(self.device)
        states, clip = rows[:, : self.layers * self.width], rows[:, self.layers * self.width :]
        return states.reshape(len(places), self.layers, self.width), clip

    def picture(self, places: IntArray) -> torch.Tensor:
        """Return CLIP features [N, E]."""
        return torch.from_numpy(self.pictures.rows(places)).to(self.device)


@dataclass(frozen=True, slots=True, eq=False)
class TrainingSet:
    """N training samples, as indices of rows in the feature tables."""

    tables: Tables
    candidates: IntArray  # [N]
    pictures: IntArray  # [N]
    references: tuple[IntArray, ...]  # for each of the N samples, row numbers of its references, at least one
    human: FloatArray  # [N] mean human judgements in [0, 1]

    def scores(self, head: PolosHead, chosen: IntArray) -> torch.Tensor:
        """Return each chosen sample's best score over its references.

        chosen: indices of samples, [B]. Returns [B] scores.
        """
        owner = torch.from_numpy(
            np.repeat(np.arange(len(chosen)), [len(self.references[number]) for number in chosen])
        ).to(self.tables.device)
        states, clip = self.tables.text(self.candidates[chosen])
        reference_states, reference_clip = self.tables.text(np.concatenate([self.references[n] for n in chosen]))
        features = feature_vector(
            head.sentences(reference_states),
            head.sentences(states)[owner],
            self.tables.picture(self.pictures[chosen])[owner],
            clip[owner],
            reference_clip,
        )
        lowest = torch.zeros(len(chosen), device=self.tables.device)  # a score is a sigmoid's value, so it is above 0
        return lowest.scatter_reduce(0, owner, head(features), "amax")


def make_training_sets(
    groups: Sequence[Sequence[Sample]], encoder: PolosEncoder, folder: Path, on_progress: OnProgress
) -> list[TrainingSet]:
    """Encode all texts and pictures of several groups of samples once. Return a training set per group.

    Existing features in the folder are reused. Raises BadImage.
    """
    samples = [sample for group in groups for sample in group]
    texts = list(dict.fromkeys(text for sample in samples for text in (sample.candidate, *sample.references)))
    pictures = list(dict.fromkeys(_picture(sample) for sample in samples))
    identity = encoder_identity(encoder)
    tables = Tables(
        texts=text_table(folder, encoder, identity, texts, on_progress),
        pictures=picture_table(folder, encoder, identity, pictures, on_progress),
        layers=encoder.layers,
        width=encoder.text_width,
        device=encoder.device,
    )
    text_rows = {text: row for row, text in enumerate(texts)}
    picture_rows = {path: row for row, path in enumerate(pictures)}
    return [_course(group, tables, text_rows, picture_rows) for group in groups]


def encoder_identity(encoder: PolosEncoder) -> str:
    """Return a text that identifies the encoders: for other encoders or tokenizers, the text is different."""
    weights = (fingerprint(module.state_dict()) for module in (encoder.roberta, encoder.clip))
    return " ".join([*weights, *encoder.tokenizers])


def _course(
    samples: Sequence[Sample], tables: Tables, text_rows: dict[str, int], picture_rows: dict[Path, int]
) -> TrainingSet:
    return TrainingSet(
        tables=tables,
        candidates=np.array([text_rows[sample.candidate] for sample in samples]),
        pictures=np.array([picture_rows[_picture(sample)] for sample in samples]),
        references=tuple(np.array([text_rows[text] for text in sample.references]) for sample in samples),
        human=np.array([sample.human for sample in samples], dtype=np.float32),
    )


def _picture(sample: Sample) -> Path:
    if sample.image.path is None:
        raise ValueError(f"{sample.key} has no picture; call core.training.polos.plan.check_samples first")
    return sample.image.path

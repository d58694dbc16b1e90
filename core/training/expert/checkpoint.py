"""Checkpoints of a training run: one file, written all or nothing, from which the run goes on.

It holds the trained weights, the optimizer's state and how many steps are done. Order, learning rate and dropout
seed of every step follow from its number, so this is all there is to keep.
"""

import os
import pickle
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from core.errors import BadFile, BadSetting


@dataclass(frozen=True, slots=True)
class CheckpointFile:
    """Where one run keeps its checkpoint, and what the run must be for the checkpoint to be its own."""

    path: Path
    run: Mapping[str, str]  # base model, data and settings; all must be the same to go on

    def save(self, steps_done: int, model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
        """Replace the checkpoint. A kill at any moment leaves either the old one or the new one."""
        content = {
            "run": dict(self.run),
            "steps_done": steps_done,
            "weights": {name: weight.detach() for name, weight in trained(model).items()},
            "optimizer": optimizer.state_dict(),
        }
        with self._unfinished.open("wb") as file:
            torch.save(content, file)
            file.flush()
            os.fsync(file.fileno())  # else a power cut could leave the new name over old bytes
        os.replace(self._unfinished, self.path)

    def load(self, model: torch.nn.Module, optimizer: torch.optim.Optimizer) -> int:
        """Put weights and optimizer back and return the steps done; 0 where there is no checkpoint.

        Raises BadSetting, naming what differs, where the checkpoint is of another run, BadFile where it is damaged.
        """
        if not self.path.exists():
            return 0
        content = self._content()
        self._check_run(content["run"])
        weights = trained(model)
        with torch.no_grad():
            for name, saved in content["weights"].items():
                weights[name].copy_(saved)
        optimizer.load_state_dict(content["optimizer"])
        return int(content["steps_done"])

    def remove(self) -> None:
        """Delete the checkpoint of a run that is done, and what a kill may have left beside it."""
        self._unfinished.unlink(missing_ok=True)
        self.path.unlink(missing_ok=True)

    @property
    def _unfinished(self) -> Path:
        return self.path.with_name(f"{self.path.name}.unfinished")

    def _content(self) -> dict[str, Any]:
        if not zipfile.is_zipfile(self.path):
            raise BadFile(self.path, "the checkpoint is damaged; delete it to start anew")
        try:
            content: dict[str, Any] = torch.load(self.path, map_location="cpu", weights_only=True)
        except (RuntimeError, KeyError, pickle.UnpicklingError) as error:
            raise BadFile(self.path, f"the checkpoint cannot be read ({error}); delete it to start anew") from error
        return content

    def _check_run(self, found: Mapping[str, str]) -> None:
        for name, value in self.run.items():
            if found.get(name) != value:
                raise BadSetting(
                    f"the run that {self.path} belongs to had {name} {found.get(name)}, this one has {value}; "
                    "give the same again, or another --to, or delete the checkpoint to start anew"
                )


def trained(model: torch.nn.Module) -> dict[str, torch.nn.Parameter]:
    """Return the parameters that are trained, by name."""
    return {name: weight for name, weight in model.named_parameters() if weight.requires_grad}

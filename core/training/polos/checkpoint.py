"""The checkpoint of a training run of Polos: one file, written all or nothing after every epoch.

Order and dropout of an epoch follow from its number, so weights, optimizer and history are all there is to keep.
"""

import pickle
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch

from core.errors import BadFile, BadSetting
from core.models.polos.checkpoint import State, save_whole
from core.models.polos.model import PolosHead
from core.training.polos.plan import Epoch


@dataclass(frozen=True, slots=True, eq=False)
class Standing:
    """How far a run has come."""

    history: tuple[Epoch, ...]
    best: State  # weights of the head after its best epoch


@dataclass(frozen=True, slots=True)
class RunFile:
    """Where one run keeps its checkpoint, and what the run must be for the checkpoint to be its own."""

    path: Path
    run: Mapping[str, str]  # encoders, data and settings; all must be the same to go on

    def save(self, standing: Standing, head: PolosHead, optimizer: torch.optim.Optimizer) -> None:
        """Replace the checkpoint. A kill at any moment leaves either the old one or the new one."""
        content = {
            "run": dict(self.run),
            "history": [(epoch.loss, epoch.tau) for epoch in standing.history],
            "best": dict(standing.best),
            "head": head.state_dict(),
            "optimizer": optimizer.state_dict(),
        }
        save_whole(self.path, content)

    def load(self, head: PolosHead, optimizer: torch.optim.Optimizer) -> Standing:
        """Put head and optimizer back and return how far the run had come; nowhere if there is no checkpoint.

        Raises BadSetting, naming what differs, where the checkpoint is of another run, BadFile where it is damaged.
        """
        if not self.path.exists():
            return Standing((), {})
        try:
            content = torch.load(self.path, map_location="cpu", weights_only=True)
            self._check_run(content["run"])
            head.load_state_dict(content["head"])
            optimizer.load_state_dict(content["optimizer"])
            return Standing(tuple(Epoch(*numbers) for numbers in content["history"]), content["best"])
        except (pickle.UnpicklingError, RuntimeError, EOFError, KeyError, TypeError, ValueError) as error:
            raise BadFile(
                self.path, "this checkpoint of a training run is damaged; delete it to begin again"
            ) from error

    def remove(self) -> None:
        """Delete the checkpoint of a run that is done."""
        self.path.unlink(missing_ok=True)

    def _check_run(self, found: Mapping[str, str]) -> None:
        for name in sorted({*self.run, *found}):
            if self.run.get(name) != found.get(name):
                raise BadSetting(
                    f"{self.path.name} is of a run with {name} {found.get(name)}, this one has {self.run.get(name)}; "
                    "train with the same, delete the file to begin again, or choose another --to"
                )

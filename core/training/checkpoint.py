"""The checkpoint of a training run: one file, written all or nothing, from which the run goes on.

It holds the weights that are trained, the optimizer's state and how far the run is. Order, learning rate and dropout of
every step follow from its number, so this is all there is to keep.
"""

import pickle
import zipfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from core.errors import BadFile, BadSetting
from core.files import remove_with_leftovers, written_whole

# What reading a damaged checkpoint, or putting back what does not fit, raises.
DAMAGE = (pickle.UnpicklingError, RuntimeError, EOFError, KeyError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class CheckpointFile:
    """Where one run keeps its checkpoint, and what the run must be for the checkpoint to be its own."""

    path: Path
    run: Mapping[str, str]  # model, data and settings; all must be the same to go on

    def save(self, content: Mapping[str, Any]) -> None:
        """Replace the checkpoint. A kill or a power cut at any moment leaves either the old one or the new one."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(self.path, durable=True) as unfinished:
            torch.save({"run": dict(self.run), **content}, unfinished)

    def load(self) -> dict[str, Any] | None:
        """Return what was saved last; None where there is no checkpoint.

        Raises BadSetting, naming what differs, where the checkpoint is of another run, BadFile where it is damaged.
        """
        if not self.path.exists():
            return None
        if not zipfile.is_zipfile(self.path):
            raise self.damaged()
        try:
            content: dict[str, Any] = torch.load(self.path, map_location="cpu", weights_only=True)
            found = content["run"]
        except DAMAGE as error:
            raise self.damaged() from error
        self._check_run(found)
        return content

    def damaged(self) -> BadFile:
        """Return the error of a checkpoint that cannot be read or does not fit its own run."""
        return BadFile(self.path, "this checkpoint of a training run is damaged; delete it to begin again")

    def remove(self) -> None:
        """Delete the checkpoint of a run that is done."""
        remove_with_leftovers(self.path)

    def _check_run(self, found: Mapping[str, str]) -> None:
        for name in sorted({*self.run, *found}):
            if self.run.get(name) != found.get(name):
                raise BadSetting(
                    f"{self.path.name} is of a run with {name} {found.get(name)}, this one has {self.run.get(name)}; "
                    "train with the same, delete the file to begin again, or choose another --to"
                )

"""The checkpoint of a training run: one file, written atomically, from which the run resumes.

It contains the trained weights, the optimizer's state and the number of the last step. The order of samples, the
learning rate and the dropout of every step depend only on the step's number. So the file needs no other state.
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

# Errors while reading a damaged checkpoint, or while loading a state that does not fit the model or the optimizer.
DAMAGE = (pickle.UnpicklingError, RuntimeError, EOFError, KeyError, TypeError, ValueError)


@dataclass(frozen=True, slots=True)
class CheckpointFile:
    """The path of a training run's checkpoint, and the settings and data that identify the run."""

    path: Path
    run: Mapping[str, str]  # model, data and settings; a run can be resumed only if none of them has changed

    def save(self, content: Mapping[str, Any]) -> None:
        """Replace the checkpoint atomically.

        After a crash or power failure, the file is the old or the new checkpoint, never a damaged one.
        """
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with written_whole(self.path, durable=True) as unfinished:
            torch.save({"run": dict(self.run), **content}, unfinished)

    def load(self) -> dict[str, Any] | None:
        """Return the saved content; None if there is no checkpoint.

        If the checkpoint belongs to another run, raises BadSetting, which names the difference. Raises BadFile for a
        damaged checkpoint.
        """
        if not self.path.exists():
            return None
        if not zipfile.is_zipfile(self.path):
            raise self.damaged()
        try:
            content: dict[str, Any] = torch.load(self.path, map_location="cpu", weights_only=True)
            saved_run = content["run"]
        except DAMAGE as error:
            raise self.damaged() from error
        self._check_run(saved_run)
        return content

    def damaged(self) -> BadFile:
        """Return the error for a checkpoint that cannot be read or does not fit the run."""
        return BadFile(self.path, "this checkpoint of a training run is damaged; delete it to start the training again")

    def remove(self) -> None:
        """Delete the checkpoint of a finished run."""
        remove_with_leftovers(self.path)

    def _check_run(self, found: Mapping[str, str]) -> None:
        for name in sorted({*self.run, *found}):
            if self.run.get(name) != found.get(name):
                raise BadSetting(
                    f"{self.path.name} belongs to a training run with {name} {found.get(name)}, but this run has "
                    f"{self.run.get(name)}; train with the same settings, delete the file to start again, or choose "
                    "another folder with --to"
                )

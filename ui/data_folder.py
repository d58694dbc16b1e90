"""Choose the default data folder, which is used if no setting names one."""

import os
from pathlib import Path

from platformdirs import user_data_path

from core.installation import IS_INSTALLED

HERE = Path("capscope-data")


def default_data_folder(is_installed: bool = IS_INSTALLED) -> Path:
    """Return `./capscope-data` for a clone, or the platform's user folder for the installed command.

    The installed command also uses `./capscope-data` if it exists and belongs to this user, or if the user has no home
    folder. Nothing is created here.
    """
    if not is_installed or _is_own(HERE):
        return HERE
    try:
        folder = user_data_path("capscope", appauthor=False)
    except RuntimeError:  # neither HOME nor the system's list of users gives a home folder
        return HERE
    return folder if folder.is_absolute() else HERE  # without a home folder, older platformdirs return a relative "~/…"


def _is_own(folder: Path) -> bool:
    """Return whether this user owns the folder. In a shared folder such as /tmp, anybody could have made it."""
    return folder.is_dir() and folder.stat().st_uid == os.getuid()

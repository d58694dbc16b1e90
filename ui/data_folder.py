"""Where data lie if no setting names a folder."""

import os
from pathlib import Path

from platformdirs import user_data_path

from core.installation import IS_INSTALLED

HERE = Path("capscope-data")


def default_data_folder(is_installed: bool = IS_INSTALLED) -> Path:
    """Return `./capscope-data` for a clone; for the installed command, the user's folder of the platform.

    The installed command uses `./capscope-data` as well if it exists and belongs to this user, or if the user has no
    home folder. Nothing is created here.
    """
    if not is_installed or _is_own(HERE):
        return HERE
    try:
        folder = user_data_path("capscope", appauthor=False)
    except RuntimeError:  # neither HOME nor the system's list of users names a home
        return HERE
    return folder if folder.is_absolute() else HERE  # "~/…": what earlier versions return in that case


def _is_own(folder: Path) -> bool:
    """Whether the folder is this user's: in a shared folder such as /tmp anybody could have made one."""
    return folder.is_dir() and folder.stat().st_uid == os.getuid()

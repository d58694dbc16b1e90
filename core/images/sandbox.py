"""Decode an untrusted picture in a separate process with little memory.

A file of a few kilobytes may contain 40 million pixels. If an image library has a fault, decoding may use even more
memory than these pixels need. The separate process has a memory limit, so the server's own memory does not grow. The
process has a low priority.
"""

import os
import resource
import subprocess
import sys
from pathlib import Path

from core.errors import BadImage
from core.images.pictures import thumbnail
from core.installation import IMPORT_ROOT

MOST_MEMORY = 800 * 2**20  # bytes of address space; the largest picture of each format needs less
LONGEST_S = 60
_REFUSED, _OUT_OF_MEMORY = 3, 4  # exit codes
_NICE = 10  # low priority of the process that decodes pictures, because saving raters' answers is more urgent


def thumbnail_apart(path: Path, longest_px: int) -> bytes:
    """Return a WebP thumbnail of a picture, made in another process. Raises BadImage.

    See `core.images.pictures.thumbnail`. Every pixel is decoded, so a file with any damaged part is refused.
    """
    command = [sys.executable, "-m", __name__, str(path.resolve()), str(longest_px), str(MOST_MEMORY)]
    environment = {"PYTHONPATH": str(IMPORT_ROOT), "OPENBLAS_NUM_THREADS": "1", "PATH": os.defpath}
    try:
        done = subprocess.run(command, capture_output=True, cwd=IMPORT_ROOT, env=environment, timeout=LONGEST_S)
    except subprocess.TimeoutExpired as error:
        raise BadImage(
            f"{path.name}: reading the picture takes longer than {LONGEST_S} s; make the picture smaller"
        ) from error
    if done.returncode == 0:
        return done.stdout
    if done.returncode == _REFUSED:
        raise BadImage(done.stderr.decode(errors="replace"))
    raise BadImage(
        f"{path.name}: reading the picture needs more than {MOST_MEMORY // 2**20} MB of memory; make the picture "
        "smaller"
    )


def main(path: Path, longest_px: int, memory: int) -> int:
    """Write a thumbnail to standard output within a memory limit in bytes, and return the exit code."""
    resource.setrlimit(resource.RLIMIT_AS, (memory, memory))
    os.nice(_NICE)
    try:
        sys.stdout.buffer.write(thumbnail(path, longest_px))
    except BadImage as error:
        sys.stderr.write(str(error))
        return _REFUSED
    except MemoryError:
        return _OUT_OF_MEMORY
    return 0


if __name__ == "__main__":
    sys.exit(main(Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])))

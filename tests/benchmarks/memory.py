"""The memory that this process took."""

from pathlib import Path

from tests.benchmarks.rows import NotHere

STATUS = Path("/proc/self/status")


def peak_mb() -> float:
    """Return the largest resident set since this program was started. Raises NotHere where there is no /proc.

    Not getrusage: its ru_maxrss begins with the peak of the process that started this one.
    """
    if not STATUS.exists():
        raise NotHere(f"peak memory is read from {STATUS}, which only Linux has")
    (line,) = (line for line in STATUS.read_text().splitlines() if line.startswith("VmHWM"))
    return int(line.split()[1]) / 1024

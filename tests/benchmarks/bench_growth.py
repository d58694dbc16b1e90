"""How the cost of everything grows with the data, up to 1,000,000 samples; see tests.benchmarks.growth.

CAPSCOPE_GROWTH_MAX=100000 leaves out the largest, which takes most of the time.
"""

from tests.benchmarks import growth_import, growth_lists
from tests.benchmarks.rows import Row

SUBJECTS = (growth_import, growth_lists)


def run() -> list[Row]:
    """Measure each subject after the other."""
    return [row for subject in SUBJECTS for row in subject.run()]

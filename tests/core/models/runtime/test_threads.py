import os
import subprocess
import sys

BEFORE_TORCH = """
from core.models.runtime.threads import one_thread

with one_thread():
    pass
import torch

with one_thread():
    print(torch.get_num_threads())
print(torch.get_num_threads())
"""


def test_torch_computes_with_one_thread_also_where_something_else_did_so_before_it_was_loaded() -> None:
    environ = {**os.environ, "OMP_NUM_THREADS": "2"}
    told = subprocess.run([sys.executable, "-c", BEFORE_TORCH], env=environ, capture_output=True, text=True, check=True)
    assert told.stdout.split() == ["1", "2"]

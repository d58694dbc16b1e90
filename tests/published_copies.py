"""A local mirror of published data: the copies beside the repository, under the paths of their authors.

Run `python -m tests.published_copies PORT` to try `get` with CAPSCOPE_MIRROR=http://127.0.0.1:PORT by hand.
"""

import gzip
import sys
import threading
from pathlib import Path

from core.datasets.published_files import PUBLISHED
from tests.file_server import serving_files

COPIES = {  # path in the authors' repository: file in shared/data
    "annotations/flickr8k.json": "flickr8k/flickr8k.json",
    "results/fleur_flickr8k_expert.txt": "flickr8k/fleur_flickr8k_expert.txt",
    "results/fleur_composite.txt": "benchmarks/fleur_composite.txt.gz",
    "annotations/pascal_50s.json": "benchmarks/pascal_50s.json.gz",
    **{f"results/fleur_pascal_{one}.txt": f"benchmarks/fleur_pascal_{one}.txt.gz" for one in ("HC", "HI", "HM", "MM")},
    "exp_datasets/polaris_exp_val.json": "expert/polaris_exp_val.json",
    "exp_datasets/nebula_exp_val.json": "expert/nebula_exp_val.json.gz",
    "annotations/nebula_test.json": "expert/nebula_test.json",
    "mscoco/mscoco_THumB-1.0.jsonl": "ratings/thumb/mscoco_THumB-1.0.jsonl.gz",
    "mscoco/mscoco_references.json": "ratings/thumb/mscoco_references.json.gz",
}


def mirrored(shared_data: Path) -> dict[str, bytes]:
    """Return the copies at hand by their address at a mirror."""
    found = {}
    for data in PUBLISHED:
        for file in data.all_files:
            copy = shared_data / COPIES.get(file.path, "absent")
            if copy.is_file():
                stored = copy.read_bytes()
                path = f"/{data.repository}/{data.commit}/{file.path}"
                found[path] = gzip.decompress(stored) if copy.suffix == ".gz" else stored
    return found


if __name__ == "__main__":
    with serving_files(mirrored(Path(__file__).parents[2] / "shared" / "data"), int(sys.argv[1])) as server:
        print(server.url, flush=True)
        threading.Event().wait()

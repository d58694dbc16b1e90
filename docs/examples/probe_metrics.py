"""Probe a metric: make captions wrong, score them again, and print how often the scores fall.

python docs/examples/probe_metrics.py BLEU-4 captions.jsonl

Each line of the file is a JSON object with "caption" and "references", and for metrics that need a picture "image".
"""

import json
import random
import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # needed only if Capscope is not installed
import capscope


def worse(caption: str, chance: random.Random) -> str:
    """Shuffle the words of a caption. Change this function to test other mistakes."""
    words = caption.split()
    chance.shuffle(words)
    return " ".join(words)


def main(metric: str, file: str) -> None:
    """Print how many scores fell, stayed equal and rose, and the mean fall."""
    rows = [json.loads(line) for line in Path(file).read_text(encoding="utf-8").splitlines() if line.strip()]
    captions, chance = [row["caption"] for row in rows], random.Random(0)
    edited = [worse(caption, chance) for caption in captions]
    folder = Path(file).parent
    images = [folder / row["image"] if "image" in row else None for row in rows]
    references = [row.get("references", []) for row in rows]
    scorer = capscope.metric(metric)
    before, after = (scorer(images, texts, references).scores for texts in (captions, edited))
    falls = [old - new for old, new in zip(before, after, strict=True) if old is not None and new is not None]
    counts = sum(fall > 0 for fall in falls), sum(fall == 0 for fall in falls), sum(fall < 0 for fall in falls)
    print(f"{metric}: {counts[0]} fell, {counts[1]} stayed, {counts[2]} rose; {len(rows) - len(falls)} have no score")
    if falls:
        print(f"mean fall {sum(falls) / len(falls):.4f}")


if __name__ == "__main__":
    main(*sys.argv[1:])

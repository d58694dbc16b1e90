"""The published weights of Polos and CLIP. No torch here."""

from core.models import Checkpoint

POLOS_URL = "https://polos-polaris.s3.ap-northeast-1.amazonaws.com/reprod.zip"  # holds POLOS

POLOS = Checkpoint("all weights", "reprod.ckpt", "keio-smilab24/Polos@839d64d", 1.2, "BSD-3-Clause-Clear")
SIMCSE_ROBERTA = Checkpoint(
    "tokenizer; for training also the text encoder",
    "princeton-nlp/sup-simcse-roberta-base",
    "4bf73c6b5df517f74188c5e9ec159b2208c89c08",
    0.5,
    "MIT",
)
CLIP_B32 = Checkpoint(
    "image and text features",
    "openai/clip-vit-base-patch32",
    "3d74acf9a28c67741b2f4f2ea7635f0aaf6f0268",
    0.6,
    "MIT",
)


def pinned_revision(repo: str) -> str | None:
    """Return the commit that repo is used at; None where we do not know it, or for a folder."""
    return {known.repo: known.revision for known in (SIMCSE_ROBERTA, CLIP_B32)}.get(repo)

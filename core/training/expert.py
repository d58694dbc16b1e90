"""Fine-tune LLaVA-1.5 for EXPERT: data with score bins and structured explanations, and LoRA.

EXPERT (Findings of ACL 2025), Appendices B, D and F. A conversation has two questions about a caption. The first answer
is the mean human score, rounded to the nearest multiple of 0.10 ("score binning"). The second answer is GPT-4o's
explanation in three aspects. Settings that the paper does not state follow LLaVA 1.5's LoRA recipe
(scripts/v1_5/finetune_task_lora.sh). `transformers.Trainer` runs the steps and resumes an interrupted run.
"""

import json
import math
import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from fractions import Fraction
from pathlib import Path, PurePosixPath
from typing import Any

import torch

from core.datasets import format_named
from core.datasets.base import Source
from core.datasets.pictures import find_images
from core.errors import AlreadyExists, BadSetting
from core.images.pictures import open_rgb
from core.metrics.asking import filled
from core.metrics.expert import EXPLANATION_PROMPT, SCORE_PROMPT, explanation_answer
from core.models import ModelSettings
from core.models.device import enough_memory, torch_device
from core.models.llava import LocalVlm, build_vlm
from core.models.vlm import IMAGE, llava_v1, pixel_values
from core.models.weights import find_weights
from core.signature import VERSION
from core.types import Score, one_line, sample_identity

IGNORED = -100  # label of tokens that the model does not learn
PROJECTOR = "multi_modal_projector"
FOLDERS = {"polaris-exp": "Polaris", "nebula-exp": "Nebula"}  # folder of pictures in each published data set


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings that change the final weights, except base model, data and machine."""

    rank: int = 128  # rank of the LoRA matrices
    alpha: int = 256  # LoRA updates are scaled by alpha / rank
    dropout: float = 0.05  # dropout of the LoRA layers' inputs; as in LLaVA
    epochs: int = 1
    batch_size: int = 8  # number of samples per step
    micro_batch_size: int = 1  # number of samples per forward pass
    learning_rate: float = 2e-5  # highest learning rate
    warmup: float = 0.03  # share of the steps in which the learning rate rises
    seed: int = 0


@dataclass(frozen=True, slots=True)
class Lesson:
    """Two questions about one caption, with their answers."""

    picture: str  # path below the folder of pictures, or the picture's name
    question: str
    score: str
    why: str
    reasons: str


def lessons(files: Sequence[Path]) -> list[Lesson]:
    """Return one lesson for each caption of each image in Polaris-exp and Nebula-exp files.

    Equal captions of one image are duplicates, also if they come from different data sets. Their scores are averaged
    before the rounding, and their explanation is the first one's. Raises BadFile, BadRow, BadSetting.
    """
    groups = dict[tuple[str, str], list[Any]]()
    for path in files:
        data_format = format_named("nebula-exp" if "nebula" in path.name.lower() else "polaris-exp")
        for record in data_format.read(Source(path)):
            key = sample_identity(record.image, record.candidate)
            groups.setdefault(key, []).append((FOLDERS[data_format.name], record))
    found = []
    for group in groups.values():
        folder, records = group[0][0], [record for _, record in group]
        (score,) = records[0].scores
        assert isinstance(score, Score)  # rows without a score were refused earlier
        caption, texts = one_line(records[0].candidate), score.explanation.rationales
        mean = sum((Fraction(repr(record.human)) for record in records), Fraction(0)) / len(records)
        reasons = explanation_answer({name: one_line(text) for name, text in texts.items()})
        if IMAGE in caption + reasons:
            raise BadSetting(f"{records[0].file.name}, row {records[0].row}: {IMAGE} stands for the picture; remove it")
        name = records[0].image
        picture = f"{folder}/{name}" if PurePosixPath(name).suffix else f"{folder}/{name}.jpg"
        asked, why = filled(SCORE_PROMPT, caption), filled(EXPLANATION_PROMPT, caption)
        found.append(Lesson(picture, asked, binned(mean), why, reasons))
    return found


def binned(score: Fraction) -> str:
    """Round a score in [0, 1] to the nearest multiple of 0.1, upwards from the middle (Appendix D)."""
    return f"{math.floor(score * 10 + Fraction(1, 2)) / 10:.1f}"


def tokens_of(tokenizer: Any, lesson: Lesson, image_token: int, image_tokens: int) -> tuple[list[int], list[int]]:
    """Return a lesson's tokens, and its labels: the tokens of the two answers, each with its end mark.

    These are the same tokens that the model gets when it scores. Raises BadSetting if the tokenizer splits a question
    differently when its answer follows.
    """
    first, second = (lesson.question, lesson.score), (lesson.why, lesson.reasons)
    stages = ([(lesson.question, None)], [first], [first, (lesson.why, None)], [first, second])
    before = llava_v1(stages[0]).split(IMAGE, maxsplit=1)[0]
    texts = [llava_v1(turns).split(IMAGE, maxsplit=1)[1] for turns in stages]
    encoded = tokenizer(texts[-1], add_special_tokens=False, return_offsets_mapping=True)
    for asked in (texts[0], texts[2]):
        prompt = tokenizer.encode(asked, add_special_tokens=False)
        if encoded["input_ids"][: len(prompt)] != prompt:
            raise BadSetting("the tokenizer joins the end of a question and the start of its answer into one token")
    answers = ((len(texts[0]), len(texts[1])), (len(texts[2]), len(texts[3])))
    learned = [any(start < end <= stop for start, stop in answers) for _, end in encoded["offset_mapping"]]
    head = [*tokenizer.encode(before, add_special_tokens=True), *[image_token] * image_tokens]
    labels = [token if learn else IGNORED for token, learn in zip(encoded["input_ids"], learned, strict=True)]
    return [*head, *encoded["input_ids"]], [*[IGNORED] * len(head), *labels]


def with_lora(model: Any, settings: Settings) -> Any:
    """Return a peft model that trains LoRA on every linear layer of the language model, and the projector in full.

    The image encoder and the output head stay frozen, as in LLaVA's train.py. Raises BadSetting for other models.
    """
    from peft import LoraConfig, get_peft_model

    names = [name for name, module in model.named_modules() if isinstance(module, torch.nn.Linear)]
    kinds = sorted({name.rpartition(".")[2] for name in names if ".language_model." in name})
    if not kinds or not any(PROJECTOR in name for name in names):
        raise BadSetting(f"the model must be LLaVA-1.5, but is {type(model).__name__}; choose another --base")
    config = LoraConfig(
        r=settings.rank,
        lora_alpha=settings.alpha,
        lora_dropout=settings.dropout,
        target_modules=rf".*\.language_model\..*\.({'|'.join(map(re.escape, kinds))})",
        modules_to_save=[PROJECTOR],
        task_type="CAUSAL_LM",
    )
    torch.manual_seed(settings.seed)
    lora = get_peft_model(model, config)
    for weight in lora.parameters():
        if weight.requires_grad:
            weight.data = weight.data.float()  # in bfloat16 (8 significant bits), steps of 2e-5 would be rounded away
    return lora


class Batches:
    """Makes a batch of lessons for LLaVA when a step needs it, padded on the right."""

    def __init__(self, vlm: LocalVlm, pictures: Sequence[Path]) -> None:
        """Take the model. pictures: the picture of each lesson."""
        self._tokenizer, self._images = vlm.tokenizer, vlm.processor.image_processor
        self._config, self._dtype, self._pictures = vlm.model.config, vlm.model.dtype, pictures

    def __call__(self, some: Sequence[tuple[int, Lesson]]) -> dict[str, torch.Tensor]:
        """Return numbered lessons as the model's inputs."""
        vision = self._config.vision_config
        count = (vision.image_size // vision.patch_size) ** 2
        rows = [tokens_of(self._tokenizer, lesson, self._config.image_token_id, count) for _, lesson in some]
        pixels = [
            pixel_values(
                open_rgb(self._pictures[n]), vision.image_size, self._images.image_mean, self._images.image_std
            )
            for n, _ in some
        ]
        return {
            "input_ids": _padded([ids for ids, _ in rows], self._tokenizer.pad_token_id or 0),
            "labels": _padded([labels for _, labels in rows], IGNORED),
            "attention_mask": _padded([[1] * len(ids) for ids, _ in rows], 0),
            "pixel_values": torch.stack([torch.from_numpy(one) for one in pixels]).to(self._dtype),
        }


def _padded(rows: Sequence[Sequence[int]], filling: int) -> torch.Tensor:
    width = max(map(len, rows))
    return torch.tensor([[*row, *[filling] * (width - len(row))] for row in rows])


def find_pictures(found: Sequence[Lesson], folder: Path) -> list[Path]:
    """Return the picture of each lesson: at its path below the folder, or anywhere below it. Raises BadSetting."""
    files, exact = find_images([folder]), [(lesson.picture, folder / lesson.picture) for lesson in found]
    pictures = [path if path.is_file() else files.find(name) for name, path in exact]
    missing = [lesson.picture for lesson, path in zip(found, pictures, strict=True) if path is None]
    if missing:
        raise BadSetting(f"{len(missing)} of {len(pictures)} pictures are missing in {folder}, such as {missing[0]}")
    return [path for path in pictures if path is not None]


def fine_tune(base: str, files: Sequence[Path], images: Path, to: Path, settings: Settings, device: str) -> None:
    """Train an adapter and write it to a folder for the option adapter. An interrupted run is resumed.

    Weights are float32 on a CPU and bfloat16 on other devices, as in LLaVA's recipe. Raises AlreadyExists, BadFile,
    BadRow, BadImage, BadSetting, ModelUnavailable.
    """
    if (to / "adapter_config.json").exists():
        raise AlreadyExists(f"{to} contains a finished adapter; choose another folder with --to")
    if settings.batch_size % settings.micro_batch_size:
        raise BadSetting(f"--batch must be a multiple of --micro-batch, found {settings.batch_size}.")
    found = lessons(files)
    pictures = find_pictures(found, images)
    weights = find_weights(base, "EXPERT", "--base")
    on_cpu = torch_device(device).type == "cpu"
    dtype = "float32" if on_cpu else "bfloat16"
    vlm = build_vlm(weights, None, ModelSettings(device=device, options={"dtype": dtype}))
    from transformers import Trainer, TrainingArguments

    arguments = TrainingArguments(
        output_dir=str(to),
        num_train_epochs=settings.epochs,
        per_device_train_batch_size=settings.micro_batch_size,
        gradient_accumulation_steps=settings.batch_size // settings.micro_batch_size,
        learning_rate=settings.learning_rate,
        lr_scheduler_type="cosine",
        warmup_steps=settings.warmup,  # a number below 1 is a share of all steps
        weight_decay=0.0,
        max_grad_norm=1.0,
        bf16=not on_cpu,
        activation_checkpointing=not on_cpu,
        activation_checkpointing_kwargs={"use_reentrant": False},
        save_steps=200,
        save_total_limit=2,
        remove_unused_columns=False,
        use_cpu=on_cpu,
        seed=settings.seed,
        report_to=[],
    )
    lora = with_lora(vlm.model, settings)
    trainer = Trainer(lora, arguments, Batches(vlm, pictures), train_dataset=list(enumerate(found)))
    with enough_memory():
        trainer.train(resume_from_checkpoint=any(to.glob("checkpoint-*")))
    lora.peft_config["default"].base_model_name_or_path = weights.name
    lora.save_pretrained(to, save_embedding_layers=False)  # the default "auto" would contact the hub about the base
    facts = {"base model": f"{weights.name}@{weights.revision}", **asdict(settings), "capscope": VERSION}
    (to / "training.json").write_text(json.dumps(facts, indent=2) + "\n", encoding="utf-8")

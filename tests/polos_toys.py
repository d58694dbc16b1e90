"""Tiny RoBERTa, CLIP, tokenizers and pictures with random weights, built from the real classes."""

import string
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from PIL import Image

from core.models.device import prepare_torchvision

prepare_torchvision()

from transformers import (  # noqa: E402
    CLIPConfig,
    CLIPImageProcessorPil,
    CLIPModel,
    CLIPTokenizer,
    RobertaConfig,
    RobertaModel,
    RobertaTokenizer,
)

LETTERS = string.ascii_lowercase + ".,"


@dataclass(frozen=True)
class Toys:
    """Folders as the hub would give them, and the models that were saved there."""

    roberta: Path
    clip: Path
    roberta_model: Any
    clip_model: Any


def make_toys(folder: Path, seed: int = 0) -> Toys:
    """Save a tiny RoBERTa and CLIP with their tokenizers under folder."""
    torch.manual_seed(seed)
    roberta, clip = _roberta(), _clip()
    toys = Toys(folder / "roberta", folder / "clip", roberta, clip)
    roberta.save_pretrained(toys.roberta)
    RobertaTokenizer(vocab=_roberta_vocabulary(), merges=[]).save_pretrained(toys.roberta)
    clip.save_pretrained(toys.clip)
    CLIPTokenizer(vocab=_clip_vocabulary(), merges=[]).save_pretrained(toys.clip)
    CLIPImageProcessorPil(size={"shortest_edge": 32}, crop_size={"height": 32, "width": 32}).save_pretrained(toys.clip)
    return toys


def save_picture(path: Path, seed: int, size: tuple[int, int] = (40, 48)) -> Path:
    """Save a picture of a few big random blocks."""
    blocks = np.random.default_rng(seed).integers(0, 256, (4, 4, 3), dtype=np.uint8)
    Image.fromarray(blocks).resize(size, Image.Resampling.NEAREST).save(path)
    return path


def to_openai_layout(clip: Any) -> dict[str, torch.Tensor]:
    """Name the weights of a transformers CLIP as OpenAI's own code does, written without looking at core."""
    state = clip.state_dict()
    theirs: dict[str, torch.Tensor] = {
        "logit_scale": state["logit_scale"],
        "text_projection": state["text_projection.weight"].T.clone(),
        "visual.proj": state["visual_projection.weight"].T.clone(),
        "positional_embedding": state["text_model.embeddings.position_embedding.weight"],
        "token_embedding.weight": state["text_model.embeddings.token_embedding.weight"],
        "visual.class_embedding": state["vision_model.embeddings.class_embedding"],
        "visual.positional_embedding": state["vision_model.embeddings.position_embedding.weight"],
        "visual.conv1.weight": state["vision_model.embeddings.patch_embedding.weight"],
    }
    for kind in ("weight", "bias"):
        theirs[f"ln_final.{kind}"] = state[f"text_model.final_layer_norm.{kind}"]
        theirs[f"visual.ln_pre.{kind}"] = state[f"vision_model.pre_layrnorm.{kind}"]
        theirs[f"visual.ln_post.{kind}"] = state[f"vision_model.post_layernorm.{kind}"]
        for tower, prefix in (("text_model", ""), ("vision_model", "visual.")):
            for layer in range(2):
                ours, out = f"{tower}.encoder.layers.{layer}", f"{prefix}transformer.resblocks.{layer}"
                joint = [state[f"{ours}.self_attn.{part}_proj.{kind}"] for part in ("q", "k", "v")]
                theirs[f"{out}.attn.in_proj_{kind}"] = torch.cat(joint)
                theirs[f"{out}.attn.out_proj.{kind}"] = state[f"{ours}.self_attn.out_proj.{kind}"]
                theirs[f"{out}.ln_1.{kind}"] = state[f"{ours}.layer_norm1.{kind}"]
                theirs[f"{out}.ln_2.{kind}"] = state[f"{ours}.layer_norm2.{kind}"]
                theirs[f"{out}.mlp.c_fc.{kind}"] = state[f"{ours}.mlp.fc1.{kind}"]
                theirs[f"{out}.mlp.c_proj.{kind}"] = state[f"{ours}.mlp.fc2.{kind}"]
    return theirs


def lightning_checkpoint(toys: Toys, head: dict[str, torch.Tensor]) -> dict[str, Any]:
    """Put toys and a head together as PyTorch Lightning's checkpoint of Polos does."""
    state = {f"encoder.model.{key}": tensor for key, tensor in toys.roberta_model.state_dict().items()}
    state["encoder.model.embeddings.position_ids"] = torch.arange(64)[None]
    state |= {f"clip.{key}": tensor for key, tensor in to_openai_layout(toys.clip_model).items()}
    state |= head
    return {"epoch": 3, "global_step": 99, "pytorch-lightning_version": "1.3.0", "state_dict": state}


def _roberta() -> Any:
    sizes = {"hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 1}
    config = RobertaConfig(
        vocab_size=len(_roberta_vocabulary()),
        max_position_embeddings=64,
        type_vocab_size=1,
        layer_norm_eps=1e-5,
        initializer_range=0.3,
        **sizes,
    )
    model = RobertaModel(config)
    for module in model.modules():
        if isinstance(module, torch.nn.LayerNorm):  # ones and zeros would leave the scalar mix nothing to normalise
            torch.nn.init.normal_(module.weight, 1.0, 0.5)
            torch.nn.init.normal_(module.bias, 0.0, 0.5)
    return model.eval()


def _clip() -> Any:
    sizes = {"hidden_size": 64, "intermediate_size": 96, "num_hidden_layers": 2, "num_attention_heads": 1}
    end = len(_clip_vocabulary()) - 1
    text = {"vocab_size": end + 1, "eos_token_id": end, "bos_token_id": end - 1, "pad_token_id": 0, **sizes}
    vision = {"image_size": 32, "patch_size": 8, **sizes}
    return CLIPModel(CLIPConfig(text_config=text, vision_config=vision, projection_dim=16)).eval()


def _roberta_vocabulary() -> dict[str, int]:
    tokens = ["<s>", "<pad>", "</s>", "<unk>", "<mask>", *LETTERS, "Ġ"]
    return {token: place for place, token in enumerate(tokens)}


def _clip_vocabulary() -> dict[str, int]:
    tokens = [*LETTERS, *(f"{letter}</w>" for letter in LETTERS), "<|startoftext|>", "<|endoftext|>"]
    return {token: place for place, token in enumerate(tokens)}

"""Fine-tuning, on real classes at toy size: what is trained, going on after a kill, and that it is learned."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from core.errors import BadFile, BadSetting
from core.training.expert.plan import Progress, TrainingSettings, batch_of, learning_rate_of


@pytest.fixture(scope="module", autouse=True)
def model_libraries() -> None:
    """Import what takes seconds when the tests run, not when they are collected."""
    global torch, CheckpointFile, save_adapter, save_memory, with_lora, Lessons, TrainingSet, train
    global trained, COLOURS, eight_conversations, eight_pictures, same, tiny_llava
    import torch

    from core.training.checkpoint import CheckpointFile
    from core.training.expert.adapter import save_adapter, save_memory, with_lora
    from core.training.expert.batches import Lessons
    from core.training.expert.loop import TrainingSet, train, trained
    from tests.core.models.sft_tiny import COLOURS, eight_conversations, eight_pictures, same, tiny_llava


SHORT = TrainingSettings(rank=4, alpha=8, dropout=0.2, epochs=2, batch_size=4, micro_batch_size=2, learning_rate=1e-2)


class Killed(Exception):
    """Stands for the end of the process."""


class Bench:
    """A fresh tiny model for each run, over the same eight captions and pictures."""

    def __init__(self, folder: Path) -> None:
        self.pictures = eight_pictures(folder)

    def lessons(self, lora: Any, processor: Any) -> Lessons:
        return Lessons(lora, processor, eight_conversations(), self.pictures)

    def run(
        self,
        settings: TrainingSettings,
        checkpoint: CheckpointFile | None = None,
        on_progress: Callable[[Progress], None] = lambda progress: None,
        checkpoint_every: int = 2,
        clock: Callable[[], float] = lambda: 0.0,
        dtype: torch.dtype | None = None,
    ) -> Any:
        model, processor = tiny_llava()
        lora = with_lora(model.to(dtype or torch.float32), settings)
        course = TrainingSet(8, self.lessons(lora, processor).batch)
        with tempfile.TemporaryDirectory() as folder:
            unkept = CheckpointFile(Path(folder) / "checkpoint.pt", {})
            train(lora, course, settings, checkpoint or unkept, on_progress, checkpoint_every, clock)
        return lora


def killed_after(step: int) -> Callable[[Progress], None]:
    def on_progress(progress: Progress) -> None:
        if progress.step == step:
            raise Killed

    return on_progress


@pytest.fixture(scope="module")
def bench(tmp_path_factory: pytest.TempPathFactory) -> Bench:
    return Bench(tmp_path_factory.mktemp("pictures"))


@pytest.fixture(scope="module")
def uninterrupted(bench: Bench) -> dict[str, torch.Tensor]:
    return dict(trained(bench.run(SHORT)))


@pytest.fixture
def checkpoint(tmp_path: Path) -> CheckpointFile:
    return CheckpointFile(tmp_path / "checkpoint.pt", {"base model": "tiny", "seed": "0"})


@pytest.mark.parametrize("step", [1, 3])
def test_a_run_that_was_killed_ends_with_the_weights_of_one_that_was_not(
    bench: Bench, checkpoint: CheckpointFile, uninterrupted: dict[str, torch.Tensor], step: int
) -> None:
    with pytest.raises(Killed):
        bench.run(SHORT, checkpoint, killed_after(step))
    steps: list[int] = []
    resumed = bench.run(SHORT, checkpoint, lambda progress: steps.append(progress.step))
    assert steps == list(range(step - step % 2 + 1, 5))
    assert same(trained(resumed), uninterrupted)


def test_another_seed_ends_with_other_weights(bench: Bench, uninterrupted: dict[str, torch.Tensor]) -> None:
    assert not same(trained(bench.run(replace(SHORT, seed=1))), uninterrupted, tolerance=1e-3)


def test_the_size_of_the_micro_batches_is_immaterial(bench: Bench) -> None:
    whole, single = (
        bench.run(replace(SHORT, dropout=0.0, micro_batch_size=size, learning_rate=1e-3)) for size in (4, 1)
    )
    assert same(trained(whole), trained(single), tolerance=1e-4)


def test_a_checkpoint_of_another_run_is_refused_and_named(bench: Bench, checkpoint: CheckpointFile) -> None:
    with pytest.raises(Killed):
        bench.run(SHORT, checkpoint, killed_after(2))
    other = replace(checkpoint, run={"base model": "tiny", "seed": "1"})
    with pytest.raises(BadSetting, match="with seed 0, but this run has 1; "):
        bench.run(SHORT, other)


def test_a_damaged_checkpoint_says_what_to_do(bench: Bench, checkpoint: CheckpointFile) -> None:
    with pytest.raises(Killed):
        bench.run(SHORT, checkpoint, killed_after(2))
    whole = checkpoint.path.read_bytes()
    checkpoint.path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadFile, match="delete it to start the training again"):
        bench.run(SHORT, checkpoint)


def test_progress_tells_the_loss_of_the_answers_and_the_time_left(bench: Bench) -> None:
    told: list[Progress] = []
    ticks = iter(range(0, 100, 10))
    bench.run(SHORT, on_progress=told.append, clock=lambda: float(next(ticks)))
    assert [each.step for each in told] == [1, 2, 3, 4]
    assert [each.seconds_left for each in told] == [30.0, 20.0, 10.0, 0.0]
    assert told[0].learning_rate == 0.0
    assert told[1].learning_rate == SHORT.learning_rate
    assert told[0].loss == pytest.approx(naive_loss(bench), rel=1e-4)


@pytest.mark.parametrize("steps", [1, 10, 101])
def test_the_learning_rates_are_those_of_transformers_cosine_schedule(steps: int) -> None:
    from transformers import get_cosine_schedule_with_warmup

    paper = TrainingSettings()
    optimizer = torch.optim.AdamW([torch.zeros(1)], lr=paper.learning_rate)
    schedule = get_cosine_schedule_with_warmup(optimizer, math.ceil(steps * paper.warmup), steps)
    for step in range(steps):
        assert learning_rate_of(step, steps, paper) == pytest.approx(schedule.get_last_lr()[0], rel=1e-12)
        optimizer.step()
        schedule.step()


def naive_loss(bench: Bench) -> float:
    """The first step's loss, one sample and one token at a time, without dropout, of the untrained model."""
    model, processor = tiny_llava()
    lessons = bench.lessons(model, processor)
    losses: list[float] = []
    for number in batch_of(0, 8, SHORT):
        batch = lessons.batch([number])
        labels = batch.pop("labels")[0].tolist()
        with torch.no_grad():
            logits = model(**batch).logits[0].double()
        for place, label in enumerate(labels):
            if label != -100:
                losses.append(float(logits[place - 1].logsumexp(0) - logits[place - 1, label]))
    return sum(losses) / len(losses)


def test_a_loss_that_is_not_finite_stops_the_run(bench: Bench) -> None:
    with pytest.raises(BadSetting, match="use a smaller --learning-rate"):
        bench.run(replace(SHORT, learning_rate=1e30, max_gradient_norm=1e30, epochs=9))


def test_lora_is_on_every_linear_layer_of_the_language_model_and_the_projector_is_trained() -> None:
    lora = with_lora(tiny_llava()[0], SHORT)
    kinds = {name.split(".modules_to_save")[0].split(".lora_")[0].rpartition(".")[2] for name in trained(lora)}
    linear = {"q_proj", "k_proj", "v_proj", "o_proj", "gate_proj", "up_proj", "down_proj"}
    assert kinds == linear | {"multi_modal_projector"}
    assert not any("vision_tower" in name or "lm_head" in name for name in trained(lora))
    assert len([name for name in trained(lora) if "lora_" in name]) == 2 * 2 * len(linear)  # A and B, two layers


def test_the_projector_can_be_left_as_it_is() -> None:
    assert all("lora_" in name for name in trained(with_lora(tiny_llava()[0], replace(SHORT, projector=False))))


def test_what_is_trained_is_float32_over_a_model_in_half_precision() -> None:
    lora = with_lora(tiny_llava()[0].bfloat16(), SHORT)
    assert {weight.dtype for weight in trained(lora).values()} == {torch.float32}
    assert lora.get_base_model().lm_head.weight.dtype == torch.bfloat16


def test_a_model_in_half_precision_learns_as_one_in_float32_does(bench: Bench) -> None:
    losses: dict[torch.dtype, list[float]] = {torch.float32: [], torch.bfloat16: []}
    for dtype, told in losses.items():
        settings = replace(SHORT, dropout=0.0, epochs=3)
        bench.run(settings, on_progress=lambda progress, told=told: told.append(progress.loss), dtype=dtype)
    assert losses[torch.bfloat16] == pytest.approx(losses[torch.float32], rel=0.05)
    assert losses[torch.bfloat16][-1] < losses[torch.bfloat16][0] - 1


def test_a_model_without_vision_is_refused() -> None:
    with pytest.raises(BadSetting, match="must be LLaVA-1.5, but is LlamaForCausalLM"):
        with_lora(tiny_text_model(), SHORT)


def tiny_text_model() -> Any:
    from transformers import LlamaConfig, LlamaForCausalLM

    sizes = {"vocab_size": 8, "hidden_size": 8, "intermediate_size": 8, "num_hidden_layers": 1}
    return LlamaForCausalLM(LlamaConfig(num_attention_heads=2, **sizes))


def test_the_adapter_s_folder_brings_the_taught_model_back(bench: Bench, tmp_path: Path) -> None:
    from peft import PeftModel

    lora = bench.run(SHORT)
    save_adapter(lora, tmp_path, "tiny/llava")
    assert '"base_model_name_or_path": "tiny/llava"' in (tmp_path / "adapter_config.json").read_text()
    assert sorted(path.name for path in tmp_path.iterdir()) == ["adapter_config.json", "adapter_model.safetensors"]
    model, processor = tiny_llava()
    batch = bench.lessons(model, processor).batch(range(8))
    loaded = PeftModel.from_pretrained(model, tmp_path)
    merged = PeftModel.from_pretrained(tiny_llava()[0], tmp_path).merge_and_unload()
    with torch.no_grad():
        ours, theirs, folded = (each(**batch).logits for each in (lora, loaded, merged))
    assert torch.equal(ours, theirs)
    assert torch.allclose(ours, folded, atol=1e-3)


def test_recomputing_activations_leaves_the_gradients_as_they_are(bench: Bench) -> None:
    def gradients(recompute: bool) -> dict[str, torch.Tensor]:
        model, processor = tiny_llava()
        save_memory(model) if recompute else None
        lora = with_lora(model, replace(SHORT, dropout=0.0)).train()
        lora(**bench.lessons(lora, processor).batch(range(8)), use_cache=False).loss.backward()
        return {name: weight.grad for name, weight in trained(lora).items() if weight.grad is not None}

    kept, recomputed = gradients(False), gradients(True)
    assert len(kept) == len(trained(with_lora(tiny_llava()[0], SHORT)))
    assert same(kept, recomputed, tolerance=1e-6)


def test_a_conversation_too_long_for_the_model_is_named_before_training(bench: Bench) -> None:
    model, processor = tiny_llava()
    model.config.text_config.max_position_embeddings = 50
    with pytest.raises(BadSetting, match="at most 50 tokens, but p/"):
        bench.lessons(model, processor)


def test_shorter_samples_of_a_batch_are_padded_behind_and_not_learned_there(bench: Bench) -> None:
    model, processor = tiny_llava()
    batch = bench.lessons(model, processor).batch(range(8))
    padding = batch["attention_mask"] == 0
    assert padding.any() and (batch["attention_mask"][:, 0] == 1).all()
    assert (batch["labels"][padding] == -100).all()
    assert batch["pixel_values"].shape == (len(COLOURS), 3, 28, 28)

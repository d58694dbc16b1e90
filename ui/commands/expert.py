"""`expert build-sft`, `train` and `merge`: make training data, fine-tune a model, and prepare it for a model server."""

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, ProgressColumn, TextColumn
from rich.progress import Progress as Bars

from core.errors import BadSetting
from core.installation import COMMAND
from core.metrics.expert import Expert
from core.models.weights.availability import find_weights
from core.models.weights.checkpoints import LLAVA_13B
from core.training.expert.conversations import bin_width_of, build
from core.training.expert.files import read_judged, write_jsonl
from core.training.expert.plan import Progress, TrainingSettings

DTYPES = ("float16", "bfloat16", "float32")
DEFAULT = TrainingSettings()

Show = Callable[[Progress], None]


def register(cli: typer.Typer) -> None:
    """Add the commands of `expert`."""
    group = typer.Typer(help="Make EXPERT's training data, and fine-tune a model.")
    cli.add_typer(group, name="expert")
    group.command("build-sft")(build_sft)
    group.command()(train)
    group.command()(merge)


def build_sft(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Polaris-exp and Nebula-exp files (JSON).")],
    to: Annotated[Path, typer.Option("--to", metavar="FILE", help="JSONL of LLaVA conversations.")],
    bin_width: Annotated[
        str, typer.Option(help="Width of the bins to which scores are rounded, such as 0.1 or 0.05; 0: no bins.")
    ] = "0.1",
) -> None:
    """Make training conversations, each with a score and then an explanation.

    Equal captions of the same image are duplicates, and their scores are averaged. The scores are then rounded to
    multiples of the bin width.
    """
    width = bin_width_of(bin_width)
    rows = list(read_judged(files))
    conversations = build(rows, width)
    write_jsonl(to, conversations)
    merged = len(rows) - len(conversations)
    typer.echo(
        f"Wrote {len(conversations):,} conversations to {to}, from {len(rows):,} rows of which {merged:,} were "
        "duplicates."
    )


def train(
    data: Annotated[Path, typer.Argument(metavar="FILE", help="JSONL file from `expert build-sft`.")],
    base: Annotated[str, typer.Option(help="LLaVA-1.5: a downloaded repository of Hugging Face, or a folder.")],
    images: Annotated[Path, typer.Option(help="Folder with the pictures.")],
    to: Annotated[Path, typer.Option("--to", metavar="FOLDER", help="Folder for the adapter.")],
    rank: Annotated[int, typer.Option(help="Rank of the LoRA matrices.")] = DEFAULT.rank,
    alpha: Annotated[int, typer.Option(help="LoRA's alpha; updates are multiplied by alpha / rank.")] = DEFAULT.alpha,
    dropout: Annotated[float, typer.Option(help="Dropout of LoRA's inputs.")] = DEFAULT.dropout,
    epochs: Annotated[int, typer.Option()] = DEFAULT.epochs,
    batch: Annotated[int, typer.Option(help="Samples per step.")] = DEFAULT.batch_size,
    micro_batch: Annotated[int, typer.Option(help="Number of samples processed together.")] = DEFAULT.micro_batch_size,
    learning_rate: Annotated[float, typer.Option(help="Highest.")] = DEFAULT.learning_rate,
    weight_decay: Annotated[float, typer.Option()] = DEFAULT.weight_decay,
    warmup: Annotated[
        float, typer.Option(help="Warm-up: share of the steps in which the learning rate rises.")
    ] = DEFAULT.warmup,
    projector: Annotated[
        bool, typer.Option(help="Also train the projector between picture encoder and language model.")
    ] = DEFAULT.projector,
    seed: Annotated[int, typer.Option()] = DEFAULT.seed,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, cuda:1 ...")] = "auto",
    checkpoint_every: Annotated[int, typer.Option(help="Steps between checkpoints.")] = 200,
) -> None:
    """Fine-tune a model with LoRA. Run the same command again to resume interrupted training."""
    chosen = TrainingSettings(
        rank=rank,
        alpha=alpha,
        dropout=dropout,
        projector=projector,
        epochs=epochs,
        batch_size=batch,
        micro_batch_size=micro_batch,
        learning_rate=learning_rate,
        weight_decay=weight_decay,
        warmup=warmup,
        seed=seed,
    )
    from core.training.expert.run import Run, fine_tune  # imports torch, so it is imported only when needed

    with shown() as show:
        fine_tune(Run(base, data, images, to, chosen, device, checkpoint_every), show)
    typer.echo(
        f"Wrote the adapter to {to}. To score with it: {COMMAND} score EXPERT --model {base} --option adapter={to} ..."
    )


def merge(
    adapter: Annotated[
        str, typer.Argument(metavar="ADAPTER", help="Adapter: a downloaded repository of Hugging Face, or a folder.")
    ],
    to: Annotated[Path, typer.Option("--to", metavar="FOLDER", help="Folder for the merged model.")],
    base: Annotated[str, typer.Option(help="LLaVA-1.5: a downloaded repository of Hugging Face, or a folder.")] = (
        LLAVA_13B.repo
    ),
    dtype: Annotated[str, typer.Option(help=f"{', '.join(DTYPES)}.")] = "float16",
) -> None:
    """Merge an adapter, with its projector, into its base model, so that a server can load it."""
    if dtype not in DTYPES:
        raise BadSetting(f"--dtype must be {' or '.join(DTYPES)}, found {dtype!r}.")
    weights, merged = find_weights(base, Expert.name), find_weights(adapter, Expert.name, "ADAPTER")
    from core.models.vlm.adapter import write_merged  # imports torch, so it is imported only when needed

    write_merged(weights, merged, to, dtype)
    typer.echo(
        f"Wrote {to}. To serve it, run this command with the options of “Use a model server” in the documentation: "
        f"vllm serve {to} --served-model-name expert --dtype {dtype} --chat-template {to / 'llava_v1.jinja'}"
    )


@contextmanager
def shown() -> Iterator[Show]:
    """Show training progress on standard error: the loss and the time left.

    It is a bar on a terminal. Otherwise lines are printed.
    """
    if not sys.stderr.isatty():
        yield _print_line
        return
    columns: tuple[ProgressColumn, ...] = (TextColumn("Training"), BarColumn(), MofNCompleteColumn())
    with Bars(*columns, TextColumn("{task.description}"), console=Console(stderr=True)) as bars:
        task = bars.add_task("", total=None)
        yield lambda now: bars.update(task, completed=now.step, total=now.steps, description=_told(now))


def _print_line(now: Progress) -> None:
    if now.step % max(1, now.steps // 100) == 0 or now.step in (1, now.steps):
        print(f"step {now.step} of {now.steps}, {_told(now)}", file=sys.stderr, flush=True)


def _told(now: Progress) -> str:
    minutes, seconds = divmod(round(now.seconds_left), 60)
    hours, minutes = divmod(minutes, 60)
    return f"loss {now.loss:.4f}, {hours}:{minutes:02}:{seconds:02} left"

"""`train polos`, `train expert` and `train merge`: train a metric's model, and prepare it for a model server."""

from pathlib import Path
from typing import Annotated

import typer

from core.datasets import format_named
from core.datasets.base import Source
from core.datasets.pictures import find_images, picture_of
from core.errors import BadSetting
from core.installation import COMMAND
from core.long_work.progress import reporting
from core.metrics.expert import Expert
from core.models.checkpoints import CLIP_B32, LLAVA_13B, SIMCSE_ROBERTA
from core.models.weights import find_weights
from core.types import ImageRef, Sample
from ui.commands.options import progress_bar

DTYPES = ("float16", "bfloat16", "float32")
Device = Annotated[str, typer.Option(help="auto, cpu, cuda, cuda:1 ...")]


def register(cli: typer.Typer) -> None:
    """Add the commands of `train`."""
    group = typer.Typer(help="Train Polos or EXPERT.", no_args_is_help=True)
    cli.add_typer(group, name="train")
    group.command()(polos)
    group.command()(expert)
    group.command()(merge)


def polos(
    data: Annotated[Path, typer.Argument(metavar="CSV", help="Judgements: a CSV file with mt, refs, score, imgid.")],
    images: Annotated[list[Path], typer.Option(help="Folder with pictures; repeatable.")],
    to: Annotated[Path, typer.Option("--to", metavar="CKPT", help="File to write, for Polos with --model.")],
    val: Annotated[Path | None, typer.Option(help="Judgements for early stopping; default: a tenth of CSV.")] = None,
    epochs: Annotated[int, typer.Option(min=1, help="At most.")] = 100,
    batch_size: Annotated[int, typer.Option(min=1, help="Judgements per step.")] = 64,
    learning_rate: Annotated[float, typer.Option(help="Of Adam.")] = 3e-5,
    seed: int = 42,
    roberta: Annotated[str, typer.Option(help="Repository or folder of the text encoder.")] = SIMCSE_ROBERTA.repo,
    clip: Annotated[str, typer.Option(help="Repository or folder of CLIP.")] = CLIP_B32.repo,
    device: Device = "auto",
) -> None:
    """Train Polos from human judgements. Run the same command again to resume interrupted training."""
    from core.models.polos import pretrained_encoder  # imports torch, so it is imported only when needed
    from core.training.polos import Settings, held_out, train_polos

    settings = Settings(epochs, batch_size, learning_rate, seed=seed)
    samples = judgements(data, images)
    learning, judging = (samples, judgements(val, images)) if val else held_out(samples, seed)
    encoder = pretrained_encoder(device, roberta, clip)
    with progress_bar() as progress, reporting(progress):
        result = train_polos(learning, judging, encoder, settings, to)
    typer.echo(f"Wrote {to} after {result['epochs']:g} epochs. The best tau-c is {100 * result['tau']:.2f}.")
    typer.echo(f"Trained with {len(learning):,} judgements, validated with {len(judging):,}.")
    typer.echo(f"{to}.run is no longer needed. You can delete it.")


def judgements(path: Path, folders: list[Path]) -> list[Sample]:
    """Return one sample per row of a file with Polaris' columns. Raises BadFile, BadRow and BadSetting.

    A sample's picture has no path if no folder contains it.
    """
    pictures = find_images(folders)
    return [
        Sample(
            key=f"{path.name}, row {record.row}",
            image=ImageRef(record.image, picture_of(record, pictures)),
            candidate=record.candidate,
            references=record.references,
            human=record.human,
        )
        for record in format_named("polaris").read(Source(path))
    ]


def expert(
    files: Annotated[list[Path], typer.Argument(metavar="FILE...", help="Polaris-exp and Nebula-exp files (JSON).")],
    images: Annotated[Path, typer.Option(help="Folder with the pictures.")],
    to: Annotated[Path, typer.Option("--to", metavar="FOLDER", help="Folder for the adapter.")],
    base: Annotated[str, typer.Option(help="LLaVA-1.5: a downloaded repository, or a folder.")] = LLAVA_13B.repo,
    rank: Annotated[int, typer.Option(min=1, help="Rank of the LoRA matrices.")] = 128,
    alpha: Annotated[int, typer.Option(min=1, help="LoRA's alpha; updates are multiplied by alpha / rank.")] = 256,
    dropout: Annotated[float, typer.Option(min=0, max=0.99, help="Dropout of LoRA's inputs.")] = 0.05,
    epochs: Annotated[int, typer.Option(min=1)] = 1,
    batch: Annotated[int, typer.Option(min=1, help="Samples per step.")] = 8,
    micro_batch: Annotated[int, typer.Option(min=1, help="Number of samples processed together.")] = 1,
    learning_rate: Annotated[float, typer.Option(help="Highest.")] = 2e-5,
    seed: int = 0,
    device: Device = "auto",
) -> None:
    """Fine-tune LLaVA-1.5 with LoRA for EXPERT. Run the same command again to resume interrupted training."""
    from core.training.expert import Settings, fine_tune  # imports torch, so it is imported only when needed

    settings = Settings(rank, alpha, dropout, epochs, batch, micro_batch, learning_rate, seed=seed)
    fine_tune(base, files, images, to, settings, device)
    scored = f"{COMMAND} score EXPERT --model {base} --option adapter={to} ..."
    typer.echo(f"Wrote the adapter to {to}. To score with it: {scored}")


def merge(
    adapter: Annotated[str, typer.Argument(metavar="ADAPTER", help="Adapter: a downloaded repository, or a folder.")],
    to: Annotated[Path, typer.Option("--to", metavar="FOLDER", help="Folder for the merged model.")],
    base: Annotated[str, typer.Option(help="LLaVA-1.5: a downloaded repository, or a folder.")] = LLAVA_13B.repo,
    dtype: Annotated[str, typer.Option(help=f"{', '.join(DTYPES)}.")] = "float16",
) -> None:
    """Merge an adapter, with its projector, into its base model, so that a server can load it."""
    if dtype not in DTYPES:
        raise BadSetting(f"--dtype must be {' or '.join(DTYPES)}, found {dtype!r}.")
    weights, merged = find_weights(base, Expert.name, "--base"), find_weights(adapter, Expert.name, "ADAPTER")
    from core.models.adapter import write_merged  # imports torch, so it is imported only when needed

    write_merged(weights, merged, to, dtype)
    typer.echo(
        f"Wrote {to}. To serve it, run this command with the options of “Use a model server” in the documentation: "
        f"vllm serve {to} --served-model-name expert --dtype {dtype} --chat-template {to / 'llava_v1.jinja'}"
    )

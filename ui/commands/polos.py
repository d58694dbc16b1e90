"""`polos train`: train Polos from human judgements (M²LHF)."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TaskID, TextColumn, TimeRemainingColumn

from core.datasets import find_images, raise_bad
from core.datasets.nebula import POLARIS
from core.models.weights.checkpoints import CLIP_B32, SIMCSE_ROBERTA
from core.types import ImageRef, Sample
from ui.commands.options import AsJson, print_json

if TYPE_CHECKING:
    from core.training.polos.plan import OnProgress  # imports scipy, so it is imported only when needed
    from core.training.polos.plan import Progress as Standing


def register(cli: typer.Typer) -> None:
    """Add the commands of `polos`."""
    group = typer.Typer(help="Train Polos from human judgements.", no_args_is_help=True)
    cli.add_typer(group, name="polos")
    group.callback()(polos)
    group.command()(train)


def polos() -> None:
    """Do nothing. With this callback, `train` stays a subcommand even if the group `polos` is run on its own."""


def train(
    data: Annotated[Path, typer.Option(help="Judgements for training: a CSV file with mt, refs, score, imgid.")],
    images: Annotated[list[Path], typer.Option(help="Folder with pictures; repeatable.")],
    to: Annotated[
        Path, typer.Option("--to", metavar="CKPT", help="File to write; to score with it, use Polos with --model.")
    ],
    val: Annotated[Path | None, typer.Option(help="Judgements for early stopping; default: a tenth of --data.")] = None,
    features: Annotated[
        Path | None, typer.Option(help="Folder for computed features, which are kept; default: CKPT.features.")
    ] = None,
    epochs: Annotated[int, typer.Option(help="At most.")] = 100,
    patience: Annotated[int, typer.Option(help="Epochs without a better tau before training stops.")] = 5,
    batch_size: Annotated[int, typer.Option(help="Judgements per step.")] = 64,
    learning_rate: Annotated[float, typer.Option(help="Of Adam.")] = 3e-5,
    seed: int = 42,
    roberta: Annotated[str, typer.Option(help="Repository or folder of the text encoder.")] = SIMCSE_ROBERTA.repo,
    clip: Annotated[str, typer.Option(help="Repository or folder of CLIP.")] = CLIP_B32.repo,
    without: Annotated[
        list[str] | None,
        typer.Option(help="Train without these features: text, clip, image, differences or products; repeatable."),
    ] = None,
    device: Annotated[str, typer.Option(help="auto, cpu, cuda, cuda:1 ...")] = "auto",
    as_json: AsJson = False,
) -> None:
    """Train the scalar mix and the regression of Polos.

    The encoders are frozen. Run the same command again to resume interrupted training.
    """
    from core.training.polos.plan import TrainingSettings, held_out

    chosen = TrainingSettings(epochs, batch_size, learning_rate, patience, seed=seed, without=tuple(without or ()))
    samples = read_judgements(data, images)
    learning, judging = (samples, read_judgements(val, images)) if val else held_out(samples, seed)
    from core.models.polos.load import pretrained_encoder
    from core.training.polos.loop import TrainingFiles, train_polos

    encoder = pretrained_encoder(device, roberta, clip)
    files = TrainingFiles(to, features or to.with_name(f"{to.name}.features"))
    with _progress() as show:
        result = train_polos(learning, judging, encoder, chosen, files, show)
    tau = "no tau, because all scores are equal" if result.tau is None else f"tau-c {100 * result.tau:.2f}"
    if as_json:
        print_json({"checkpoint": str(to), "samples": len(learning), "validation": len(judging)} | asdict(result))
    else:
        typer.echo(
            f"Wrote {to} after {result.epochs} epochs. The best epoch was {result.best or result.epochs} ({tau})."
        )
        typer.echo(f"Trained with {len(learning):,} judgements, validated with {len(judging):,}.")
        typer.echo(f"The features in {files.features} are no longer needed. You can delete them.")


def read_judgements(path: Path, folders: list[Path]) -> list[Sample]:
    """Return one sample per row of a file with Polaris' columns.

    A sample's picture has no path if no folder contains it. Raises BadFile, BadRow and BadSetting.
    """
    pictures = find_images(folders)
    return [
        Sample(
            key=f"{path.name}, row {record.row}",
            image=ImageRef(record.image, pictures.find(record)),
            candidate=record.candidate,
            references=record.references,
            human=record.human,
        )
        for record in POLARIS.read(path, raise_bad)
    ]


@contextmanager
def _progress() -> Iterator["OnProgress"]:
    """Show the progress of training on standard error.

    Each stage has a bar, and each epoch has a line.
    """
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, transient=True) as bars:
        yield partial(_show, bars, {})


def _show(bars: Progress, tasks: dict[str, TaskID], standing: "Standing") -> None:
    if standing.stage not in tasks:
        tasks[standing.stage] = bars.add_task(standing.stage, total=standing.total)
    bars.update(tasks[standing.stage], completed=standing.done, total=standing.total)
    if standing.loss is not None:
        tau = "-" if standing.tau is None else f"{100 * standing.tau:.2f}"
        bars.console.print(f"epoch {standing.done}: mean squared error {standing.loss:.5f}, tau-c {tau}")

"""`phrases find` and `phrases evaluate`: print the phrases of captions, and measure how well a parser works."""

from dataclasses import asdict
from pathlib import Path
from typing import Annotated

import typer

from core.captions.fact_scores import GoldGraph, read_gold_graphs, set_match
from core.captions.fact_scores import evaluate as agreement
from core.captions.facts import Fact, write_facts
from core.captions.language import NOTICE, may_be_english
from core.captions.nouns import bundled_nouns
from core.errors import BadSetting
from core.models import ModelSettings
from core.models.language.parsers import PARSERS, SPACY, SceneGraphParser, load_scene_graph_parser
from ui.commands.options import AsJson, print_json, progress_bar

CAPTIONS = Path(__file__).parents[2] / "assets" / "language" / "captions.csv"
BATCH = 256  # number of captions parsed between two updates of the progress bar

Parser = Annotated[str, typer.Option("--parser", help=f"{' or '.join(PARSERS)}.")]
Model = Annotated[str | None, typer.Option(help="Repository of the Hugging Face hub, or folder; for --parser factual.")]
Device = Annotated[str, typer.Option(help="auto, cpu, cuda or cuda:N, for --parser factual.")]


def register(cli: typer.Typer) -> None:
    """Add the commands of `phrases`."""
    group = typer.Typer(help="Find the phrases of captions, and measure parsers.")
    cli.add_typer(group, name="phrases")
    group.command()(find)
    group.command()(evaluate)


def find(
    captions: Annotated[list[str], typer.Argument(metavar="CAPTION...")],
    parser: Parser = SPACY,
    model: Model = None,
    device: Device = "auto",
    as_json: AsJson = False,
) -> None:
    """Print the phrases of captions, with their character positions."""
    loaded = load_scene_graph_parser(parser, ModelSettings(model=model, device=device))
    phrases_of = list(zip(captions, loaded.phrases(captions), strict=True))
    if as_json:
        rows = [
            {"text": p.text, "shown": p.shown or p.text, "span": p.span, "kind": p.kind, "caption": c}
            for c, ps in phrases_of
            for p in ps
        ]
        strange = [caption for caption in captions if not may_be_english(caption)]
        print_json({"parser": loaded.name, "phrases": rows, "not_english": strange})
        return
    for caption, phrases in phrases_of:
        typer.echo(caption)
        if not may_be_english(caption):
            typer.echo(f"  {NOTICE}")
        for phrase in phrases:
            start, end = phrase.span
            typer.echo(f"  {phrase.shown or phrase.text}  [{phrase.kind}, {start}-{end}: {caption[start:end]}]")


def evaluate(
    file: Annotated[
        Path, typer.Argument(metavar="[FILE]", help="CSV: caption, scene_graph; default: Capscope's own captions.")
    ] = CAPTIONS,
    part: Annotated[
        str | None, typer.Option(help="Use only rows with this value in the column `part`: tuning or held out.")
    ] = None,
    parser: Parser = SPACY,
    model: Model = None,
    device: Device = "auto",
    mistakes: Annotated[int, typer.Option(min=0, help="Also list this many captions whose phrases do not match.")] = 0,
    as_json: AsJson = False,
) -> None:
    """Compare a parser's scene graphs of captions with gold scene graphs.

    Print the percentage of captions for which both graphs state the same facts (set match). Also print the percentage
    of known main facts that the parser found. The last values are the SPICE-style F1 with and without synonyms.
    """
    golds = _of_part(read_gold_graphs(file), part)
    loaded = load_scene_graph_parser(parser, ModelSettings(model=model, device=device))
    facts = _facts(loaded, golds)
    result = agreement(facts, golds, bundled_nouns().synonyms)
    if as_json:
        print_json({"parser": loaded.name, **asdict(result)})
    else:
        mains = f", main fact right {result.main_right:.1f} (of {result.main_facts:,})" if result.main_facts else ""
        typer.echo(
            f"{loaded.name} on {result.captions:,} captions, in percent: "
            f"all facts right (set match) {result.set_match:.1f}, SPICE F1 exact {result.spice_f:.1f}, "
            f"SPICE F1 with synonyms {result.spice_f_synonyms:.1f}{mains}"
        )
    _list_mistakes(golds, facts, mistakes)


def _of_part(golds: list[GoldGraph], part: str | None) -> list[GoldGraph]:
    """Return the gold graphs of a part. Raises BadSetting if the file has no such part."""
    found = [gold for gold in golds if part in (None, gold.part)]
    if part is not None and not found:
        parts = sorted({gold.part for gold in golds if gold.part})
        raise BadSetting(f"part: expected {' or '.join(parts) or 'none, as the file has no parts'}, found {part!r}")
    return found


def _facts(parser: SceneGraphParser, golds: list[GoldGraph]) -> list[list[Fact]]:
    facts: list[list[Fact]] = []
    with progress_bar() as progress:
        for first in range(0, len(golds), BATCH):
            batch = [gold.caption for gold in golds[first : first + BATCH]]
            facts += [[one.fact for one in spotted] for spotted in parser.facts(batch)]
            progress("captions", len(facts), len(golds))
    return facts


def _list_mistakes(golds: list[GoldGraph], found: list[list[Fact]], most: int) -> None:
    missed = [(gold, facts) for gold, facts in zip(golds, found, strict=True) if not set_match(facts, gold.facts)]
    for gold, facts in missed[:most]:
        typer.echo(f"\n{gold.caption}\n  gold  {write_facts(gold.facts)}\n  found {write_facts(facts)}", err=True)

"""Train the bundled language pipeline: tagger, dependency parser and lemmatiser.

    python -m assets.language.train TREEBANK_FOLDER FACTUAL_TRAIN.csv WORK_FOLDER

TREEBANK_FOLDER holds en_ewt-ud-{train,dev,test}.conllu.gz of Universal Dependencies English-EWT. A first round of
1,000 steps on the treebank alone parses FACTUAL's captions; those whose annotated graph the rules then reach join the
treebank for the second round of 3,000 steps (silver.py says how). One thread, about 45 minutes of processor time. The
pipeline lands in WORK_FOLDER/pipeline, to be copied here, with its scores on the treebank in its meta.json.
"""

import argparse
import json
from pathlib import Path

import spacy
from spacy.cli.train import train
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example

from assets.language.silver import annotated_captions, trusted_documents
from assets.language.treebank import document, read_sentences, with_caption_like_copies
from core.captions.pieces import readings
from core.models.language.dependency_parser import ASSETS, read_compounds

SEED = 20
FIRST_STEPS, FINAL_STEPS = 1000, 3000
META = {
    "name": "ewt_captions",
    "version": "1.0.0",
    "description": "Tags, dependencies and lemmas of English captions; UD English-EWT and captions of FACTUAL",
    "author": "Capscope",
    "license": "CC BY-SA 4.0",
}


def main() -> None:
    """Train both rounds and measure the second on the treebank's dev and test parts."""
    arguments = argparse.ArgumentParser(description=__doc__)
    for name in ("treebank", "captions", "work"):
        arguments.add_argument(name, type=Path)
    given = arguments.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    parts = {part: treebank_part(given.treebank, part) for part in ("train", "dev", "test")}
    for part, documents in parts.items():
        save(documents, given.work / f"{part}.spacy")
    run_round(given.work, "first", FIRST_STEPS)
    trusted = trusted_captions(given.captions, given.work / "first" / "model-best")
    print(f"{len(trusted)} captions join the treebank")
    save([*parts["train"], *trusted], given.work / "train.spacy")
    run_round(given.work, "final", FINAL_STEPS)
    publish(
        given.work / "final" / "model-best", {part: parts[part] for part in ("dev", "test")}, given.work / "pipeline"
    )


def treebank_part(folder: Path, part: str) -> list[Doc]:
    """Return a part of the treebank as documents of one sentence; the training part with caption-like copies."""
    vocab = spacy.blank("en").vocab
    sentences = list(read_sentences(folder / f"en_ewt-ud-{part}.conllu.gz"))
    if part == "train":
        sentences = with_caption_like_copies(sentences, SEED)
    return [document(vocab, words) for words in sentences]


def trusted_captions(captions: Path, model: Path) -> list[Doc]:
    """Return the captions of which the first round's trees give the annotated graphs."""
    compounds = read_compounds(ASSETS)
    related = {(run.split()[0], run.split()[1]): use for run, use in compounds if use != "thing"}
    table = readings(run for run, use in compounds if use == "thing")
    return trusted_documents(spacy.load(model), annotated_captions(captions, table), related)


def save(documents: list[Doc], file: Path) -> None:
    """Write documents as spaCy's training data."""
    DocBin(docs=documents, store_user_data=False).to_disk(file)


def run_round(work: Path, name: str, steps: int) -> None:
    """Train on the folder's train.spacy and keep what does best on its dev.spacy."""
    overrides = {"paths.train": str(work / "train.spacy"), "paths.dev": str(work / "dev.spacy")}
    train(ASSETS / "config.cfg", work / name, overrides={**overrides, "training.max_steps": steps})


def publish(model: Path, parts: dict[str, list[Doc]], folder: Path) -> None:
    """Write the pipeline with its scores, version and licence, and without the paths of this machine."""
    nlp = spacy.load(model)
    nlp.meta.update(META, performance={part: evaluate(nlp, documents) for part, documents in parts.items()})
    nlp.config["paths"] = dict.fromkeys(nlp.config["paths"])
    nlp.to_disk(folder)
    print(json.dumps(nlp.meta["performance"]))


def evaluate(nlp: Language, gold: list[Doc]) -> dict[str, float]:
    """Return accuracy of tags and lemmas, unlabelled and labelled attachment, each x 100, from plain text."""
    scores = nlp.evaluate([Example(nlp.make_doc(doc.text), doc) for doc in gold])
    return {name: round(100 * scores[name], 2) for name in ("tag_acc", "dep_uas", "dep_las", "lemma_acc")}


if __name__ == "__main__":
    main()

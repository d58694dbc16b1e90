"""Train the bundled language pipeline: tagger, dependency parser and lemmatiser.

    python assets/language/train.py TREEBANK_FOLDER WORK_FOLDER [--steps 7000]

TREEBANK_FOLDER holds en_ewt-ud-{train,dev,test}.conllu.gz of Universal Dependencies English-EWT (CC BY-SA 4.0).
The best pipeline lands in WORK_FOLDER/model-best and its scores in WORK_FOLDER/scores.json.
"""

import argparse
import json
from pathlib import Path

import spacy
from spacy.cli.train import train
from spacy.tokens import DocBin
from treebank import document, read_sentences, with_caption_like_copies

HERE = Path(__file__).parent
SEED = 20


def main() -> None:
    """Convert the treebank, train, and measure on its dev and test parts."""
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("treebank", type=Path)
    arguments.add_argument("work", type=Path)
    arguments.add_argument("--steps", type=int, default=7000)
    given = arguments.parse_args()
    given.work.mkdir(parents=True, exist_ok=True)
    convert(given.treebank, given.work)
    overrides = {
        "paths.train": str(given.work / "train.spacy"),
        "paths.dev": str(given.work / "dev.spacy"),
        "training.max_steps": given.steps,
    }
    train(HERE / "config.cfg", given.work, overrides=overrides)
    scores = {part: evaluate(given.work / "model-best", given.work / f"{part}.spacy") for part in ("dev", "test")}
    (given.work / "scores.json").write_text(json.dumps(scores, indent=1) + "\n", encoding="utf-8")


def convert(treebank: Path, work: Path) -> None:
    """Write train.spacy, dev.spacy and test.spacy; only the training part gets caption-like copies."""
    vocab = spacy.blank("en").vocab
    for part in ("train", "dev", "test"):
        sentences = list(read_sentences(treebank / f"en_ewt-ud-{part}.conllu.gz"))
        if part == "train":
            sentences = with_caption_like_copies(sentences, SEED)
        documents = [document(vocab, words) for words in sentences]
        DocBin(docs=documents, store_user_data=False).to_disk(work / f"{part}.spacy")


def evaluate(model: Path, corpus: Path) -> dict[str, float]:
    """Return tag accuracy, unlabelled and labelled attachment and lemma accuracy, x 100."""
    nlp = spacy.load(model)
    gold = list(DocBin().from_disk(corpus).get_docs(nlp.vocab))
    scores = nlp.evaluate([spacy.training.Example(nlp.make_doc(doc.text), doc) for doc in gold])
    return {name: round(100 * scores[name], 2) for name in ("tag_acc", "dep_uas", "dep_las", "lemma_acc")}


if __name__ == "__main__":
    main()

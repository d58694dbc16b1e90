"""Train the bundled language pipeline: tagger and dependency parser.

    python -m assets.language.train TREEBANK_FOLDER FACTUAL_TRAIN.csv WORK_FOLDER

TREEBANK_FOLDER holds en_ewt-ud-{train,dev,test}.conllu.gz of Universal Dependencies English-EWT. A first round of
1,000 steps on the treebank alone parses FACTUAL's captions; those whose annotated graph the rules then reach join the
treebank for the second round of 3,000 steps (silver.py says how). The second round's trees choose anew, and a third one
of 1,500 steps goes on from it with whole sentences made of the chosen captions (clauses.py). One thread, about 75
minutes of processor time. The pipeline lands in WORK_FOLDER/pipeline, to be copied here, with its scores on the
treebank in its meta.json.
"""

import argparse
import json
from pathlib import Path
from typing import Any

import spacy
from spacy.cli.train import train
from spacy.language import Language
from spacy.tokens import Doc, DocBin
from spacy.training import Example
from spacy.util import load_config

from assets.language.clauses import composed
from assets.language.silver import annotated_captions, trusted_documents
from assets.language.treebank import document, read_sentences, with_caption_like_copies
from core.captions.caption_pieces import readings
from core.captions.verb_forms import TABLE as VERBS
from core.captions.verb_forms import VerbForms
from core.models.language.dependency_parser import ASSETS, read_compounds

SEED = 20
FIRST_STEPS, SECOND_STEPS, THIRD_STEPS = 1000, 3000, 1500
CLAUSES = 22_000  # whole sentences of the third round
GOING_ON = {"training.optimizer.learn_rate": 0.0005, "training.batcher.size.start": 600}
META = {
    "name": "ewt_captions",
    "version": "1.2.0",
    "description": "Tags and dependencies of English captions; UD English-EWT and captions of FACTUAL",
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
    run_round(given.work, "second", SECOND_STEPS)
    trusted = trusted_captions(given.captions, given.work / "second" / "model-best")
    save([*parts["train"], *trusted, *whole_sentences(trusted, parts["train"])], given.work / "train.spacy")
    run_round(given.work, "third", THIRD_STEPS, going_on_from=given.work / "second" / "model-best")
    publish(
        given.work / "third" / "model-last", {part: parts[part] for part in ("dev", "test")}, given.work / "pipeline"
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


def whole_sentences(trusted: list[Doc], treebank: list[Doc]) -> list[Doc]:
    """Return sentences made of the captions; verbs that any subject may take are those of the treebank."""
    forms = VerbForms.read(VERBS)
    participles = {token.text for doc in trusted for token in doc if token.tag_ == "VBG"}
    lemmas = {text: lemma for text in participles if (lemma := forms.lemma(text))}
    verbs = {forms.lemma(token.lower_) for doc in treebank for token in doc if token.tag_.startswith("VB")}
    others = {verb for verb in verbs if verb and verb not in ("be", "have", "do")}
    return composed(spacy.blank("en").vocab, trusted, lemmas, others, CLAUSES, SEED + 1)


def save(documents: list[Doc], file: Path) -> None:
    """Write documents as spaCy's training data."""
    DocBin(docs=documents, store_user_data=False).to_disk(file)


def run_round(work: Path, name: str, steps: int, going_on_from: Path | None = None) -> None:
    """Train on the folder's train.spacy and keep what does best on its dev.spacy, and the last."""
    config = load_config(ASSETS / "config.cfg")
    overrides: dict[str, Any] = {"paths.train": str(work / "train.spacy"), "paths.dev": str(work / "dev.spacy")}
    if going_on_from:
        config["components"] = {name: {"source": str(going_on_from)} for name in config["nlp"]["pipeline"]}
        overrides |= GOING_ON
    config.to_disk(work / f"{name}.cfg")
    train(work / f"{name}.cfg", work / name, overrides={**overrides, "training.max_steps": steps})


def publish(model: Path, parts: dict[str, list[Doc]], folder: Path) -> None:
    """Write the pipeline with its scores, version and licence, and without the paths of this machine."""
    nlp = spacy.load(model)
    nlp.meta.update(META, performance={part: evaluate(nlp, documents) for part, documents in parts.items()})
    nlp.config["paths"] = dict.fromkeys(nlp.config["paths"])
    nlp.to_disk(folder)
    print(json.dumps(nlp.meta["performance"]))


def evaluate(nlp: Language, gold: list[Doc]) -> dict[str, float]:
    """Return accuracy of tags, unlabelled and labelled attachment, each x 100, from plain text."""
    scores = nlp.evaluate([Example(nlp.make_doc(doc.text), doc) for doc in gold])
    return {name: round(100 * scores[name], 2) for name in ("tag_acc", "dep_uas", "dep_las")}


if __name__ == "__main__":
    main()

"""Read the files of Polaris-exp and Nebula-exp, and find their pictures. Write and read conversations as JSONL."""

import json
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path, PurePosixPath

from core.datasets.base import Format, Record, raise_bad
from core.datasets.pictures import ImageIndex, find_images
from core.datasets.polaris_exp import NEBULA_EXP, POLARIS_EXP
from core.errors import BadFile, BadRow, BadSetting
from core.files import written_whole
from core.training.expert.conversations import IMAGE, Conversation, ExplainedCaption, Turns
from core.types import Score

FOLDERS = {POLARIS_EXP.name: "Polaris", NEBULA_EXP.name: "Nebula"}  # folder of pictures in each published data set


def read_judged(paths: Sequence[Path]) -> Iterator[ExplainedCaption]:
    """Yield the rows of Polaris-exp and Nebula-exp files in order.

    Raises BadFile or BadRow at the first error. If wrong rows were only skipped, the trained model would differ without
    any warning. Raises BadSetting for two files with the same name, because ids contain the files' names.
    """
    stems = [path.stem for path in paths]
    if len(set(stems)) < len(stems):
        raise BadSetting(
            "the files must have different names, because ids are made from the names; rename one of "
            f"{', '.join(stems)}"
        )
    for path in paths:
        data_format = exp_format(path)
        yield from (_judged(record, FOLDERS[data_format.name]) for record in data_format.read(path, raise_bad))


def exp_format(path: Path) -> Format:
    """Return the format Nebula-exp if the file's name contains "nebula", otherwise Polaris-exp.

    The two formats differ only in their picture folders.
    """
    return NEBULA_EXP if "nebula" in path.name.lower() else POLARIS_EXP


def write_jsonl(path: Path, conversations: Iterable[Conversation]) -> None:
    """Write one conversation per line, and replace an existing file atomically.

    Raises BadSetting for a missing folder.
    """
    if not path.parent.is_dir():
        raise BadSetting(f"cannot write {path.name}, because the folder {path.parent} does not exist; create it first")
    with written_whole(path) as unfinished, unfinished.open("w", encoding="utf-8") as file:
        file.writelines(json.dumps(each.as_json(), ensure_ascii=False) + "\n" for each in conversations)


def read_jsonl(path: Path) -> list[Conversation]:
    """Return the conversations in a file that write_jsonl wrote.

    Raises BadFile for a file without records, BadRow for a record without two questions and answers.
    """
    try:
        lines = path.read_text(encoding="utf-8").split("\n")
    except (OSError, UnicodeDecodeError) as error:
        raise BadFile(
            path, f"the file must contain lines of JSON as written by `expert build-sft` ({error})"
        ) from error
    conversations = [_conversation(path, number, line) for number, line in enumerate(lines, start=1) if line.strip()]
    if not conversations:
        raise BadFile(path, "the file contains no conversation; make the file with `expert build-sft`")
    return conversations


def find_pictures(conversations: Sequence[Conversation], folder: Path) -> list[Path]:
    """Return the picture of each conversation.

    The picture's path below the folder is tried first. If no file is there, all subfolders are searched for the
    picture's name, with and without extension. Raises BadSetting if pictures are missing. The message has the number of
    missing pictures and the name of the first of them.
    """
    index = find_images([folder])
    pictures = [_picture(each.image, folder, index) for each in conversations]
    missing = [each.image for each, path in zip(conversations, pictures, strict=True) if path is None]
    if missing:
        raise BadSetting(
            f"{len(missing)} of {len(pictures)} pictures are missing in {folder}, for example {missing[0]}; name the "
            "folder that contains them with --images"
        )
    return [path for path in pictures if path is not None]


def _picture(name: str, folder: Path, index: ImageIndex) -> Path | None:
    exact = folder / name
    return exact if exact.is_file() else index.files.find(name)


def _judged(record: Record, folder: str) -> ExplainedCaption:
    (score,) = record.scores
    assert isinstance(score, Score) and record.human is not None  # rows without score or judgement were refused earlier
    rationales = score.explanation.rationales
    for text in (record.candidate, *rationales.values()):
        if IMAGE in text:
            expected = f"captions and explanations without {IMAGE}, because {IMAGE} stands for the picture"
            raise BadRow(record.file, record.row, "mt, explanation", expected, text)
    name = record.image if PurePosixPath(record.image).suffix else f"{record.image}.jpg"
    return ExplainedCaption(
        f"{record.file.stem}/{record.key}", f"{folder}/{name}", record.candidate, record.human, rationales
    )


def _conversation(path: Path, number: int, line: str) -> Conversation:
    try:
        record = json.loads(line)
    except json.JSONDecodeError as error:
        raise BadRow(path, number, "line", "a JSON object", line) from error
    match record:
        case {"id": str(key), "image": str(image), "conversations": list(said)} if image:
            return Conversation(key, image, _turns(path, number, said))
    raise BadRow(path, number, "line", "an object with id, image and conversations", record)


def _turns(path: Path, number: int, said: list[object]) -> Turns:
    match said:
        case [
            {"from": "human", "value": str(ask)},
            {"from": "gpt", "value": str(score)},
            {"from": "human", "value": str(why)},
            {"from": "gpt", "value": str(reasons)},
        ] if ask.startswith(IMAGE) and sum(text.count(IMAGE) for text in (ask, score, why, reasons)) == 1:
            return ask, score, why, reasons
    expected = f"four turns (human, gpt, human, gpt), with {IMAGE} only at the start of the first turn"
    raise BadRow(path, number, "conversations", expected, said)

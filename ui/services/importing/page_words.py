"""Rewrite messages of imports so that they fit the import page.

The messages name options of the import command. The rewritten messages name the page's fields instead.
"""

import re
from collections.abc import Callable

FIELDS = {  # key: name in Capscope's own format; value: label of the field on the page
    "image": "Picture",
    "caption": "Caption",
    "system": "Captioner",
    "references": "References",
    "human": "Human judgement",
    "score": "Score",
    "explanation": "Explanation of the score",
    "id": "Id",
}
_SCALES = {"human": "human judgements", "score": "scores"}
_Match = re.Match[str]


def _field(found: _Match) -> str:
    return f"choose it under “{FIELDS.get(found[1], found[1])}”"


def _one_of(found: _Match) -> str:
    return f". Choose the field under “{FIELDS.get(found[1], found[1])}”. You can choose: "


def _scale(found: _Match) -> str:
    return f" (for another scale, change “Lowest and highest value of {_SCALES[found[1]]}”)"


_REWORDED: tuple[tuple[re.Pattern[str], str | Callable[[_Match], str]], ...] = tuple(
    (re.compile(pattern), words)
    for pattern, words in (
        (r"or your own columns, named by --column", "or your own columns, whose meanings you choose below"),
        (r"; or add --column (\w+)=FIELD, where FIELD is one of ", _one_of),
        (r"name it by --column (\w+)=COLUMN", _field),
        (r" \(for another scale: --(human|score)-scale LOW-HIGH\)", _scale),
        (r"add --keep COLUMN\.", "choose it under “Columns to keep as filters” before you import."),
        (r"\bremove --metric", "empty “Metric of the scores”"),
        (r"\bRemove --metric", "Empty “Metric of the scores”"),
        (r" together with --images FOLDER", " together with its ZIP file or picture folder"),
        (r" Check --images\.", " Choose the pictures again."),
        (r" Check the columns, and add these options: .*", " Check the columns above."),
    )
)


def page_words(text: str) -> str:
    """Return a message of an import in the words of the page.

    Options of the command are replaced by fields of the page.
    """
    for pattern, words in _REWORDED:
        text = pattern.sub(words, text)
    return text

"""How our own texts are written: no private idioms, and no sentence in a message that has to be read twice."""

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
CODE = sorted(
    path
    for folder in ("core", "storage", "ui", "capscope")
    for path in (ROOT / folder).rglob("*.py")
    if "migrations" not in path.parts
)
SCRIPTS = sorted(
    path
    for folder in ("analyse", "inspect", "regions", "rate", "studies", "shared", "plain_pages", "recorded")
    for path in (ROOT / "ui/static" / folder).rglob("*.js")
)
TEMPLATES = sorted((ROOT / "ui/web/templates").glob("*.html"))
PAGES = [
    *sorted((ROOT / "docs").rglob("*.md")),
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "SECURITY.md")),
]
LONGEST = 25  # words of a sentence in a message
FEWEST = 3  # words of a string that counts as a text
SCRIPT_TEXT = re.compile(r'/\*.*?\*/|//[^\n]*|"(?:[^"\\\n]|\\.)*"|`(?:[^`\\]|\\.)*`', re.DOTALL)

# What we do not write, and what we write instead.
IDIOMS = {
    r"\b(and|or|of) (its|the) like\b": "name the things",
    r"\bfor good\b": "permanently",
    r"\b(bears?|bore|borne|bearing) out\b": "supports, supported",
    r"\b(by the|own) word of\b": "according to",
    r"\bnobody's\b": "say to whom it does not belong",
    r"\bsay(s|ing)? nothing (itself )?(of|about)\b": "does not mention",
    r"\b(said|told) of\b": "what is stated about",
    r"\b(whoever|whomever|whosoever)\b": "name the person: the rater, the manager, the caller",
    r"\bwhatever\b": "name the thing, or: any",
    r"(?<!all )\bat once\b(?! more)": "immediately, or: together",
    r"\balike\b": "the same way, both",
    r"\b(come|comes|came) by\b": "gets",
    r"\blook(s|ed|ing)? after\b": "manages",
    r"\bnone such\b": "there is no ...",
    r"\b(came|comes|come) of\b(?! age)": "the result of",
    r"\bgo(es|ne)? on with\b": "continue",
    r"\blie(s)? apart\b": "differ",
    r"\bask(s|ed)? of (somebody|them|it|him|raters)\b": "ask somebody",
    r"\bleft alone\b": "unchanged",
    r"\bto be had\b": "available",
    r"\bin (its|their) own way\b": "say what differs",
    r"\bas much as to say\b": "which means",
    r"\b(wants|is wanted) of\b": "requires",
    r"\bstays? said\b": "is logged",
}

EXCEPTIONS = (
    "core/metrics/general_judge.py:",  # the prompt is a protocol
    "docs/reference/forms.md:",  # `at once` is a value of forms
    "storage/data/import_rules.py:",  # `alike` is a parameter
    "ui/services/analysis/calibrations.py:",  # "Cuts for good captions"
)


def python_texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of docstrings, comments, and strings of several words."""
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT or (token.type == tokenize.STRING and len(token.string.split()) >= FEWEST):
            yield token.start[0], token.string


def script_texts(source: str) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of comments, and of strings of several words."""
    for match in SCRIPT_TEXT.finditer(source):
        if match[0].startswith("/") or len(match[0].split()) >= FEWEST:
            yield source.count("\n", 0, match.start()) + 1, match[0]


def plain_lines(source: str) -> Iterator[tuple[int, str]]:
    """Yield (line, text) of a page."""
    yield from enumerate(source.splitlines(), 1)


def idioms(text: str) -> list[str]:
    """Return which idioms stand in a text, each with what to write instead."""
    return [f"{found[0]!r}: {better}" for idiom, better in IDIOMS.items() if (found := re.search(idiom, text, re.I))]


def with_idioms(path: Path) -> list[str]:
    """Return "file:line idiom" of a file's texts."""
    read = READERS.get(path.suffix, plain_lines)
    return [
        f"{path.relative_to(ROOT)}:{line} {idiom}"
        for line, text in read(path.read_text(encoding="utf-8"))
        for idiom in idioms(text)
    ]


READERS = {".py": python_texts, ".js": script_texts}


def sentences_of_messages(source: str) -> Iterator[tuple[int, str]]:
    """Yield (line, sentence) of what a file raises, with X for each value that is filled in."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Raise) and isinstance(node.exc, ast.Call):
            for argument in node.exc.args:
                yield from ((node.lineno, one) for one in re.split(r"(?<=[.!?:;])\s+", joined(argument)))


def joined(node: ast.expr) -> str:
    """Return the text of a string or an f-string; "" for other expressions."""
    if isinstance(node, ast.Constant) and isinstance(node.value, str):
        return node.value
    if isinstance(node, ast.JoinedStr):
        return "".join(joined(part) if isinstance(part, ast.Constant) else "X" for part in node.values)
    return ""


@pytest.mark.parametrize(
    "path", [*CODE, *SCRIPTS, *TEMPLATES, *PAGES], ids=lambda path: path.relative_to(ROOT).as_posix()
)
def test_a_text_is_free_of_idioms_that_strangers_stumble_over(path: Path) -> None:
    assert [one for one in with_idioms(path) if not any(part in one for part in EXCEPTIONS)] == []


def test_no_sentence_of_a_message_is_long() -> None:
    long = [
        f"{path.relative_to(ROOT)}:{line} {sentence}"
        for folder in ("core", "storage", "ui")
        for path in sorted((ROOT / folder).rglob("*.py"))
        for line, sentence in sentences_of_messages(path.read_text(encoding="utf-8"))
        if len(sentence.split()) > LONGEST
    ]
    assert long == []


@pytest.mark.parametrize(
    "text", ["Gold and its like.", "It stays said for good.", "Whoever comes by it", "They lie apart."]
)
def test_an_idiom_is_found(text: str) -> None:
    assert idioms(text)


def test_a_long_sentence_of_a_message_is_found() -> None:
    source = 'raise ValueError(f"{name} ' + "word " * LONGEST + '")'
    assert [len(sentence.split()) for _, sentence in sentences_of_messages(source)] == [LONGEST + 1]

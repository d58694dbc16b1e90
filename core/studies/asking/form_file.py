"""Read forms from TOML. Errors state the line, the expected value and the found value."""

import hashlib
import re
import tomllib
from collections.abc import Iterator
from dataclasses import replace
from functools import lru_cache
from pathlib import Path
from string import Formatter
from typing import get_args

from core.errors import BadFile, BadForm, BadSetting
from core.studies.asking.criteria import (
    ABSTAIN,
    FEWEST_POINTS,
    MOST_POINTS,
    NO_PICTURE,
    UNSEEN,
    Criterion,
    Guideline,
)
from core.studies.asking.form import (
    LAYOUTS,
    PLACEHOLDERS,
    Divided,
    Evidence,
    Form,
    Hints,
    Introduction,
    Rates,
    Shows,
)
from core.studies.asking.form_before_items import read_check, read_entry, read_example
from core.studies.asking.form_section import LONGEST_KEY, Section
from core.studies.asking.form_words import FormWords

LARGEST = 100_000  # maximum bytes of a form
MOST_CRITERIA = 20
# Refuse names with many parts (a.b.c.d...), because tomllib blocks for minutes on some ten thousand parts.
_PART = r"""(?>[^\s.=,"'\[\]{}]+|"[^"\n]*"|'[^'\n]*')"""
_CHAIN = re.compile(rf"""(?<![^\s.=,"'\[\]{{}}]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{32}}""")
LONGEST_WORDS = 300  # maximum characters of a sentence in the form's own language
_OWN_WORDS = ("up_to", "picture", "pictures", "some_pictures", "no_pictures", "evaluator", "no_picture") + (
    "all_missing",
    "most_missing",
    "some_missing",
)
_HOLDS = {  # key: text of the form; value: placeholders that the text must contain
    "criteria": ("{number}",),
    "up_to": ("{number}",),
    "pictures": ("{number}",),
    "some_pictures": ("{items}", "{number}"),
    "no_pictures": ("{items}",),
    "evaluator": ("{number}",),
}


def read_form_file(path: Path) -> Form:
    """Read a form. Raises BadFile, BadForm."""
    try:
        size = path.stat().st_size
        text = path.read_text(encoding="utf-8") if size <= LARGEST else ""
    except OSError as error:
        raise BadFile(path, f"the form cannot be read ({error.strerror})") from error
    except UnicodeDecodeError as error:
        raise BadFile(path, f"the form is not UTF-8 (byte {error.start})") from error
    if size > LARGEST:
        raise BadFile(path, f"a form may have at most {LARGEST:,} bytes, found {size:,}")
    return read_form(text, path.name)


@lru_cache(maxsize=64)
def read_form(text: str, name: str = "form.toml", is_new: bool = True) -> Form:
    """Read a form from its file's text. Raises BadForm.

    name: the file's name in errors. is_new: refuse open questions that look like choices. Stored forms of older studies
    may have such questions.
    """
    if len(text.encode(errors="replace")) > LARGEST:
        raise BadForm(name, None, "the file", f"at most {LARGEST:,} bytes", len(text))
    if chain := _CHAIN.search(text):
        raise BadForm(name, text.count("\n", 0, chain.start()) + 1, "the file", "names with few dots", chain[0][:60])
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # numbers with thousands of digits do not raise TOMLDecodeError
        line = re.search(r"line (\d+)", str(error))
        raise BadForm(name, int(line[1]) if line else None, "the file", "TOML", str(error)) from error
    return _form(Section(values, name, text), is_new)


def _form(file: Section, is_new: bool) -> Form:
    evidence = _evidence(file.section("evidence")) if file.has("evidence") else None
    introduction = _introduction(file.section("introduction"))
    unseen = UNSEEN if introduction.words is None else introduction.words.unseen
    criteria = tuple(_criterion(section, unseen) for section in file.sections("criteria"))
    form = Form(
        key=file.name("key"),
        title=file.words("title", longest=120),
        source=file.words("source", ""),
        layout=file.choice("layout", LAYOUTS),
        rates=file.choice("rates", get_args(Rates), "explanation"),
        shows=_shows(file.section("shows")),
        introduction=introduction,
        criteria=criteria,
        evidence=evidence,
        text=file._text,
        sha256=hashlib.sha256(file._text.encode()).hexdigest(),
        entry=read_entry(file.section("entry"), is_new),
        check=read_check(file.sections("check")),
        practice_until_right=_practice(file.section("practice")),
    )
    example = read_example(file.section("example"), form) if file.has("example") else None
    file.end()
    for key, expected, found in _contradictions(form):
        raise file.bad(key, expected, found)
    return replace(form, example=example)


def _contradictions(form: Form) -> Iterator[tuple[str, str, str]]:
    """Yield each contradiction: its position, the expected value and the found value."""
    keys = [criterion.key for criterion in form.criteria]
    if len(set(keys)) < len(keys):
        yield "criteria", "a different key for each criterion", ", ".join(keys)
    if len(keys) > MOST_CRITERIA or not (keys or form.evidence):
        yield "criteria", f"1 to {MOST_CRITERIA} criteria, or evidence questions", str(len(keys))
    if form.rates == "caption" and (form.shows.score or form.shows.explanation or form.evidence):
        yield "rates", "no score and no explanation in shows, because raters rate the caption", "one that does"
    if form.evidence and (form.layout != "single" or not form.shows.explanation):
        yield "evidence", 'layout = "single" and shown explanations, because evidence questions need both', form.layout
    if form.compares and form.layout != "side_by_side":
        yield "layout", "side_by_side, because a criterion compares two captions or explanations", form.layout
    if form.rates == "caption" and form.layout == "side_by_side" and not form.compares:
        yield "layout", "single, or a criterion that compares the captions", form.layout
    if form.shows.veil and not any(criterion.without_image for criterion in form.criteria):
        yield "shows", "a criterion with without_image = true, because the picture is hidden until its answer", "none"


def _shows(table: Section) -> Shows:
    shows = Shows(
        score=table.flag("score", True),
        explanation=table.flag("explanation", True),
        references=table.flag("references"),
        regions=table.flag("regions"),
        veil=table.choice("picture", ("at once", "veiled"), "at once") == "veiled",
    )
    table.end()
    return shows


def _introduction(table: Section) -> Introduction:
    divided = table.section("divided")
    kinds: tuple[Divided, ...] = get_args(Divided)
    texts = tuple((kind, divided.words(kind, "")) for kind in kinds)
    divided.end()
    words = _form_words(table.section("words")) if table.has("words") else None
    without = table.texts("without_pictures") if table.has("without_pictures") else ()
    found = Introduction(table.words("greeting", "Welcome!"), table.texts("paragraphs"), texts, words, without)
    paragraphs = [("paragraphs", n, text) for n, text in enumerate(found.paragraphs, 1)]
    paragraphs += [("without_pictures", n, text) for n, text in enumerate(found.without_pictures, 1)]
    needed = ("pictures", "some_pictures", "no_pictures")
    for key, place, text in paragraphs:
        try:
            names = {
                f"{name}{spec}{turned or ''}" for _, name, spec, turned in Formatter().parse(text) if name is not None
            }
        except ValueError as error:
            raise table.bad(key, f"braces only around a placeholder, in paragraph {place}", error) from error
        for name in sorted(names - set(PLACEHOLDERS)):
            raise table.bad(key, f"one of {', '.join(f'{{{p}}}' for p in PLACEHOLDERS)}", f"{{{name}}}")
        if "pictures" in names and words is not None and not all(getattr(words, name) for name in needed):
            raise table.bad("words", f"{', '.join(needed)}, for {{pictures}} in paragraph {place}", "not all of them")
    table.end()
    return found


def _form_words(table: Section) -> FormWords:
    own = {name: table.words(name, "", longest=LONGEST_WORDS) for name in _OWN_WORDS}
    words = FormWords(
        criterion=table.words("criterion", longest=LONGEST_KEY),
        criteria=table.words("criteria", longest=LONGEST_KEY),
        conjunction=table.words("and", longest=LONGEST_KEY),
        **own,
    )
    for name, text in (("criteria", words.criteria), *own.items()):
        if text and any(placeholder not in text for placeholder in _HOLDS.get(name, ())):
            raise table.bad(name, f"text with {' and '.join(_HOLDS[name])}", text)
    table.end()
    return words


def _practice(table: Section) -> bool:
    until_right = table.flag("until_right")
    table.end()
    return until_right


def _evidence(table: Section) -> Evidence:
    hints: tuple[Hints, ...] = get_args(Hints)
    evidence = Evidence(table.choice("hints", hints, "never"))
    table.end()
    return evidence


def _criterion(table: Section, no_picture: Guideline) -> Criterion:
    key = table.name("key")
    points = [_guideline(section, n) for n, section in enumerate(table.sections("points"), 1)]
    if not FEWEST_POINTS <= len(points) <= MOST_POINTS:
        raise table.bad("points", f"{FEWEST_POINTS} to {MOST_POINTS} points, the worst first", len(points))
    if table.has("abstain"):
        points.append(_guideline(table.section("abstain"), ABSTAIN))
    without_image, needs_picture = table.flag("without_image"), table.flag("needs_picture", True)
    unseen = no_picture if needs_picture and not without_image else None
    if table.has("no_picture"):
        unseen = _guideline(table.section("no_picture"), NO_PICTURE)
    try:
        criterion = Criterion(
            key=key,
            name=table.words("name", longest=LONGEST_KEY),
            question=table.words("question"),
            guidelines=tuple(points),
            without_image=without_image,
            unseen=unseen,
            needs_picture=needs_picture,
            compares=table.flag("compares"),
        )
    except BadSetting as error:
        raise table.bad("", "a scale", error) from error
    table.end()
    return criterion


def _guideline(table: Section, point: int) -> Guideline:
    guideline = Guideline(point, table.words("text"))
    short = table.words("short", "")
    if short.casefold() not in guideline.text.casefold():
        raise table.bad(
            "short",
            (f"words that occur in the point's text ({guideline.text[:80]!r}); upper and lower case do not matter"),
            short,
        )
    table.end()
    return replace(guideline, short=short)

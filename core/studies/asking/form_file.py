"""Read forms (a study's questions) from TOML: Capscope's own, which are files of core/studies/forms, and others.

Errors state the line, the expected value and the found value.
"""

import hashlib
import re
import tomllib
from dataclasses import dataclass, fields
from functools import lru_cache
from pathlib import Path
from typing import Annotated

from pydantic import AfterValidator, ValidationError, ValidationInfo

from core.errors import BadFile, BadForm, BadForms, BadSetting, NotFound
from core.foreign_values import complaints, counted, reader, text, wrong
from core.studies.asking.criteria import ABSTAIN, FEWEST_POINTS, MOST_POINTS, NO_PICTURE, UNSEEN, Criterion, Guideline
from core.studies.asking.file_values import LARGEST, PRINTABLE, Flag, Key, Lines, OptionalWords, Short, Words
from core.studies.asking.form import Form, FormHead, contradictions
from core.studies.asking.questionnaire import LONGEST_CONSENT, Question, Questionnaire, questions_of
from core.studies.asking.toml_lines import line_of

FOLDER = Path(__file__).parents[1] / "forms"
FIRST = ("expert-single", "expert-side-by-side")
# Names with many parts (a.b.c.d...) are refused, because tomllib needs minutes for some ten thousand parts.
_PART = r"""(?>[^\s.=,"'\[\]{}]+|"[^"\n]*"|'[^'\n]*')"""
_CHAIN = re.compile(rf"""(?<![^\s.=,"'\[\]{{}}]){_PART}(?:[ \t]*+\.[ \t]*+{_PART}){{32}}""")


def read_form_file(path: Path) -> Form:
    """Return the form in a file. Raises BadFile, BadForm."""
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
def read_form(text: str, name: str = "form.toml") -> Form:
    """Return the form in a file's text. Raises BadForm. name: the file's name in errors."""
    if len(text.encode(errors="replace")) > LARGEST:
        raise BadForm(name, None, "the file", f"at most {LARGEST:,} bytes", len(text))
    if chain := _CHAIN.search(text):
        raise BadForm(name, text.count("\n", 0, chain.start()) + 1, "the file", "names with few dots", chain[0][:60])
    try:
        values = tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # numbers with thousands of digits raise ValueError
        line = re.search(r"line (\d+)", str(error))
        raise BadForm(name, int(line[1]) if line else None, "the file", "TOML", str(error)) from error
    try:
        form = _form(reader(FormFields).validate_python(values), text)
        found = tuple(contradictions(form))
    except ValidationError as error:
        found = complaints(error)
    bad = [BadForm(name, line_of(text, one.place), one.field, one.expected, one.found) for one in found]
    if bad:
        bad.sort(key=lambda one: one.line or 0)
        raise bad[0] if len(bad) == 1 else BadForms(bad)
    return form


@lru_cache(maxsize=1)
def shipped_forms() -> tuple[Form, ...]:
    """Return all forms that come with Capscope: EXPERT's forms first, the others by title."""
    forms = [read_form_file(path) for path in FOLDER.glob("*.toml")]
    return tuple(sorted(forms, key=lambda form: (FIRST.index(form.key) if form.key in FIRST else 99, form.title)))


def form_named(key: str) -> Form:
    """Return Capscope's form with this key. Raises NotFound with the existing keys."""
    for form in shipped_forms():
        if form.key == key:
            return form
    raise NotFound(f"There is no form {key!r}. Forms: {', '.join(form.key for form in shipped_forms())}.")


def _questions(lines: Lines) -> tuple[Question, ...]:
    return tuple(question for line in lines for question in questions_of(line))


def _readable(lines: Lines) -> Lines:
    try:
        Questionnaire(before=_questions(lines))
    except BadSetting as error:
        raise wrong("questions as lines", error) from error
    return lines


def _of_text(short: str, info: ValidationInfo) -> str:
    text = info.data.get("text", short)  # if `text` is invalid, `info.data` does not contain it
    if short.casefold() not in text.casefold():
        raise wrong(f"words from the point's own text ({text[:80]!r}), in upper or lower case", short)
    return short


_Questions = Annotated[Lines, AfterValidator(_readable)]


@dataclass(frozen=True, slots=True)
class EntryFields:
    """The TOML table `entry` of a form's file: consent and questions."""

    consent: Annotated[str, text(LONGEST_CONSENT, may_be_empty=True), PRINTABLE] = ""
    before: _Questions = ()
    after: _Questions = ()


@dataclass(frozen=True, slots=True)
class PointFields:
    """The TOML table of one point of a criterion. Its position in the list is the point's number."""

    text: Words
    short: Annotated[OptionalWords, AfterValidator(_of_text)] = ""

    def guideline(self, point: int) -> Guideline:
        """Return the text of this point of the scale as a guideline.

        point: the point's number.
        """
        return Guideline(point, self.text, self.short)


@dataclass(frozen=True, slots=True)
class CriterionFields:
    """The TOML table of a criterion."""

    key: Key
    name: Short
    question: Words
    points: Annotated[tuple[PointFields, ...], counted(FEWEST_POINTS, MOST_POINTS, "points, the worst first")]
    abstain: PointFields | None = None
    no_picture: PointFields | None = None
    without_image: Flag = False
    needs_picture: Flag = True
    compares: Flag = False

    def criterion(self, unseen: Guideline) -> Criterion:
        """Return the criterion that this table describes.

        unseen: the answer with which raters say that the picture is missing.
        """
        guidelines = [one.guideline(point) for point, one in enumerate(self.points, 1)]
        if self.abstain is not None:
            guidelines.append(self.abstain.guideline(ABSTAIN))
        own = unseen if self.needs_picture and not self.without_image else None
        unseen_point = own if self.no_picture is None else self.no_picture.guideline(NO_PICTURE)
        points, asked = tuple(guidelines), (self.without_image, unseen_point, self.needs_picture, self.compares)
        return Criterion(self.key, self.name, self.question, points, *asked)


@dataclass(frozen=True, slots=True, kw_only=True)
class FormFields(FormHead):
    """The content of a form's file."""

    criteria: tuple[CriterionFields, ...] = ()
    entry: EntryFields = EntryFields()


def _form(file: FormFields, text: str) -> Form:
    words, entry = file.introduction.words, file.entry
    unseen = UNSEEN if words is None else words.unseen
    return Form(
        **{field.name: getattr(file, field.name) for field in fields(FormHead)},
        criteria=tuple(criterion.criterion(unseen) for criterion in file.criteria),
        text=text,
        sha256=hashlib.sha256(text.encode()).hexdigest(),
        entry=Questionnaire(entry.consent, _questions(entry.before), _questions(entry.after)),
    )

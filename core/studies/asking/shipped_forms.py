"""The forms that come with Capscope: each file of core/studies/forms is a form."""

from functools import lru_cache
from pathlib import Path

from core.errors import NotFound
from core.studies.asking.form import Form
from core.studies.asking.form_file import read_form_file

FOLDER = Path(__file__).parents[1] / "forms"
LAYOUT_NAMES = {"single": "expert-single", "side_by_side": "expert-side-by-side", "side-by-side": "expert-side-by-side"}
"""Short names that studies used for EXPERT's forms when Capscope had no other forms."""


@lru_cache(maxsize=1)
def shipped_forms() -> tuple[Form, ...]:
    """Return all forms that come with Capscope: EXPERT's form first, the others by title."""
    forms = [read_form_file(path) for path in FOLDER.glob("*.toml")]
    first = list(LAYOUT_NAMES.values())
    return tuple(sorted(forms, key=lambda form: (first.index(form.key) if form.key in first else 99, form.title)))


def form_named(name: str) -> Form:
    """Return the form with this key. Raises NotFound with the existing keys."""
    key = LAYOUT_NAMES.get(name, name)
    for form in shipped_forms():
        if form.key == key:
            return form
    raise NotFound(f"There is no form {name!r}. Forms: {', '.join(form.key for form in shipped_forms())}.")

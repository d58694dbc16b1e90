"""Texts that a study's manager can use unchanged or edit: a consent, and comprehension questions.

Three questions check whether raters understood the task. They are offered only for forms whose words are English.
"""

import json
from dataclasses import replace

from core.errors import BadSetting
from core.studies.asking.comprehension import CheckQuestion
from core.studies.asking.criteria import Criterion
from core.studies.asking.form import Form
from core.studies.asking.form_file import read_form
from core.studies.asking.questionnaire import LONGEST_TEXT

CONSENT = """\
You take part in a research study. You look at pictures with texts about them, and you answer questions about these \
texts.

Taking part is voluntary. You may stop at any moment without giving a reason.

We store your answers and when you gave them. If a recruitment platform sent you, we also store your id there, apart \
from your answers. We do not ask for your name. We may publish the answers, but never your id.

If you are at least 18 years old, have read this text and want to take part, agree below."""
_REPORT = CheckQuestion(
    "Something is wrong with an item, for example its picture is missing. What do you do?",
    ("I choose any answer and go on.", "I open “Something is wrong” and report it."),
    "I open “Something is wrong” and report it.",
    "A report tells us what is wrong, and you can skip the item. A random answer spoils the study.",
)


def ready_check(form: Form) -> tuple[CheckQuestion, ...]:
    """Return three questions about a form's task, or two if a criterion's texts are too long for a question.

    Returns () if the form has comprehension questions of its own, or is not in English.
    """
    if form.check or form.introduction.words is not None:
        return ()
    questions = (_what_is_judged(form), _about_a_criterion(form), _REPORT)
    return tuple(one for one in questions if max(map(len, (one.question, *one.choices))) <= LONGEST_TEXT)


def with_ready_check(form: Form) -> Form:
    """Return a form with three questions about its task added to its text. Raises BadSetting, BadForm."""
    questions = ready_check(form)
    if not questions:
        raise BadSetting(
            f"The form {form.key} has its own comprehension check or is not in English, so Capscope has no questions "
            "for it. Leave out the ready-made questions."
        )
    added = read_form(form.text.rstrip("\n") + "\n" + "".join(map(_block, questions)))
    return replace(added, criteria=form.criteria)


def _what_is_judged(form: Form) -> CheckQuestion:
    if form.rates == "caption":
        right, wrong = "How good the captions are", "How good the pictures are"
        why = "The picture only shows what a caption should describe. You judge the captions."
    elif form.shows.score:
        right, wrong = "How good the explanations of the scores are", "Whether I agree with the scores"
        why = "A score may be wrong. You judge how good its explanation is."
    else:
        right, wrong = "How good the explanations are", "How good the captions are"
        why = "You judge the explanation. The caption itself is not judged."
    return CheckQuestion("What do you judge in this study?", (wrong, right), right, why)


def _about_a_criterion(form: Form) -> CheckQuestion:
    first = form.criteria[0]
    others = tuple(dict.fromkeys(one.question for one in form.criteria[1:3] if one.question != first.question))
    if others:
        return CheckQuestion(
            f"What does the question “{first.name}” ask?",
            (first.question, *others),
            first.question,
            f"{first.name}: {first.question}",
        )
    return _about_the_scale(first)


def _about_the_scale(criterion: Criterion) -> CheckQuestion:
    points = [guideline for guideline in criterion.guidelines if guideline.point > 0]
    lowest, highest = (f"{one.point}: {one.short or one.text}" for one in (points[0], points[-1]))
    if criterion.compares:
        question = f"“{criterion.name}”: the second of the two texts is much better. Which answer do you give?"
    else:
        question = f"“{criterion.name}”: which answer is the best one?"
    return CheckQuestion(question, (lowest, highest), highest, f"{criterion.question} The best answer is {highest}.")


def _block(question: CheckQuestion) -> str:
    """Return a question as a TOML table for a form's file."""
    values = {
        "question": question.question,
        "choices": list(question.choices),
        "right": question.right,
        "why": question.why,
    }
    lines = (f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in values.items())
    return "\n[[check]]\n" + "\n".join(lines) + "\n"

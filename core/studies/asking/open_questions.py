"""Detect open questions that look like choices or a range.

The author of such a question probably wants some answers to exclude a rater. But no answer to an open question can
exclude a rater.
"""

import re

_NUMBER = r"-?\d{1,15}(?:\.\d{1,15})?"
_DOTTED = re.compile(rf"({_NUMBER})\s*(?:\.{{2,3}}|…)\s*({_NUMBER})")
_DASHED = re.compile(rf"({_NUMBER})\s*[-‐‑–—]\s*(\d{{1,15}}(?:\.\d{{1,15}})?)")
_ASIDE = re.compile(r"[(\[]([^()\[\]]*)[)\]]")
_SIGN = re.compile(r"\s*[/|,;]\s*")  # between choices
_OR = re.compile(r"\s*(?:,\s*)?\b(?:or|oder|ou|o)\b\s*", re.IGNORECASE)
_YES_NO = re.compile(r"\b(?:yes|ja|oui|s[ií])\b\W+(?:(?:or|oder|ou|o)\W+)?(?:no|nein|non)\b", re.IGNORECASE)
_LONGEST_CHOICE = 3  # maximum number of words in a choice, such as "yes" in "yes or no"; a longer text is a sentence
_EXAMPLE = "Are you a native speaker? = yes / no! (The ! excludes raters who choose “no”.)"
_LONGEST_EXAMPLE = 200


def looks_closed(text: str) -> str | None:
    """Return what an open question looks like (choices or a range), and how to write it correctly.

    Returns None if it looks like an open question.
    """
    question, answers, is_aside = _split(text)
    span = _DOTTED.search(text) or _last_dashed(text, answers)
    if span is not None and float(span[1]) < float(span[2]):
        left = _without(text, span)
        return _refusal("a range of numbers", left, f"{span[1]}..{span[2]}", f'write "{span[1]} to {span[2]}"')
    by_sign, by_or = _parts(_SIGN, answers), _parts(_OR, answers)
    screens = answers.endswith("!") or any(part.endswith("!") for part in by_sign)
    if " / " in answers or ("/" in answers and (question or screens)):
        return _refusal("choices", question, " / ".join(by_sign), 'write "or" instead of "/"')
    if (question or is_aside) and screens and len(by_sign) > 1:
        return _refusal("choices", question, " / ".join(by_sign), 'remove the "!"')
    is_short = all(len(part.split()) <= (_LONGEST_CHOICE if question else 1) for part in by_or)
    if len(by_or) > 1 and is_short and any(part.endswith("!") for part in by_or):
        return _refusal("choices", question, " / ".join(by_or), 'remove the "!"')
    return None


def closed_hint(text: str) -> str:
    """Return how to write choices or a range, if an open question may be meant as one; otherwise ""."""
    question, answers, _ = _split(text)
    choices = _parts(_OR, answers)
    if question and len(choices) > 1 and all(0 < len(part.split()) <= _LONGEST_CHOICE for part in choices):
        return f". For choices, write: {_example(question, ' / '.join(choices))}"
    if _YES_NO.search(text):
        return f". For choices, write for example: {_EXAMPLE}"
    if span := _DASHED.search(text) or re.search(rf"({_NUMBER})\s*(?:to|bis)\s*({_NUMBER})", text):
        return f". For a number, write: {_example(_without(text, span), f'{span[1]}..{span[2]}')}"
    return ""


def _split(text: str) -> tuple[str, str, bool]:
    """Split a line into a question and its answers.

    The answers are the text after the question, or the text in brackets. Also returns whether they are in brackets. The
    question is "" if it is not clear where it ends.
    """
    for aside in reversed(list(_ASIDE.finditer(text))):
        within = aside[1].strip()
        if "!" in within and (_SIGN.search(within) or _OR.search(within)):
            return _without(text, aside), within, True
    bare = _ASIDE.sub("", text)
    cut = max(bare.rfind(mark) for mark in "?:=") + 1  # index after the question's end; 0: no end found
    return bare[:cut].rstrip("= "), bare[cut:].strip(), False


def _last_dashed(text: str, answers: str) -> re.Match[str] | None:
    """Return a range such as "18-99" at the end of a question.

    The range may stand after the question or in brackets.
    """
    spans = [span for span in _DASHED.finditer(text) if not re.sub(r"[\])?.:\s]", "", text[span.end() :])]
    if not spans:
        return None
    is_in_brackets = text[: spans[-1].start()].rstrip().endswith(("(", "["))
    ends_there = not text.rstrip().endswith("?")
    return spans[-1] if is_in_brackets or ends_there or _DASHED.fullmatch(answers) else None


def _without(text: str, span: re.Match[str]) -> str:
    """Return a question without the answers in it, and without the brackets around them.

    span: the position of the answers.
    """
    left = re.sub(r"[(\[]\s*[)\]]", "", text[: span.start()] + text[span.end() :])
    left = re.sub(r",\s*(?=,)", "", re.sub(r"\s+", " ", left))
    return re.sub(r"[\s,;]+(?=[?:.]|$)", "", left).strip(" =")


def _parts(between: re.Pattern[str], answers: str) -> list[str]:
    return [part.strip() for part in between.split(answers)]


def _example(question: str, answers: str) -> str:
    return f"{question} = {answers}"[:_LONGEST_EXAMPLE] if question else _EXAMPLE


def _refusal(what: str, question: str, answers: str, otherwise: str) -> str:
    return (
        f'looks like {what}, but has no " = " before the answers. For choices, write for example: '
        f"{_example(question, answers)} If raters should answer in words, {otherwise}."
    )

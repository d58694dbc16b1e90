"""The verdicts that raters can give on a sentence of an explanation: right, wrong and others."""

from typing import Literal

Verdict = Literal[
    "right", "wrong", "unclear", "beside"
]  # in the order of the digit keys; beside: not about the picture

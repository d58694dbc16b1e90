"""The verdicts that raters can give on a sentence of an explanation: right, wrong and others."""

from typing import Literal

Verdict = Literal[
    "right", "wrong", "unclear", "beside"
]  # verdicts in the order of their digit keys; "beside" means "not about the picture"

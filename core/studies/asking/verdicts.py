"""The verdicts on a sentence of an explanation."""

from typing import Literal

Verdict = Literal["right", "wrong", "unclear", "beside"]  # in the order of their digit keys

"""Possible judgements of a sentence of an explanation."""

from typing import Literal

Verdict = Literal["right", "wrong", "unclear", "beside"]  # in the order of the digit keys

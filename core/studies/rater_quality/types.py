"""The roles of a study's items."""

from typing import Literal

Role = Literal["item", "gold", "training"]

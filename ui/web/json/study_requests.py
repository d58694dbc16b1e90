"""The stamp that a page sends with changed settings."""

from typing import Annotated

from pydantic import Field

Stamp = Annotated[str, Field(max_length=40, pattern=r"^[\w-]+$")]  # version of the settings that the sender read

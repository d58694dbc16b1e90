"""The JSON routes under the pages. Ids, never paths; every route checks what the asker may see."""

from typing import Annotated

from fastapi import Path, Query

LARGEST_ID = 2**63 - 1  # of a row in the database
Id = Annotated[int, Path(ge=1, le=LARGEST_ID)]
Place = Annotated[int, Query(ge=1, le=1_000_000)]  # of an item in a rater's order, or how many items

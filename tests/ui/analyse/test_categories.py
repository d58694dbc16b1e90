import numpy as np

from tests.core.tables import NAN, table_of
from ui.services.analysis.categories import categories

CAPTIONS = [
    *("a red dog", "two dogs run", "one two three four five six seven", "a dog", "a b c d e f g h i j k l m n o p q"),
]
TABLE = table_of(
    {"M": [0.5, 1.0, 2.0, NAN, 1.0]},
    [0.0, 0.5, 1.0, 0.5, NAN],
    [(1,), (2,), (4,), (2,), ()],
    caption=CAPTIONS,
    captioner=["b", "b", "a", None, None],
)


def test_samples_are_cut_by_captioner_level_length_words_and_code() -> None:
    every = categories(TABLE, [("others",), (), ("grammar", "others"), (), ()])
    found = {(facet, name): np.flatnonzero(mask).tolist() for facet, name, mask in every if mask.any()}
    assert found == {
        ("captioner", "a"): [2],
        ("captioner", "b"): [0, 1],
        ("human level", "1"): [0],
        ("human level", "2"): [1, 3],
        ("human level", "4"): [2],
        ("caption length", "1–6 words"): [0, 1, 3],
        ("caption length", "7–9 words"): [2],
        ("caption length", "17 or more words"): [4],
        ("kind of words", "number"): [1, 2],
        ("kind of words", "colour"): [0],
        ("kind of words", "none of these"): [3, 4],
        ("error code", "grammar"): [2],
        ("error code", "others"): [0, 2],
    }

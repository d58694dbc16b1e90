"""English nouns in the singular, by plain suffix rules: enough to compare words, not to print them."""

IRREGULAR = {
    "men": "man", "women": "woman", "children": "child", "people": "people", "feet": "foot", "teeth": "tooth",
    "geese": "goose", "mice": "mouse", "leaves": "leaf", "knives": "knife", "shelves": "shelf", "loaves": "loaf",
    "halves": "half", "wolves": "wolf", "calves": "calf", "scarves": "scarf", "hooves": "hoof", "buses": "bus",
    "glasses": "glass", "skis": "ski", "gas": "gas", "lens": "lens", "has": "has", "his": "his", "this": "this",
    "movies": "movie", "cookies": "cookie", "ties": "tie", "pies": "pie", "hoodies": "hoodie", "veggies": "veggie",
}  # fmt: skip
KEPT_ENDINGS = ("ss", "us", "is")
SIBILANT_ENDINGS = ("ches", "shes", "xes", "sses", "zzes")


def singular(word: str) -> str:
    """Return the singular of a lower-case English noun by its ending; other words mostly stay as they are."""
    if word in IRREGULAR or len(word) < 4 or not word.endswith("s") or word.endswith(KEPT_ENDINGS):
        return IRREGULAR.get(word, word)
    if word.endswith("ies"):
        return word[:-3] + "y"
    return word[:-2] if word.endswith(SIBILANT_ENDINGS) else word[:-1]

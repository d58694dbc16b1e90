// What the numbers within a HICE-S or RefHICE-S score mean, in plain words after Zeng et al. 2024, sections 3.2 and 3.3.

const HICE = {
  gITC: "Global image–text consistency: how well the caption as a whole fits the picture as a whole.",
  lITC:
    "Local image–text consistency: how well the caption’s phrases and the picture’s regions account for each other; the harmonic mean of precision and recall, low as soon as one of them is.",
  precision:
    "Is what the caption says in the picture? Each phrase’s likeness to its nearest region, averaged over the phrases. Low where something is made up.",
  recall:
    "Is what the picture shows in the caption? Each region’s likeness to its nearest phrase, averaged over the regions. Low where something is left out.",
  gTTC: "Global text–text consistency: how like the caption as a whole is to the most similar reference.",
  lTTC:
    "Local text–text consistency: how like the caption’s phrases are to those of the references; the harmonic mean of reference_precision and reference_recall.",
  reference_precision:
    "Is what the caption says in the references? Each of its phrases’ likeness to the nearest reference phrase, averaged.",
  reference_recall:
    "Is what the references say in the caption? Each reference phrase’s likeness to the caption’s nearest phrase, averaged.",
  phrase_fallback:
    "1 where the caption says nothing about how things are or relate, so that its single nouns, or all of it, stood in for phrases.",
};

/** Meanings by name of the component; none for other metrics, which may use the same names for something else. */
export function meaningsOf(components) {
  return "gITC" in components ? HICE : {};
}

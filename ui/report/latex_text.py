"""Escape text for pdflatex and measure its width."""

import unicodedata

_WRITTEN = {
    "\\": "\\textbackslash{}", "{": "\\{", "}": "\\}", "&": "\\&", "%": "\\%", "$": "\\$", "#": "\\#", "_": "\\_",
    "~": "\\textasciitilde{}", "^": "\\textasciicircum{}", "|": "\\textbar{}", "<": "\\textless{}",
    ">": "\\textgreater{}", '"': "''", "−": "$-$", "±": "$\\pm$", "×": "$\\times$", "·": "$\\cdot$",
    "≤": "$\\leq$", "≥": "$\\geq$", "≠": "$\\neq$", "≈": "$\\approx$", "→": "$\\to$", "∞": "$\\infty$",
    "…": "\\ldots{}", "\u00a0": "~", "“": "``", "”": "''", "„": ",,", "‘": "`", "’": "'", "–": "--", "—": "---",
    "«": "$\\ll$", "»": "$\\gg$", "°": "$^\\circ$", "²": "$^2$", "³": "$^3$", "ß": "\\ss{}", "æ": "\\ae{}",
    "Æ": "\\AE{}", "œ": "\\oe{}", "Œ": "\\OE{}", "ø": "\\o{}", "Ø": "\\O{}", "ł": "\\l{}", "Ł": "\\L{}", "ı": "\\i{}",
    "½": "1/2", "ς": "$\\varsigma$",
}  # fmt: skip
_ACCENTS = {
    "\u0300": "\\`", "\u0301": "\\'", "\u0302": "\\^", "\u0303": "\\~", "\u0304": "\\=", "\u0306": "\\u",
    "\u0307": "\\.", "\u0308": '\\"', "\u030a": "\\r", "\u030b": "\\H", "\u030c": "\\v", "\u0327": "\\c",
}  # fmt: skip
_GREEK_NAMES = (
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi pi rho sigma tau upsilon phi chi psi "
    "omega Gamma Delta Theta Lambda Xi Pi Sigma Upsilon Phi Psi Omega"
)
_GREEK = dict(zip("αβγδεζηθικλμνξπρστυφχψωΓΔΘΛΞΠΣΥΦΨΩ", _GREEK_NAMES.split(), strict=True))
_LOOKS_LATIN = dict(zip("ΑΒΕΖΗΙΚΜΝΟΡΤΧο", "ABEZHIKMNOPTXo", strict=True))

# Widths of letters in points at \footnotesize (8 pt), slightly larger than those of Computer Modern.
_WIDTHS = {letter: width for letters, width in (
    (" ijl.,:;'|!", 3.0), ("frtI()[]-", 3.7), ("0123456789", 4.4), ("mwMW%", 8.8),
) for letter in letters}  # fmt: skip
_SMALL, _CAPITAL, _OTHER, _CODE_POINT = 5.0, 6.8, 7.2, 36.0


def escaped(text: str) -> str:
    """Return text as LaTeX. A character that pdflatex lacks becomes its code point, "[U+4E2D]"."""
    return "".join(map(_letter, " ".join(text.split())))


def width(text: str) -> float:
    """Return a text's approximate width on one line at \\footnotesize, in points.

    The result is never smaller than the real width.
    """
    return sum(map(_width, " ".join(text.split())))


def _letter(letter: str) -> str:
    if letter in _WRITTEN:
        return _WRITTEN[letter]
    if letter.isascii():
        return letter if letter.isprintable() else ""
    if letter in _LOOKS_LATIN:
        return _LOOKS_LATIN[letter]
    if letter in _GREEK:
        return f"$\\{_GREEK[letter]}$"
    base, accent = unicodedata.normalize("NFD", letter)[:1], unicodedata.normalize("NFD", letter)[1:]
    if base.isascii() and accent in _ACCENTS:
        return f"{_ACCENTS[accent]}{{{base}}}"
    return f"[U+{ord(letter):04X}]"


def _width(letter: str) -> float:
    if letter in _WIDTHS:
        return _WIDTHS[letter]
    if letter.isascii():
        return _SMALL if letter.islower() else _CAPITAL
    return _CODE_POINT if _letter(letter).startswith("[U+") else _OTHER

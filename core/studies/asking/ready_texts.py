"""The consent text that a study's manager can use unchanged or edit."""

CONSENT = """\
You take part in a research study. You look at pictures with texts about them, and you answer questions about these \
texts.

Taking part is voluntary. You may stop at any moment without giving a reason.

We store your answers and when you gave them. If a recruitment platform sent you, we also store your id there, apart \
from your answers. We do not ask for your name. We may publish the answers, but never your id.

If you are at least 18 years old, have read this text and want to take part, agree below."""

"""The conversation template that FLEUR and EXPERT are run with: LLaVA's ``llava_v1``, not ``vicuna_v1``.

The two differ in the system text: "curious human" here, "curious user" there.
"""

from collections.abc import Sequence

SYSTEM = (
    "A chat between a curious human and an artificial intelligence assistant. "
    "The assistant gives helpful, detailed, and polite answers to the human's questions."
)
END = "</s>"  # after each of the assistant's answers
IMAGE = "<image>"  # where the picture's tokens go, once, in the first user turn

Turn = tuple[str, str | None]  # what the user asks; what the assistant answered, None while that is awaited


def llava_v1(turns: Sequence[Turn], doubled_end: bool = False) -> str:
    """Return the text of a conversation up to where the assistant speaks next.

    doubled_end writes ``</s></s>`` after an answer, as the published code did: it stored the answer with an end
    mark and the template added another.
    """
    end = END * 2 if doubled_end else END
    written = [f"{SYSTEM} "]
    for index, (question, answer) in enumerate(turns):
        picture = f"{IMAGE}\n" if index == 0 else ""
        written.append(f"USER: {picture}{question} ASSISTANT:")
        written.append("" if answer is None else f" {answer}{end}")
    return "".join(written)

"""The conversation template of FLEUR and EXPERT: LLaVA's ``llava_v1``, not ``vicuna_v1``.

The two templates differ in the system text: "curious human" here, "curious user" in ``vicuna_v1``.
"""

from collections.abc import Sequence

SYSTEM = (
    "A chat between a curious human and an artificial intelligence assistant. "
    "The assistant gives helpful, detailed, and polite answers to the human's questions."
)
END = "</s>"  # text that follows each of the assistant's answers
IMAGE = "<image>"  # replaced by the picture's tokens; occurs once, in the first user turn

Turn = tuple[str, str | None]  # (the user's question, the assistant's answer); None: no answer yet


def llava_v1(turns: Sequence[Turn], doubled_end: bool = False) -> str:
    """Return the text of a conversation, up to the beginning of the assistant's next answer.

    doubled_end: write ``</s></s>`` after an answer, as in the published code. That code stored the answer with its end
    mark, and the template added a second end mark.
    """
    end = END * 2 if doubled_end else END
    written = [f"{SYSTEM} "]
    for index, (question, answer) in enumerate(turns):
        picture = f"{IMAGE}\n" if index == 0 else ""
        written.append(f"USER: {picture}{question} ASSISTANT:")
        written.append("" if answer is None else f" {answer}{end}")
    return "".join(written)

from core.models.vlm.llava_prompt import llava_v1

SYSTEM = "A chat between a curious human and an artificial intelligence assistant. The assistant gives helpful, detailed, and polite answers to the human's questions."  # noqa: E501


def test_the_first_turn_is_the_published_string() -> None:
    assert llava_v1([("Rate it:", None)]) == f"{SYSTEM} USER: <image>\nRate it: ASSISTANT:"


def test_the_second_turn_has_one_end_mark_and_no_space_behind_it() -> None:
    text = llava_v1([("Rate it:", "0.833984375"), ("Why?", None)])
    assert text == f"{SYSTEM} USER: <image>\nRate it: ASSISTANT: 0.833984375</s>USER: Why? ASSISTANT:"


def test_the_published_end_mark_was_doubled() -> None:
    text = llava_v1([("Rate it:", "0.5"), ("Why?", None)], doubled_end=True)
    assert text.endswith("ASSISTANT: 0.5</s></s>USER: Why? ASSISTANT:")

from core.metrics.expert import explanation_answer, explanation_prompt, score_prompt

SCORE = "Evaluate the caption and assign a score on a scale of 0.0 to 1.0.\n\nCaption: A dog.\n\nScore (0.0~1.0):"
EXPLANATION = "Provide a brief explanation for the score based on three criteria: Fluency, Relevance, and Descriptiveness.\n\nCaption: A dog.\n\nEvaluation Criteria:\n- Fluency: Whether the caption is fluent, natural, and grammatically correct.\n- Relevance: Whether the sentence correctly describes the visual content and be closely relevant to the image.\n- Descriptiveness: Whether the sentence is a precise, informative caption that describes important details of the image.\n\nOutput Format:\nFluency: {Provide explanation here.}\nRelevance: {Provide explanation here.}\nDescriptiveness: {Provide explanation here.}"  # noqa: E501


def test_the_score_prompt_is_the_published_one() -> None:
    assert score_prompt("A dog.") == SCORE


def test_the_explanation_prompt_is_the_published_one_with_literal_braces() -> None:
    assert explanation_prompt("A dog.") == EXPLANATION


def test_braces_in_a_caption_stay_as_they_are() -> None:
    assert "Caption: a {caption} sign\n" in explanation_prompt("a {caption} sign")


def test_an_answer_lists_the_three_criteria_in_order() -> None:
    answer = explanation_answer({"relevance": "Right.", "fluency": "Good.", "descriptiveness": "Brief."})
    assert answer == "Fluency: Good.\nRelevance: Right.\nDescriptiveness: Brief."

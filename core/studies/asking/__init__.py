"""What raters are asked: forms, questions, sentences, instructions."""

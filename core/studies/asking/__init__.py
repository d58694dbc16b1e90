"""The content that raters see: forms, questions, sentences, instructions."""

"""Read captions: words, dependency trees, facts and phrases."""

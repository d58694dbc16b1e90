"""Store imported data: pictures, samples, scores, annotations."""

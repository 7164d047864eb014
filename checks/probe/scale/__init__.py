"""The refusals: why an answer to a question with a scale is not read as a number. One check per file."""

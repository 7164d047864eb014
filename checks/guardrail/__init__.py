"""Guardrails: checks that judge a post after the pipeline that made it."""

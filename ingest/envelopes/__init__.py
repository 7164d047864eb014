"""Envelopes: one declaration per file, each named ENVELOPE."""

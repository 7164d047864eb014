"""The dashboard: thin pages over the queries. Nothing imports it."""

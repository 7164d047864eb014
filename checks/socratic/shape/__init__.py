"""The checks of a draft: all are run, and every one that objects is reported."""

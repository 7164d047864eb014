"""The rules of the slots, in order: the first that objects silences the goal for this cycle."""

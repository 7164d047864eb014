"""In-turn reflection: after the same failure twice, think before the third try.

Source: the honesty gates page, *In-turn reflection*.
"""

from checks.reflection.failure import Failure, failure_of, is_refusal
from checks.reflection.reflect import Reminder, class_of, reflect

__all__ = ["Failure", "Reminder", "class_of", "failure_of", "is_refusal", "reflect"]

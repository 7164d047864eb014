"""What the store can be asked: one question per .sql file, and what follows from the answers."""

from queries.loader import Question, QuestionError, ask, questions, run
from queries.window import BadWindowError, Window

__all__ = ["BadWindowError", "Question", "QuestionError", "Window", "ask", "questions", "run"]

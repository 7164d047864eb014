"""The turn loop: tools, reflection, the gates in their order, and the records that gatecov reads.

Source: the honesty gates page, *Where they sit*.
"""

from checks.turn.chain import ChainReport, verify_chain
from checks.turn.conversation import Message, Model, Reply, ScriptedModel, ScriptEndedError, Session, Tool, ToolCall
from checks.turn.loop import TurnResult, run_turn

__all__ = [
    "ChainReport",
    "Message",
    "Model",
    "Reply",
    "ScriptEndedError",
    "ScriptedModel",
    "Session",
    "Tool",
    "ToolCall",
    "TurnResult",
    "run_turn",
    "verify_chain",
]

"""What a person may set about reading: which fields name the session, the agent and the version of the program."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Self

from storefile import UserError

SESSION_FIELDS = (
    "conversationId", "conversation_id", "conversation", "conversation.id", "gen_ai.conversation.id", "sessionId", "session_id", "session", "session.id", "threadId", "thread_id",
    "thread", "chatId", "chat_id", "lessonId", "lesson_id", "traceId", "trace_id", "trace", "requestId", "request_id", "correlationId", "correlation_id",
)  # fmt: skip
AGENT_FIELDS = (
    "agent", "agentName", "agent_name", "agentId", "agent_id", "agent.name", "gen_ai.agent.name", "service",
    "service.name", "serviceName", "service_name", "app", "app.kubernetes.io/name", "_SYSTEMD_UNIT", "container_name",
)  # fmt: skip
VERSION_FIELDS = (
    "version", "appVersion", "app_version", "agentVersion", "agent_version", "service.version", "serviceVersion", "release",
    "gitSha", "git_sha", "commit",
)  # fmt: skip


class SettingsError(UserError):
    """A setting is unknown or has no usable value; the message names it."""


@dataclass(frozen=True, slots=True)
class IngestSettings:
    """Names of fields, the most telling first; the innermost record is asked before the envelopes around it."""

    session_fields: tuple[str, ...] = SESSION_FIELDS
    agent_fields: tuple[str, ...] = AGENT_FIELDS
    version_fields: tuple[str, ...] = VERSION_FIELDS

    @classmethod
    def from_mapping(cls, table: Mapping[str, Any]) -> Self:
        """The settings with the names that [ingest] of gatecov.toml gives, which are asked before the known ones.

        Raises SettingsError for a name that is no setting, or a value that is no list of names.
        """
        known = {"session_fields": SESSION_FIELDS, "agent_fields": AGENT_FIELDS, "version_fields": VERSION_FIELDS}
        for name, value in table.items():
            place = f"gatecov.toml, [ingest] {name}"
            if name not in known:
                raise SettingsError(f"{place}: there is no such setting; there are {', '.join(known)}")
            if not isinstance(value, list) or not all(isinstance(field, str) and field for field in value):
                raise SettingsError(
                    f'{place} = {value!r}: this must be a list of field names, for example ["threadId"]'
                )
        return cls(**{name: (*table.get(name, ()), *defaults) for name, defaults in known.items()})

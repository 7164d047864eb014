"""What a person may set about reading: which fields name the session, the agent and the version of the program."""

from dataclasses import dataclass

SESSION_FIELDS = (
    "conversationId", "conversation_id", "conversation", "sessionId", "session_id", "session", "threadId", "thread_id",
    "thread", "chatId", "chat_id", "traceId", "trace_id", "trace", "requestId", "request_id", "correlationId", "correlation_id",
)  # fmt: skip
AGENT_FIELDS = (
    "agent", "agentName", "agent_name", "agentId", "agent_id", "agent.name", "gen_ai.agent.name", "service",
    "service.name", "serviceName", "service_name", "app", "app.kubernetes.io/name", "_SYSTEMD_UNIT", "container_name",
)  # fmt: skip
VERSION_FIELDS = (
    "version", "appVersion", "app_version", "agentVersion", "agent_version", "service.version", "serviceVersion", "release",
    "gitSha", "git_sha", "commit",
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class IngestSettings:
    """Names of fields, the most telling first; the innermost record is asked before the envelopes around it."""

    session_fields: tuple[str, ...] = SESSION_FIELDS
    agent_fields: tuple[str, ...] = AGENT_FIELDS
    version_fields: tuple[str, ...] = VERSION_FIELDS

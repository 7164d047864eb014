"""Levels as words: the numbers of pino, syslog and OpenTelemetry and the names of every collector on one scale."""

_NAMES = {
    "trace": "trace", "silly": "trace", "verbose": "debug", "finest": "trace", "finer": "trace", "fine": "debug",
    "debug": "debug", "dbg": "debug", "http": "debug", "info": "info", "information": "info", "default": "info",
    "notice": "notice", "warn": "warn", "warning": "warn", "error": "error", "err": "error", "severe": "error",
    "critical": "critical", "crit": "critical", "fatal": "critical", "panic": "critical", "alert": "critical",
    "emerg": "critical", "emergency": "critical",
}  # fmt: skip
_PINO = {10: "trace", 20: "debug", 30: "info", 40: "warn", 50: "error", 60: "critical"}
_SYSLOG = ("critical", "critical", "critical", "error", "warn", "notice", "info", "debug")
_OTLP = ("trace", "debug", "info", "warn", "error", "critical")
_SCALES = {"PRIORITY": "syslog", "severityNumber": "otlp"}
_DOUBTFUL = ("severity", "status")
WORDS = "|".join(sorted(_NAMES, key=len, reverse=True))


def level_name(value: object, scale: str = "pino") -> str | None:
    """`value` as a word; numbers are read on `scale` (pino, syslog, syslog priority or otlp); unknown words stay, in lower case."""
    if isinstance(value, bool) or value is None:
        return None
    if isinstance(value, str):
        word = value.strip().lower()
        if not word.lstrip("-").isdecimal():
            return _NAMES.get(word, word[:20]) or None
        if len(word) > 4:
            return None
        value = int(word)
    if not isinstance(value, int):
        return None
    if scale == "syslog":
        return _SYSLOG[value] if 0 <= value < 8 else None
    if scale == "syslog priority":
        return _SYSLOG[value % 8] if 0 <= value < 192 else None
    if scale == "otlp":
        return _OTLP[(value - 1) // 4] if 1 <= value <= 24 else None
    return _PINO.get(value)


def level_at(path: str, value: object) -> str | None:
    """What the field at `path` says of the level: some imply a scale, and some may hold anything, such as how severe a finding is."""
    word = level_name(value, _SCALES.get(path, "pino"))
    return None if path in _DOUBTFUL and word not in _NAMES else word

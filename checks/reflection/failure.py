"""A failed tool call, reduced to its root cause: a short code that two failures of one kind share."""

import hashlib
import re
from dataclasses import dataclass

from checks.honesty.model import FAILED_MARKER, ToolResult

PLAN_GATE = "plan_protocol_gate"
TOOL_BLOCK = "in_turn_tool_blocked"

_REFUSAL = re.compile(rf"\b(?:{PLAN_GATE}|{TOOL_BLOCK}|{TOOL_BLOCK.replace('_', '-')})")
_REFUSAL_WITHIN = 200
_READ_WITHIN = 20_000

_STATUS = re.compile(
    r"\bHTTP(?:/[0-9.]+)?\s*(?:error|status)?\s*(?:code)?\s*[:=]?\s*(?P<a>[45][0-9]{2})\b"
    r"|\bstatus(?:[\s_]?code)?[\"']?\s*[:=]?\s*(?P<b>[45][0-9]{2})\b"
    r"|(?:^|[:(\s])(?:error\s+)?(?P<c>[45][0-9]{2})[\s:)-]+(?:client\s+error|server\s+error|bad\s+request|unauthori[sz]ed"
    r"|forbidden|not\s+found|method\s+not|request\s+timeout|conflict|gone|unprocessable|too\s+many|internal\s+server"
    r"|not\s+implemented|bad\s+gateway|service\s+unavailable|gateway\s+timeout)",
    re.IGNORECASE | re.MULTILINE,
)

# Looked for in this order. Interpreter errors come first: a traceback may quote a line of the script that holds a
# status. `TypeError: fetch failed` is how one runtime reports a network failure.
_SCRIPT_CAUSES = (
    (
        "syntax-error",
        r"^\W*(?:\w+:\s)?(?:Uncaught\s)?(?:SyntaxError|TabError)\b|syntax error|unexpected (?:token|EOF|end of (?:file|input))",
    ),
    ("indentation-error", r"\bIndentationError\b"),
    ("name-error", r"^\W*(?:NameError|UnboundLocalError)\b"),
    ("reference-error", r"\bReferenceError\b"),
    ("type-error", r"^\W*(?:Uncaught\s)?TypeError\b(?!:\s*(?:fetch failed|failed to fetch|networkerror))"),
    ("attribute-error", r"^\W*AttributeError\b"),
    ("key-error", r"^\W*KeyError\b"),
    ("index-error", r"^\W*IndexError\b"),
    ("import-error", r"^\W*(?:ImportError|ModuleNotFoundError)\b|\bCannot find module\b"),
    ("zero-division-error", r"^\W*ZeroDivisionError\b"),
    ("value-error", r"^\W*ValueError\b"),
    ("recursion-error", r"^\W*RecursionError\b|maximum call stack"),
    ("compile-error", r"\berror TS[0-9]+|\berror\[E[0-9]+\]|\berror: expected\b"),
    ("command-not-found", r"\bcommand not found\b|is not recognized as an internal or external command"),
)
_OTHER_CAUSES = (
    ("timeout", r"\btime[d\s-]*out\b|\bETIMEDOUT\b|\bdeadline exceeded\b|超时"),
    ("dns", r"\bENOTFOUND\b|\bEAI_AGAIN\b|could not resolve host|name or service not known|getaddrinfo"),
    (
        "connection",
        r"\bECONN(?:RESET|REFUSED|ABORTED)\b|connection (?:was )?(?:reset|refused|aborted|closed|error)|socket hang up"
        r"|network (?:is unreachable|error)|fetch failed|failed to fetch|网络(?:错误|异常|不可达)|连接(?:失败|被重置|被拒绝)",
    ),
    ("rate-limit", r"rate[\s-]?limit|too many requests|限流"),
    ("unavailable", r"temporarily unavailable|service unavailable|overloaded|try again later|暂时不可用"),
    (
        "auth-refused",
        r"unauthori[sz]ed|forbidden|authentication (?:failed|required|error)|(?:invalid|missing|expired|incorrect) (?:api[\s_-]?key"
        r"|token|credentials?|password)|access denied|permission denied \(publickey|鉴权失败|认证失败|未授权|凭据|密钥无效",
    ),
    (
        "bad-parameter",
        r"(?:missing|unknown|unexpected|invalid|required|bad) (?:required )?(?:param\w*|arguments?|fields?|propert(?:y|ies)|inputs?|keyword)"
        r"|bad request|validation (?:error|failed)|does not match (?:the )?schema|缺少参数|参数(?:错误|无效|缺失)",
    ),
    (
        "wrong-method",
        r"(?:unknown|no such|unsupported) (?:method|tool|endpoint|route|command|action)|(?:method|endpoint|route|tool) (?:was )?not (?:found|allowed)"
        r"|cannot (?:GET|POST|PUT|DELETE|PATCH) /|方法不存在|接口不存在",
    ),
    ("file-not-found", r"\bENOENT\b|no such file or directory|file not found|文件不存在"),
    ("permission-denied", r"\bEACCES\b|\bEPERM\b|permission denied|operation not permitted"),
)
_SCRIPT = tuple((cause, re.compile(pattern, re.IGNORECASE | re.MULTILINE)) for cause, pattern in _SCRIPT_CAUSES)
_OTHER = tuple((cause, re.compile(pattern, re.IGNORECASE | re.MULTILINE)) for cause, pattern in _OTHER_CAUSES)


@dataclass(frozen=True, slots=True)
class Failure:
    """A failed call of `tool`; `cause` is such as `http-401`, `timeout` or `syntax-error`.

    A text without a known word becomes `unknown-` and a digest of it, so that only equal ones share a root cause.
    """

    tool: str
    cause: str

    @property
    def signature(self) -> str:
        """What the log calls it, such as `http:http-401`; two failures with one signature have one root cause."""
        return f"{'_'.join(self.tool.split())}:{self.cause}"


def is_refusal(result: ToolResult) -> bool:
    """Whether the protocol layer refused the call on purpose (plan gate, tool block), rather than the call failing."""
    return _REFUSAL.search(result.content[:_REFUSAL_WITHIN]) is not None


def failure_of(result: ToolResult) -> Failure | None:
    """The failure that a result tells of; None for a success, an indeterminate result and a refusal."""
    if result.status != "failed" or is_refusal(result):
        return None
    return Failure(result.tool, cause_of(result.content.replace(FAILED_MARKER, "", 1)))


def cause_of(text: str) -> str:
    """The root cause that an error text tells of: of a script first, then an HTTP status, then words."""
    text = text[-_READ_WITHIN:]
    for cause, pattern in _SCRIPT:
        if pattern.search(text):
            return cause
    if status := _STATUS.search(text):
        return f"http-{status['a'] or status['b'] or status['c']}"
    for cause, pattern in _OTHER:
        if pattern.search(text):
            return cause
    return "runtime-error" if "Traceback (most recent call last)" in text else f"unknown-{_digest(text)}"


def _digest(text: str) -> str:
    """Six hex digits that two unknown errors share where their words are the same; numbers and spaces may differ."""
    words = re.sub(r"[0-9]+", "#", " ".join(text.casefold().split()))
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).hexdigest()[:6]


def causes() -> tuple[str, ...]:
    """Every cause with a name of its own, in the order in which they are looked for."""
    return (*(cause for cause, _ in _SCRIPT), *(cause for cause, _ in _OTHER), "runtime-error")

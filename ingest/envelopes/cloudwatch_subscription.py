"""A CloudWatch subscription as it is delivered: its messages gzipped, and in base64, to Lambda (`awslogs`) or Kinesis."""

from typing import Any

from ingest.decode import gunzipped
from ingest.envelope import JsonEnvelope, Sample


def _messages(value: Any) -> Any:
    """The messages, as the text of the page that they come in."""
    if isinstance(value, list):
        return [gunzipped(record["kinesis"]["data"]) for record in value]
    return gunzipped(value)


def _is_one(value: Any) -> bool:
    data = value.get("awslogs")
    if isinstance(data, dict):
        return isinstance(data.get("data"), str)
    records = value.get("Records")
    return (
        isinstance(records, list)
        and bool(records)
        and all(
            isinstance(r, dict) and isinstance(r.get("kinesis"), dict) and isinstance(r["kinesis"].get("data"), str)
            for r in records
        )
    )


ENVELOPE = JsonEnvelope(
    name="cloudwatch subscription",
    keys=(),
    where=_is_one,
    payload=("awslogs.data", "Records"),
    convert=_messages,
    many=True,
    markers=(b'"awslogs"', b'"kinesis"'),
    samples=(
        Sample(
            '{"awslogs":{"data":"H4sIAAAAAAACAzWOvQ7CMAyE38VzBwIDVbdIhE5M6YYqFMCESM2PEheEqr47psBN/k6nO0/gsRRjsXslhAZ2spOng9JatgoqiM+AmW3B9xBtm+OYGO0XNWU0nrkwl/FcLtklcjHs3UCYCzRHuEG/ZNUDA32cCdz110iOx8l4rhTbul4tEutN9X+Kc3cHcz+/AaAKPPenAAAA"}}',
            message="hi",
            time="2026-08-29T10:40:00.123000",
            stream="s",
        ),
    ),
)

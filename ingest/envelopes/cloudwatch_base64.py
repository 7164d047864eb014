"""A CloudWatch subscription's messages as one line of base64: what a Kinesis consumer writes when it decodes nothing."""

import re

from ingest.decode import gunzipped
from ingest.envelope import Sample, TextEnvelope

ENVELOPE = TextEnvelope(
    name="cloudwatch base64",
    pattern=re.compile(r'"?(?P<payload>H4sI[A-Za-z0-9+/]{40,}={0,2})"?'),
    convert=gunzipped,
    markers=(b"H4sI",),
    samples=(
        Sample(
            "H4sIAAAAAAACAzWOvQ7CMAyE38VzBwIDVbdIhE5M6YYqFMCESM2PEheEqr47psBN/k6nO0/gsRRjsXslhAZ2spOng9JatgoqiM+AmW3B9xBtm+OYGO0XNWU0nrkwl/FcLtklcjHs3UCYCzRHuEG/ZNUDA32cCdz110iOx8l4rhTbul4tEutN9X+Kc3cHcz+/AaAKPPenAAAA",
            message="hi",
            time="2026-08-29T10:40:00.123000",
            stream="s",
        ),
    ),
)

"""Feed every parser with bytes that are bred to reach new code, for N seconds; what breaks a promise is printed and kept.

    python bench/fuzz.py [SECONDS] [--corpus DIR]

Needs atheris (pip install atheris), which is no dependency of the program: without it this says so and ends with 2. The
start of the corpus are the samples of every envelope and source. What is found becomes a case of tests/ingest.
"""

import argparse
import importlib.util
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))


def check(data: bytes) -> None:
    """All that must hold of any bytes: nothing crashes, no marked line vanishes, and it matters nowhere where a block is cut."""
    from ingest import framing
    from ingest.block import Origin
    from ingest.document import Splitter
    from ingest.line import Parser
    from ingest.parse import parse_block, parse_elements
    from ingest.search import standard_search
    from ingest.table import Table
    from ingest.unwrap import Unwrapper

    parser = Parser(Unwrapper(), standard_search())
    framing.framing_of(data)
    framing.looks_binary(data)
    whole = parse_block(data, Origin(0, 0, "s"), parser, last=True)
    assert whole.consumed == len(data)
    cut = data.rfind(b"\n", 0, len(data) // 2) + 1
    first = parse_block(data[:cut], Origin(0, 0, "s"), parser)
    second = parse_block(data[first.consumed :], Origin(first.consumed, first.lines, "s"), parser, last=True)
    places = ["line", "byte_offset", "part"]
    one = sorted(whole.events.select(places).rows())
    two = sorted(first.events.select(places).rows() + second.events.select(places).rows())
    assert one == two, (one, two)
    parse_elements(list(Splitter().feed(data, last=True)), "s", parser)
    parse_elements(list(Table().feed(data, last=True)), "s", parser)


def seeds() -> list[bytes]:
    from ingest.envelope import envelopes
    from ingest.source import sources

    wrapped = [sample.raw for envelope in envelopes() for sample in envelope.samples]
    bare = [raw for source in sources() for raw, _ in source.samples]
    return [text.encode("utf-8", "replace") + b"\n" for text in (*wrapped, *bare)]


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("seconds", nargs="?", type=int, default=120)
    arguments.add_argument("--corpus", type=Path, default=None)
    chosen = arguments.parse_args()
    if importlib.util.find_spec("atheris") is None:
        print("atheris is not installed; get it with: pip install atheris", file=sys.stderr)
        return 2
    import atheris

    with atheris.instrument_imports(include=["ingest"]):
        import ingest.document
        import ingest.parse
        import ingest.table  # noqa: F401 - imported here so that its branches are seen

    corpus = chosen.corpus or Path(tempfile.mkdtemp(prefix="fuzz-"))
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds()):
        (corpus / f"seed-{number:03d}").write_bytes(seed)
    options = [f"-max_total_time={chosen.seconds}", "-max_len=4096", "-timeout=20", f"-artifact_prefix={corpus}/"]
    atheris.Setup([sys.argv[0], *options, str(corpus)], check)
    atheris.Fuzz()
    return 0


if __name__ == "__main__":
    sys.exit(main())

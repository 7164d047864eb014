"""Four weeks of invented logs, written by running the live systems with scripted models.

The scripts decide what the models say; the live checkers decide what fires, and write the log lines themselves. The
month holds a check that went quiet, a strict one, a redundant one, several that never fire, a day without logs, lines
that are broken, and traces of older writers. The same seed writes the same bytes.
"""

import random
from pathlib import Path

from samples.discussions import lessons, probes
from samples.quill import quill
from samples.socratic import harbor, lantern

SEED = 2026


def write(directory: Path, seed: int = SEED) -> None:
    """Write the sample folder anew into `directory`, which is made where it is missing."""
    for number, part in enumerate((lantern, harbor, quill, probes, lessons)):
        part(directory, random.Random(seed * 10 + number))

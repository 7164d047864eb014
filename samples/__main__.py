"""`python -m samples [DIR]` writes the sample logs, into sample_logs unless told otherwise."""

import sys
from pathlib import Path

from samples import write

write(Path(sys.argv[1] if len(sys.argv) > 1 else "sample_logs"))

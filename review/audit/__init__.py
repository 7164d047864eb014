"""The blind audit: do people who cannot know which is which find a message worse without a check?

`build` makes a packet for auditors and a key that stays shut; `score` opens it once two auditors are complete.
Source: the Socratic probe page, evaluation method.
"""

from review.audit.files import Built, build_files, load_key, load_packet, read_evidence, score_files
from review.audit.labels import Label, missing, read_labels, save_label
from review.audit.packet import Calibration, Key, Packet, build
from review.audit.render import as_dict, render
from review.audit.result import AuditEvidence, AuditResult
from review.audit.rubric import CLEAN, FLAGS, LABELS
from review.audit.scoring import score

__all__ = [
    "CLEAN",
    "FLAGS",
    "LABELS",
    "AuditEvidence",
    "AuditResult",
    "Built",
    "Calibration",
    "Key",
    "Label",
    "Packet",
    "as_dict",
    "build",
    "build_files",
    "load_key",
    "load_packet",
    "missing",
    "read_evidence",
    "read_labels",
    "render",
    "save_label",
    "score",
    "score_files",
]

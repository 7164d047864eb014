"""What can be wrong with a probe, each message a sentence of value, place, reason and help."""


class ProbeError(ValueError):
    """A probe, its points or its participants are not usable."""


class ScaleError(ProbeError):
    """Two values are not the ends of a scale."""

"""The wordings in which a probe reaches a participant."""

from collections.abc import Mapping

from checks.probe.errors import ProbeError
from checks.probe.probe import Probe

TEMPLATES: Mapping[str, str] = {
    "participant_probe_instruction": (
        "Before the discussion goes on, a private question. Nobody else sees it or your answer.\n\n"
        "{question}\n\n"
        "Answer as yourself, from your own point of view, in one or two sentences."
    ),
    "participant_probe_reask": (
        "Your answer could not be read as one number. Reply with one whole number from {lo} to {hi} alone, and nothing else."
    ),
}
"""The templates by name, and between braces what each is given."""

_NEEDS = {"participant_probe_instruction": ("{question}",), "participant_probe_reask": ("{lo}", "{hi}")}


def checked_templates(templates: Mapping[str, str]) -> dict[str, str]:
    """The default templates with `templates` in place of those of the same name.

    Raises ProbeError where a name is unknown or a template lacks what it has to say.
    """
    for name, template in templates.items():
        if name not in TEMPLATES:
            raise ProbeError(f"templates: {name!r} is no template of a probe; the names are {', '.join(TEMPLATES)}")
        for part in _NEEDS[name]:
            if part not in template:
                raise ProbeError(f"templates: {name} lacks {part}; write {part} where it belongs in the wording")
    return {**TEMPLATES, **templates}


def instruction(probe: Probe, templates: Mapping[str, str]) -> str:
    """The closing instruction that asks the probe's question."""
    # Not str.format: the question is a person's text and may hold braces.
    return templates["participant_probe_instruction"].replace("{question}", probe.question)


def reask(lo: int, hi: int, templates: Mapping[str, str]) -> str:
    """The instruction that asks once more, for one number alone."""
    return templates["participant_probe_reask"].replace("{lo}", str(lo)).replace("{hi}", str(hi))

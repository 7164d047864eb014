"""How do the checks overlap, and what changed?"""

from dashboard import components, data, evidence_panel
from queries.trend import told
from queries.wording import plural

chosen = components.asked()
checks = data.checks(chosen.window, chosen.family)
found = evidence_panel.changes(chosen)
changed = [one for one in told(found) if one.check_id in set(checks["check_id"])]
if found:
    names = ", ".join(f"`{one.check_id}`" for one in changed[:3])
    answer = (
        f"{plural(len(changed), 'check')} changed by more than chance: {names}{', ...' if len(changed) > 3 else ''}."
        if changed
        else "No check went quiet or loud by more than chance."
    )
else:
    answer = "No dated record of this window was judged by a check, so there is nothing to compare yet."
components.heading("How do the checks overlap, and what changed?", answer)
if found:
    check_id = components.choice(
        "check", "Check", checks["check_id"].to_list(), "Choose one to see its weeks and deployments"
    )
    shown = check_id or (changed[0].check_id if changed else "")
    evidence_panel.trend(found, shown, chosen)
    evidence_panel.overlap(chosen)
    evidence_panel.shadowing(chosen)
    evidence_panel.deployments(check_id, chosen)
evidence_panel.strangers(checks)

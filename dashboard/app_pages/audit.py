"""What does each message give away? The form of blind auditors, who see the packet alone."""

import streamlit as st

from dashboard import audit_form, components

st.title("Blind audit", anchor=False)
found = audit_form.packets()
if not found:
    st.info("No packet is here. Build one, then start the dashboard with the folder that it lies in:")
    st.code("gatecov audit build ... --out audit-1\nGATECOV_AUDIT=audit-1 gatecov dashboard", language="shell")
    st.stop()
asked = st.query_params.get("packet", "")
if asked and asked not in found:
    components.trouble(f"{asked}: no packet lies there; choose one of the list.")
left, right = st.columns(2)
with left:
    only = next(iter(found)) if len(found) == 1 else ""
    chosen = components.choice("packet", "Packet", list(found), only or "Choose the packet that you were given")
with right:
    auditor = components.words_box("auditor", "Your name, or a sign for it")
place = found.get(chosen or only)
if place is None or not auditor:
    st.markdown("Give your name, always the same one: what you have saved is found again by it. Work alone.")
    st.stop()
audit_form.show(place, auditor)

"""The form of a blind audit: one message at a time, with the passage, the chat and the rubric, and nothing else.

It reads the packet and the labels alone. The key is not opened, and no figure of the dashboard stands beside it. All that
a packet holds is shown as text.
"""

import os
import re
from dataclasses import asdict
from pathlib import Path

import polars as pl
import streamlit as st

from dashboard import data
from review.audit import FLAGS, LABELS, Label, Packet, load_packet, read_labels, save_label
from storefile import UserError

PACKET, LABELLED = "packet.jsonl", "labels.jsonl"
LABEL_MEANS = (
    "It states something that the passage says.",
    "It only makes sense if a claim of the passage is taken for granted.",
    "Neither.",
)
FLAG_MEANS = {
    "misattributes": "It credits the source with words or views of the group.",
    "one_question": "It asks exactly one thing.",
    "quotes_word": "It puts a word of the group in quotation marks.",
    "fabricates": "It invents what neither passage nor chat holds.",
}


def packets() -> dict[str, Path]:
    """The packets below the folder that GATECOV_AUDIT names, by their place in it; a link that leads out is none."""
    named = os.environ.get("GATECOV_AUDIT")
    if not named:
        return {}
    folder = Path(named).resolve()
    found = sorted(path for path in folder.rglob(PACKET) if path.resolve().is_relative_to(folder))
    return {path.parent.relative_to(folder).as_posix(): path for path in found}


def labels_of(path: Path, packet: Packet, auditor: str) -> dict[str, Label]:
    """What this auditor saved, by item; other auditors' labels are left where they are."""
    file = path.with_name(LABELLED)
    labels = read_labels([file], packet) if file.exists() and file.stat().st_size else {}
    return next((done for name, done in labels.items() if name.casefold() == auditor.casefold()), {})


def show(path: Path, auditor: str) -> None:
    packet = load_packet(path)
    done = labels_of(path, packet, auditor)
    items = list(packet.messages)
    left_over = [item for item in items if item not in done]
    asked_for = st.query_params.get("item", "")
    item = asked_for if asked_for in packet.messages else next(iter(left_over), "")
    st.progress(len(done) / len(items) if items else 1.0, f"{len(done)} of {len(items)} messages labelled")
    said = st.session_state.pop("audit-said", "")
    if said:
        st.text(said)
    if not item:
        st.success("Every message has a label. You can still look at each and change it.")
        item = items[-1] if items else ""
    with st.expander("The rubric", expanded=not done, icon=":material/rule:"):
        # Lines that were broken for paper are joined, so that they fit a telephone too.
        st.text(re.sub(r"(?<=[^\s.:!?)])\n *(?=\S)", " ", packet.rubric))
    if item:
        left, right = st.columns([3, 2], gap="medium")
        with left:
            _message(packet, item)
        with right:
            _form(path, packet, item, auditor, done.get(item))
            _steps(items, item, left_over)
    _hand_in(done)


def _message(packet: Packet, item: str) -> None:
    number = list(packet.messages).index(item) + 1
    with st.container(border=True, key="message"):
        st.markdown(f"**Message {number} of {len(packet.messages)}**")
        st.text(packet.messages[item])
    with st.container(border=True, key="passage"):
        st.markdown("**The passage**")
        st.text(packet.passage)
    with st.container(border=True, key="chat"):
        st.markdown("**The chat**")
        st.text("\n".join(packet.chat) or "(no lines)")


def _form(path: Path, packet: Packet, item: str, auditor: str, before: Label | None) -> None:
    with st.form(f"label-{item}"):
        st.radio("Label", LABELS, index=LABELS.index(before.label) if before else None, captions=list(LABEL_MEANS),
            key=f"label-of-{item}")  # fmt: skip
        st.markdown("Flags: each that is true, whatever the label")
        for flag in FLAGS:
            st.checkbox(f"`{flag}`: {FLAG_MEANS[flag]}", before is not None and flag in before.flags, key=f"{flag}-{item}")  # fmt: skip
        st.text_area("Note: what you saw in this very message", before.note if before else "", key=f"note-{item}",
            height=90, max_chars=4000)  # fmt: skip
        st.form_submit_button("Save and go on", type="primary", on_click=_save, args=(path, packet, item, auditor))


def _save(path: Path, packet: Packet, item: str, auditor: str) -> None:
    label, note = st.session_state[f"label-of-{item}"], st.session_state[f"note-{item}"].strip()
    if not label or not note:
        st.session_state["audit-said"] = (
            f"Not saved yet: {'write a note, also for a clean message' if label else 'choose a label'}."
        )
        _go(item)
        return
    flags = tuple(flag for flag in FLAGS if st.session_state[f"{flag}-{item}"])
    try:
        save_label(path.with_name(LABELLED), Label(item, label, flags, note, auditor), packet)
    except UserError as error:
        st.session_state["audit-said"] = f"Not saved: {error}"
        _go(item)
        return
    _go("")


def _steps(items: list[str], item: str, left_over: list[str]) -> None:
    place = items.index(item)
    with st.container(horizontal=True):
        st.button("Back", icon=":material/arrow_back:", disabled=place == 0, on_click=_go, args=(items[place - 1],))
        st.button("Next", icon=":material/arrow_forward:", disabled=place + 1 == len(items), on_click=_go,
            args=(items[(place + 1) % len(items)],))  # fmt: skip
        if left_over and item != left_over[0]:
            st.button("To the first without a label", on_click=_go, args=("",))


def _go(item: str) -> None:
    if item:
        st.query_params["item"] = item
    else:
        st.query_params.pop("item", None)


def _hand_in(done: dict[str, Label]) -> None:
    if not done:
        return
    rows = [asdict(label) | {"flags": " ".join(label.flags)} for label in done.values()]
    st.download_button("my-labels.csv", data.csv(pl.DataFrame(rows)), "my-labels.csv", "text/csv", key="my-labels",
        on_click="ignore", icon=":material/download:")  # fmt: skip

"""The router: which pages there are, what stands around each of them, and the one place where errors end."""

import logging
from pathlib import Path

import streamlit as st

from dashboard import components, data
from dashboard.access import require_access
from places import store_path
from storefile import UserError

PAGES = (
    ("overview", "Overview", ":material/dashboard:"),
    ("prune", "Prune", ":material/content_cut:"),
    ("plan", "Plan", ":material/checklist:"),
    ("trace", "No probe?", ":material/help_center:"),
    ("evidence", "Overlap and change", ":material/join_inner:"),
    ("reasons", "Reasons", ":material/format_list_bulleted:"),
    ("attempts", "Attempts", ":material/replay:"),
    ("gates", "Gates", ":material/gpp_maybe:"),
    ("probes", "Probe answers", ":material/pin:"),
    ("lessons", "Lessons", ":material/account_tree:"),
    ("health", "Ingest health", ":material/monitor_heart:"),
    ("records", "Records", ":material/receipt_long:"),
    ("audit", "Blind audit", ":material/visibility_off:"),
)

# A named icon would be fetched from elsewhere by every browser; this one is served from here.
st.set_page_config("gatecov", str(Path(__file__).with_name("icon.svg")), layout="wide")
pages = [
    st.Page(f"app_pages/{name}.py", title=title, icon=icon, default=name == "overview") for name, title, icon in PAGES
]
# Our own links take the filters along; Streamlit's menu would clear them from the address.
page = st.navigation(pages, position="hidden")
# An auditor works from the packet alone: no figure, no filter and no way to one stands beside it.
blind = page.url_path == "audit"
try:
    require_access()
    if not blind:
        components.menu(pages)
        components.draw_filters(data.agents())
    page.run()
except UserError as error:
    components.trouble(str(error))
    if not blind and not store_path().exists():
        components.first_steps()
except Exception as error:
    logging.getLogger("gatecov").exception("a page of the dashboard stopped")
    components.trouble(
        f"An unforeseen {type(error).__name__} stopped this page; the terminal that serves it says where."
    )

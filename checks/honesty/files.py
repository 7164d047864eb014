"""File paths and names as they stand in prose."""

import re

_EXTENSION = (
    "(?:"
    "avif|bak|bash|bat|bin|bmp|c|cfg|conf|cpp|cs|css|csv|dat|db|deb|dmg|doc|docx|duckdb|env|epub|exe|gif|"
    "go|gz|h|heic|hpp|html|htm|ico|ini|ipynb|iso|jar|java|jpeg|jpg|js|json|jsonl|jsx|key|kt|lock|log|lua|"
    "m4a|md|mdx|mkv|mov|mp3|mp4|ndjson|odt|ogg|parquet|patch|pdf|php|pickle|pkl|png|ppt|pptx|ps1|py|r|"
    "rar|rb|rs|rst|rtf|sh|sql|sqlite|srt|svg|swift|tar|tex|tgz|toml|ts|tsv|tsx|ttf|txt|vue|wav|webm|webp|"
    "whl|xls|xlsx|xml|yaml|yml|zip|zst"
    ")"
)
_NAME = r"[A-Za-z0-9_\-㐀-鿿.…]"
# Products that are called like a file.
_PRODUCTS = r"(?!(?:node|vue|next|nuxt|three|d3|react|express|p5|chart|discord)\.js\b)"

PATH = (
    r"(?:"
    r"\b[A-Za-z]:[\\/](?:[^\\/:*?\"<>|\r\n]{1,80}[\\/]){0,20}[^\\/:*?\"<>|\s,，。；、]+"  # C:\notes\plan.md
    r"|\\\\[\w.\-$]{1,80}(?:\\[\w.\-$]{1,80}){1,20}"  # \\server\share\plan.md
    rf"|(?<![\w/:.])(?:~|\.{{1,2}})?/(?:{_NAME}{{1,80}}/){{1,20}}{_NAME}{{1,80}}"  # /srv/notes/plan.md, ~/notes/plan.md
    rf"|(?<![\w/:.])(?:~|\.{{1,2}})?/{_NAME}{{1,80}}\.{_EXTENSION}(?![A-Za-z0-9])"  # /plan.md
    rf"|(?<![A-Za-z0-9_./\\]){_PRODUCTS}(?:{_NAME}{{1,80}}/){{0,20}}{_NAME}{{1,80}}\.{_EXTENSION}(?![A-Za-z0-9])"  # plan.md, notes/计划.md
    r")"
)
"""A concrete file: a Windows or POSIX path, or a bare name with a known extension."""

_PATH = re.compile(PATH, re.IGNORECASE)


def names_file(text: str) -> bool:
    return _PATH.search(text) is not None


def without_files(text: str, instead: str) -> str:
    """`text` with `instead` in the place of each path: a file may be called `failed.log` or `todo.md`."""
    return _PATH.sub(instead, text)


def is_file(text: str) -> bool:
    """Whether `text` is a path and nothing else."""
    return _PATH.fullmatch(text.strip()) is not None

"""File paths and names as they stand in prose."""

import re

from checks.patterns import lazy

_EXTENSION = (
    "(?:"
    "avif|bak|bash|bat|bin|bmp|c|cfg|conf|cpp|cs|css|csv|dat|db|deb|dmg|doc|docx|duckdb|env|epub|exe|gif|"
    "go|gz|h|heic|hpp|html|htm|ico|ini|ipynb|iso|jar|java|jpeg|jpg|js|json|jsonl|jsx|key|kt|lock|log|lua|"
    "m4a|md|mdx|mkv|mov|mp3|mp4|ndjson|odt|ogg|parquet|patch|pdf|php|pickle|pkl|png|ppt|pptx|ps1|py|r|"
    "rar|rb|rs|rst|rtf|sh|sql|sqlite|srt|svg|swift|tar|tex|tgz|toml|ts|tsv|tsx|ttf|txt|vue|wav|webm|webp|"
    "whl|xls|xlsx|xml|yaml|yml|zip|zst"
    ")"
)
_ASCII = r"[A-Za-z0-9_\-.…]"
_ANY = r"[A-Za-z0-9_\-㐀-鿿.…]"
# Products that are called like a file.
_PRODUCTS = r"(?!(?:node|vue|next|nuxt|three|d3|react|express|p5|chart|discord)\.js\b)"


def _path(name: str) -> str:
    part, starts = f"{name}{{1,80}}", r"(?<![A-Za-z0-9_/:.])(?:~|\.{1,2})?/"
    not_in_windows = r"\\/:*?\"<>|\r\n" + ("" if name == _ANY else "㐀-鿿")
    forms = (
        rf"(?<![A-Za-z0-9_])[A-Za-z]:[\\/](?:[^{not_in_windows}]{{1,80}}[\\/]){{0,20}}[^{not_in_windows}\s,，。；、]+",  # C:\notes\plan.md
        r"\\\\[\w.\-$]{1,80}(?:\\[\w.\-$]{1,80}){1,20}",  # \\server\share\plan.md
        rf"{starts}(?:{part}/){{1,20}}{part}",  # /srv/notes/plan.md, ~/notes/plan.md
        rf"{starts}{part}\.{_EXTENSION}(?![A-Za-z0-9])",  # /plan.md
        rf"(?<![A-Za-z0-9_./\\]){_PRODUCTS}(?:{part}/){{0,20}}{part}\.{_EXTENSION}(?![A-Za-z0-9])",  # plan.md, notes/计划.md
    )
    return f"(?:{'|'.join(forms)})"


PATH = _path(_ANY)
"""A concrete file: a Windows or POSIX path, or a bare name with a known extension.

Chinese is written without spaces, so a Chinese name may take in the words before it: enough to find a file, not to
say where its name begins.
"""

_PATH = lazy(PATH, re.IGNORECASE)
_ASCII_PATH = lazy(_path(_ASCII), re.IGNORECASE)
_SENTENCE_SIGNS = re.compile("[了已我你您将把会没未不吗]")


def names_file(text: str) -> bool:
    return _PATH.search(text) is not None


def without_files(text: str, instead: str) -> str:
    """`text` with `instead` in the place of each path: a file may be called `failed.log` or `todo.md`."""
    return _ASCII_PATH.sub(instead, text)


def is_file(text: str) -> bool:
    """Whether `text` is a path and nothing else; a name with the signs of a Chinese sentence is taken for one."""
    return _PATH.fullmatch(text.strip()) is not None and not _SENTENCE_SIGNS.search(text)

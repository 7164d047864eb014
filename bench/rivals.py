"""What a person would type instead: the reason counts of one winston-json file, by engines that answer one question."""

import importlib.util
import shutil
import sys

_COLUMNS = ("level", "message", "timestamp", "conversationId")
_DUCKDB = """
import duckdb, sys
duckdb.sql('''with rejected as (
  select message from read_json($file, format = 'newline_delimited',
    columns = {level: 'VARCHAR', message: 'VARCHAR', timestamp: 'TIMESTAMPTZ', conversationId: 'VARCHAR'})
  where starts_with(message, '[SocraticStage] draft rejected'))
select trim(reason) as reason, count(*) from (
  select unnest(string_split(json_extract_string(message[32:], '$.reason'), ';')) as reason from rejected)
group by 1''', params={"file": sys.argv[1]}).fetchall()
"""
_CLICKHOUSE = """
import chdb, sys
name = sys.argv[1].replace("'", "\\\\'")
chdb.query(f'''select trim(arrayJoin(splitByChar(';', JSONExtractString(substring(message, 32), 'reason')))) as reason, count()
from file('{name}', JSONEachRow, 'level String, message String, timestamp String, conversationId String')
where startsWith(message, '[SocraticStage] draft rejected') group by reason''', 'CSV')
"""
_POLARS = f"""
import polars as pl, sys
(pl.scan_ndjson(sys.argv[1], schema=dict.fromkeys({_COLUMNS}, pl.String))
 .filter(pl.col('message').str.starts_with('[SocraticStage] draft rejected'))
 .select(pl.col('message').str.slice(31).str.json_path_match('$.reason').str.split(';')).explode('message')
 .select(pl.col('message').str.strip_chars()).group_by('message').len().collect(engine='streaming'))
"""
_RIPGREP = (
    "rg -F '[SocraticStage] draft rejected' \"$1\""
    " | jq -r '.message[31:] | fromjson.reason | split(\"; \")[]' | sort | uniq -c"
)
_MODULES = {"duckdb": ("duckdb", _DUCKDB), "clickhouse": ("chdb", _CLICKHOUSE), "polars": ("polars", _POLARS)}


def commands(file: str) -> tuple[dict[str, list[str]], list[str]]:
    """The command of each rival that is installed, and the names of those that are not."""
    found, missing = {}, []
    for name, (module, code) in _MODULES.items():
        if importlib.util.find_spec(module):
            found[name] = [sys.executable, "-c", code, file]
        else:
            missing.append(f"{name} (the Python package {module})")
    if shutil.which("rg") and shutil.which("jq"):
        found["ripgrep and jq"] = ["bash", "-c", _RIPGREP, "rg", file]
    else:
        missing.append("ripgrep and jq")
    return found, missing

"""The command line: puts the commands together, runs one, and says how it ended.

Each command is a file of `commands`, which reads arguments, calls one function and prints what it returns. It imports what
it calls when it is called: whoever asks for help, or misspells an option, does not wait for the store.

stdout is data, stderr is everything else. Exit codes: 0 done, 1 failed, 2 usage, 3 done with rejects under --strict,
4 a --fail-on rule broke.
"""

import gc
import io
import os
import sys
from collections.abc import Callable, Mapping
from typing import Any

import typer
from typer.core import TyperGroup

from commands.audit import audit
from commands.checks import checks_command
from commands.dashboard import dashboard_command
from commands.demo import demo_command
from commands.export import export_command
from commands.ingest import ingest_command
from commands.keeping import purge_command, verify_command
from commands.options import fail
from commands.plan import plan_command
from commands.replay import replay_command
from commands.report import report_command
from commands.trace import trace_command
from commands.whatif import whatif_command
from usererror import UserError

COMMANDS: Mapping[str, Callable[..., None] | typer.Typer] = {
    "ingest": ingest_command,
    "report": report_command,
    "export": export_command,
    "plan": plan_command,
    "whatif": whatif_command,
    "replay": replay_command,
    "trace": trace_command,
    "checks": checks_command,
    "dashboard": dashboard_command,
    "demo": demo_command,
    "audit": audit,
    "verify": verify_command,
    "purge": purge_command,
}
"""In the order in which a person meets them; what destroys comes last."""


class InOrder(TyperGroup):
    """Lists the commands in their order, where a group of commands would come after all others."""

    def list_commands(self, ctx: Any) -> list[str]:
        return list(COMMANDS)

    def invoke(self, ctx: Any) -> object:
        try:
            return super().invoke(ctx)
        except typer.BadParameter as error:
            error.message = error.message.removeprefix(
                "Value error, "
            )  # how the validator calls it, which helps nobody
            raise


app = typer.Typer(
    name="gatecov",
    cls=InOrder,
    help="Production coverage for an agent's runtime checks: which fire, which never do, and how sure that zero is.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
)
for name, command in COMMANDS.items():
    if isinstance(command, typer.Typer):
        app.add_typer(command, name=name)
    else:
        app.command(name=name)(command)


def main() -> None:
    """Run the command line; whatever goes wrong becomes one sentence on stderr."""
    gc.set_threshold(50_000)  # what an import makes is no garbage, and looking for some takes a tenth of the start
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")
    try:
        app()
    except UserError as error:
        fail(str(error), error.exit_code)
    except KeyboardInterrupt:
        fail("stopped; what was committed stays, and the next run goes on from there", 130)
    except BrokenPipeError:
        # Whoever read our output has gone (for example `| head`); that is no failure, but the buffer must not complain.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    except Exception as error:
        if os.environ.get("GATECOV_DEBUG"):
            raise
        fail(
            f"an unforeseen {type(error).__name__}: {error}; run it again with GATECOV_DEBUG=1 and report what it prints"
        )
    finally:
        gc.freeze()  # the process ends: it need not look for garbage once more, in all that was loaded


if __name__ == "__main__":
    main()

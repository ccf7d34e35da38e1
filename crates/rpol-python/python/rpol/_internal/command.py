"""The command ``rpol``: the command line of the library, in this process.

It is linked into the native module, with which it shares the optimizer: a binary of its own would nearly double the wheel,
and ``pip install .`` would have to build it first.
"""

from __future__ import annotations

import signal
import sys

from .. import _rpol


def main() -> int:
    """Does what the command line says; the exit code."""
    leave_signals_to_the_command()
    return _rpol.command(["rpol", *sys.argv[1:]])


def leave_signals_to_the_command() -> None:
    """Takes back what Python changed of signals when it started, as commands and their children expect it.

    Python only notes a Ctrl-C and looks at it between its own instructions, of which there are none meanwhile. Where Ctrl-C
    was ignored from the start, it stays so. A child would inherit that files beyond the size limit raise no signal.
    """
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)
    if hasattr(signal, "SIGXFSZ"):
        signal.signal(signal.SIGXFSZ, signal.SIG_DFL)

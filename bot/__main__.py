"""The console script `xiaomaolv`."""

import os
import sys

from bot import cli

_STANDARD = (("stdin", "r"), ("stdout", "w"), ("stderr", "w"))


def main() -> None:
    """Run the command line of this process and end it with its exit code."""
    open_standard_streams()
    sys.exit(cli.main(sys.argv[1:]))


def open_standard_streams() -> None:
    """Put the null device where whoever started this process closed a standard stream.

    Else the next file that is opened, such as the database, gets the number of standard output, and what a
    library prints is written into it.
    """
    while (number := os.open(os.devnull, os.O_RDWR)) < len(_STANDARD):
        os.set_inheritable(number, True)
    os.close(number)
    for place, (name, mode) in enumerate(_STANDARD):
        if getattr(sys, name) is None:
            setattr(sys, name, open(place, mode, encoding="utf-8", closefd=False))  # noqa: SIM115


if __name__ == "__main__":
    main()

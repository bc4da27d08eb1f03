"""The console script `xiaomaolv`."""

import sys

from bot import cli


def main() -> None:
    """Run the command line of this process and end it with its exit code."""
    sys.exit(cli.main(sys.argv[1:]))


if __name__ == "__main__":
    main()

"""`python -m elenchus ARGUMENT...` runs the program."""

import os
import sys

from elenchus._program import ElenchusError, program


def main() -> None:
    """Replaces this process by the program."""
    try:
        path = program()
    except ElenchusError as error:
        print(f"error: {error}", file=sys.stderr)
        sys.exit(error.exit_code)
    os.execv(path, [str(path), *sys.argv[1:]])


if __name__ == "__main__":
    main()
